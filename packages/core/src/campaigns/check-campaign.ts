import { requiredToStart } from '@emma/contract/resources/campaign.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import type { Sql } from '@emma/db/connection.ts'
import { ADDRESS_FAULTS, type AddressResult, parseAddress } from '@emma/mail/address.ts'
import { compileMessage } from '../content/compile-message.ts'
import { findLinks } from '../content/message-operations.ts'
import { readSystemSettings } from '../platform/system-settings.ts'
import type { Fields } from '../resource/operations.ts'

/** One thing the check found. `field`: where to mend it; `message_id` leads to the template's editor. */
export interface Finding {
  code: string
  field: string
  message: string
}

/** Errors block the start, warnings are ticked off by a person. */
export interface CampaignCheck {
  errors: Finding[]
  warnings: Finding[]
  recipients: number
}

/** What the check needs from outside: who would get it, and where links lead. */
export interface CheckContext {
  countRecipients(sql: Sql, campaign: Fields): Promise<number>
  trackingBase: string
}

/** Looks at everything a campaign needs before its first mail leaves (domain.md 2A, pre-flight). */
export async function checkCampaign(
  sql: Sql,
  campaign: Fields,
  context: CheckContext,
): Promise<CampaignCheck> {
  const missing = requiredToStart
    .filter(field => field !== 'startdate' && isMissing(campaign[field]))
    // A sending service of its own is a way out as well (R282).
    .filter(field => field !== 'mailclass_id' || isMissing(campaign.esp_id))
    .map(field => ({ code: 'required', field, message: 'is required' }))
  const { found: recipients, faults } = await countOrFault(sql, campaign, context)
  const groups = await Promise.all([
    checkDomain(sql, campaign),
    checkMailclass(sql, campaign),
    checkService(sql, campaign),
    checkMessage(sql, campaign, context.trackingBase),
  ])
  const all = [...missing.map(finding => ({ ...finding, blocks: true })), ...faults, ...groups.flat()]
  if (recipients === 0 && faults.length === 0 && !isMissing(campaign.list_id))
    all.push({
      code: 'empty_segment',
      field: 'list_id',
      message: 'The segment has no members that can be mailed.',
      blocks: true,
    })
  const shown = ({ blocks: _, ...finding }: BlockingFinding) => finding
  return {
    errors: all.filter(finding => finding.blocks).map(shown),
    warnings: all.filter(finding => !finding.blocks).map(shown),
    recipients,
  }
}

type BlockingFinding = Finding & { blocks: boolean }

async function countOrFault(sql: Sql, campaign: Fields, context: CheckContext) {
  if (isMissing(campaign.list_id)) return { found: 0, faults: [] }
  try {
    return { found: await context.countRecipients(sql, campaign), faults: [] }
  } catch (error) {
    if (!(error instanceof EmmaError)) throw error
    return {
      found: 0,
      faults: [
        {
          code: 'segment',
          field: 'list_id',
          message: `The segment cannot be counted: ${error.message}`,
          blocks: true,
        },
      ],
    }
  }
}

async function checkDomain(sql: Sql, campaign: Fields): Promise<BlockingFinding[]> {
  if (isMissing(campaign.domain_id)) return []
  const domain = await sql
    .selectFrom('domain')
    .select(['name', 'status', 'is_blocklisted'])
    .where('client_id', '=', Number(campaign.client_id))
    .where('domain_id', '=', Number(campaign.domain_id))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const fault = (code: string, field: string, message: string) => ({ code, field, message, blocks: true })
  if (!domain) return [fault('no_domain', 'domain_id', 'The sending domain does not exist any more.')]
  const findings: BlockingFinding[] = []
  if (domain.status !== 'verified')
    findings.push(
      fault(
        'domain_unverified',
        'domain_id',
        `The domain ${domain.name} is not verified. Check its DNS records.`,
      ),
    )
  if (domain.is_blocklisted)
    findings.push(fault('domain_blocklisted', 'domain_id', `The domain ${domain.name} is on a blocklist.`))
  const from = senderAddress(campaign.fromadr)
  if (!isMissing(campaign.fromadr) && !from.ok)
    findings.push(
      fault('from_invalid', 'fromadr', `The sender address cannot be used. ${ADDRESS_FAULTS[from.reason]}`),
    )
  const replyTo = senderAddress(campaign.reply_to)
  if (!isMissing(campaign.reply_to) && !replyTo.ok)
    findings.push(
      fault(
        'reply_to_invalid',
        'reply_to',
        `The reply address cannot be used. ${ADDRESS_FAULTS[replyTo.reason]}`,
      ),
    )
  if (from.ok && from.domain !== domain.name && !from.domain.endsWith(`.${domain.name}`))
    findings.push(
      fault(
        'from_unaligned',
        'fromadr',
        `The sender address must belong to ${domain.name}, or receivers will not trust it (DMARC).`,
      ),
    )
  return findings
}

/** Most receivers take letters outside ASCII from nobody: they would refuse every mail. */
function senderAddress(value: unknown): AddressResult {
  return parseAddress(typeof value === 'string' ? value : '', { asciiLocal: true })
}

async function checkMailclass(sql: Sql, campaign: Fields): Promise<BlockingFinding[]> {
  if (isMissing(campaign.mailclass_id)) return []
  const mailclass = await sql
    .selectFrom('mailclass')
    .select(['name', 'active', 'transport', 'smtp_host', 'login_ids'])
    .where('client_id', '=', Number(campaign.client_id))
    .where('mailclass_id', '=', Number(campaign.mailclass_id))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const fault = (code: string, message: string) => [{ code, field: 'mailclass_id', message, blocks: true }]
  if (!mailclass) return fault('no_mailclass', 'The mail class does not exist any more.')
  if (!mailclass.active)
    return fault('mailclass_inactive', `The mail class ${mailclass.name} is switched off.`)
  if (!isMissing(campaign.esp_id)) return []
  if (mailclass.transport === 'smtp' && !mailclass.smtp_host)
    return fault('mailclass_no_host', `The mail class ${mailclass.name} sends over SMTP, but has no host.`)
  if (mailclass.transport === 'esp' && mailclass.login_ids.length === 0)
    return fault('mailclass_no_login', `The mail class ${mailclass.name} names no sending service.`)
  const staysHere =
    mailclass.transport === 'testbed' || /^(?:localhost|::1|127\.[\d.]+)$/.test(mailclass.smtp_host ?? '')
  // A login may be at a service on this machine: whether it is, the engine finds out when it opens it.
  if (!staysHere && mailclass.transport !== 'esp' && !(await readSystemSettings(sql)).real_delivery)
    return fault(
      'real_delivery_off',
      `Real delivery is switched off, and the mail class ${mailclass.name} sends beyond this installation. An administrator can switch it on.`,
    )
  return []
}

/** The login at a sending service that the campaign leaves over. */
async function checkService(sql: Sql, campaign: Fields): Promise<BlockingFinding[]> {
  if (isMissing(campaign.esp_id)) return []
  const clientId = Number(campaign.client_id)
  const login = await sql
    .selectFrom('esp_login')
    .select(['id', 'name', 'active', 'refused_at', 'refused_text'])
    .where('client_id', '=', clientId)
    .where('id', '=', Number(campaign.esp_id))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const finding = (code: string, field: string, message: string, blocks: boolean) => [
    { code, field, message, blocks },
  ]
  if (!login) return finding('no_service', 'esp_id', 'The sending service does not exist any more.', true)
  if (!login.active)
    return finding('service_inactive', 'esp_id', `The sending service ${login.name} is switched off.`, true)
  if (login.refused_at !== null)
    return finding(
      'service_refused',
      'esp_id',
      `${login.name} refused us: ${login.refused_text ?? ''}`,
      false,
    )
  const senders = await sql
    .selectFrom('esp_sendfromid')
    .select(['from_email', 'verified'])
    .where('client_id', '=', clientId)
    .where('login_id', '=', login.id)
    .where('deleted_at', 'is', null)
    .execute()
  const from = typeof campaign.fromadr === 'string' ? campaign.fromadr.toLowerCase() : ''
  const isKnown = senders.some(sender => sender.verified && sender.from_email.toLowerCase() === from)
  if (senders.length === 0 || from === '' || isKnown) return []
  const message = `${login.name} has not verified the sender address ${from}.`
  return finding('service_sender', 'fromadr', message, false)
}

async function checkMessage(sql: Sql, campaign: Fields, trackingBase: string): Promise<BlockingFinding[]> {
  if (isMissing(campaign.message_id)) return []
  const clientId = Number(campaign.client_id)
  const messageId = Number(campaign.message_id)
  const message = await sql
    .selectFrom('message')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!message)
    return [
      {
        code: 'no_message',
        field: 'message_id',
        message: 'The template does not exist any more.',
        blocks: true,
      },
    ]
  const subject = isMissing(campaign.subject) ? message.subject : campaign.subject
  const urls = await findLinks(sql, clientId, messageId)
  try {
    const compiled = await compileMessage(sql, clientId, { ...message, subject, urls }, trackingBase)
    return compiled.warnings.map(warning => ({
      code: warning.code,
      field: 'message_id',
      message: warning.message,
      blocks: warning.severity === 'error' || blocking.has(warning.code),
    }))
  } catch (error) {
    if (!(error instanceof EmmaError)) throw error
    return error.fields.map(({ field, message: text }) => ({
      code: 'template',
      field: 'message_id',
      message: `${field}, ${text}`,
      blocks: true,
    }))
  }
}

/** What no mail may leave without, whatever the template's editor says of it. */
const blocking = new Set(['no-subject', 'no-unsubscribe', 'mandatory-module-missing', 'empty-part'])
