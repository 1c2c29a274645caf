import { requiredToStart } from '@emma/contract/resources/campaign.ts'
import { type Fault, fault, reasonOf } from '@emma/contract/faults.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { findDocumentFaults } from '../billing/due-documents.ts'
import type { Compiler } from '../content/compile-message.ts'
import { checkFeeds, type FetchFeed } from '../content/feeds.ts'
import { transportFault } from '../deliverability/transport-fault.ts'
import { readSystemSettings } from '../platform/system-settings.ts'
import { findApprovalFault } from './approval/approval-fault.ts'
import type { Campaign } from './campaign-operations.ts'
import { checkCategories } from './campaign-categories.ts'
import { checkServiceEvents } from './check-service-events.ts'
import { checkSample, checkVariants } from './split/check-variants.ts'
import { checkOrder } from './check-order.ts'
import { checkSendVolume } from './check-send-volume.ts'
import { checkMessage } from './check-message.ts'
import { checkRoute } from './check-route.ts'
import { findMissingValues } from './find-missing-values.ts'
import type { BlockingFinding, Finding } from './finding.ts'

/** Result of the check. Errors block the start; a user has to confirm warnings. */
export interface CampaignCheck {
  errors: Finding[]
  warnings: Finding[]
  recipients: number
}

/** Dependencies of the check: the recipient count, the compiler of messages, and the way to feeds. */
export interface CheckContext extends Compiler {
  countRecipients(db: Db, campaign: Campaign): Promise<number>
  fetchFeed: FetchFeed
}

/** Checks everything that a campaign needs before its first mail is sent (domain.md 2A, pre-flight). */
export async function checkCampaign(
  db: Db,
  campaign: Campaign,
  context: CheckContext,
): Promise<CampaignCheck> {
  const open = await countOpen(db, campaign)
  if (open !== null) return { errors: await checkRoute(db, campaign), warnings: [], recipients: open }
  const missing = requiredToStart
    .filter(field => field !== 'startdate' && isMissing(campaign[field]))
    // A login at a sending service replaces the mail class (R282).
    .filter(field => field !== 'mailclass_id' || isMissing(campaign.esp_id))
    .map(field => ({ code: 'required', field, ...reasonOf(fault('field.required')) }))
  const { found: recipients, faults } = await countOrFault(db, campaign, context)
  // Before the message, which shows their items.
  const feeds = await checkFeeds(db, campaign.client_id, Number(campaign.campagne_id), context.fetchFeed)
  const first = await checkMessage(db, campaign, context)
  const contents = [first, ...(await checkVariants(db, campaign, context, first))]
  const shown = contents.flatMap(content => content.shown)
  const missingValues = faults.length === 0 ? await findMissingValues(db, campaign, shown) : []
  const groups = await Promise.all([
    checkRoute(db, campaign).then(faults => faults.map(fault => ({ ...fault, blocks: true }))),
    checkMailclass(db, campaign),
    checkCategories(db, campaign).then(faults => faults.map(fault => ({ ...fault, blocks: true }))),
    checkService(db, campaign),
    checkServiceEvents(db, campaign).then(findings =>
      findings.map(finding => ({ ...finding, blocks: false })),
    ),
  ])
  const all = [
    ...missing.map(finding => ({ ...finding, blocks: true })),
    ...faults,
    ...checkStart(campaign),
    ...(await checkOrder(db, campaign)),
    ...contents.flatMap(({ findings }) => findings),
    ...checkSample(campaign, recipients),
    ...(await checkSendVolume(db, campaign, recipients)),
    ...feeds.map(({ fault, ...finding }) => ({ ...finding, field: 'message_id', ...reasonOf(fault) })),
    ...missingValues,
    ...groups.flat(),
    ...(await checkApproval(db, campaign)),
    ...(await checkDocuments(db, campaign)),
  ]
  if (recipients === 0 && faults.length === 0 && campaign.list_id !== null)
    all.push({
      code: 'empty_segment',
      field: 'list_id',
      ...reasonOf(fault('campaign.empty_segment')),
      blocks: true,
    })
  if (recipients === 0 && campaign.send_once_key !== null && faults.length === 0)
    all.push({
      code: 'send_once',
      field: 'send_once_key',
      ...reasonOf(fault('campaign.send_once', { key: campaign.send_once_key })),
      blocks: false,
    })
  const told = ({ blocks: _, ...finding }: BlockingFinding) => finding
  return {
    errors: all.filter(finding => finding.blocks).map(told),
    warnings: all.filter(finding => !finding.blocks).map(told),
    recipients,
  }
}

async function countOrFault(db: Db, campaign: Campaign, context: CheckContext) {
  if (campaign.list_id === null) return { found: 0, faults: [] }
  try {
    return { found: await context.countRecipients(db, campaign), faults: [] }
  } catch (error) {
    if (!(error instanceof EmmaError)) throw error
    return {
      found: 0,
      faults: [
        {
          code: 'segment',
          field: 'list_id',
          ...reasonOf(fault('campaign.segment_uncounted', { fault: error.fault ?? error.message })),
          blocks: true,
        },
      ],
    }
  }
}

async function checkApproval(db: Db, campaign: Campaign): Promise<BlockingFinding[]> {
  const key = { clientId: campaign.client_id, campaignId: campaign.campagne_id }
  const reason = await findApprovalFault(db, key)
  return reason ? [{ code: 'approval_missing', field: 'approval', ...reasonOf(reason), blocks: true }] : []
}

/** Terms and data-processing agreement: the field names the document. */
async function checkDocuments(db: Db, { client_id: clientId }: Campaign): Promise<BlockingFinding[]> {
  const faults = await findDocumentFaults(db, clientId)
  return faults.map(({ kind, fault: reason, blocks }) => ({
    code: 'unconfirmed',
    field: kind,
    ...reasonOf(reason),
    blocks,
  }))
}

/** Warns about a start time in the past, as the campaign would be sent at once. */
function checkStart({ startdate }: Campaign): BlockingFinding[] {
  if (startdate === null || Date.parse(startdate) > Date.now()) return []
  const reason = reasonOf(fault('campaign.start_passed'))
  return [{ code: 'start_passed', field: 'startdate', ...reason, blocks: false }]
}

/**
 * Number of open deliveries of a campaign that has its ledger; null before that. Its recipients are then fixed, and its
 * own deliveries do not count towards a frequency cap.
 */
async function countOpen(db: Db, { client_id, campagne_id }: Campaign): Promise<number | null> {
  const { rows } = await sql<{ open: number | null }>`
    select case when c.expanded_at is not null then (
      select count(*) from delivery d
      where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state in ('pending', 'deferred')
    ) end as open
    from campaign c where c.client_id = ${client_id} and c.campagne_id = ${campagne_id}`.execute(db)
  return rows[0]?.open ?? null
}

async function checkMailclass(db: Db, campaign: Campaign): Promise<BlockingFinding[]> {
  if (campaign.mailclass_id === null) return []
  const mailclass = await db
    .selectFrom('mailclass')
    .select(['name', 'active', 'transport', 'smtp_host', 'login_ids'])
    .where('client_id', '=', campaign.client_id)
    .where('mailclass_id', '=', campaign.mailclass_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!mailclass?.active) return []
  if (campaign.esp_id !== null) return []
  const found = transportFault(mailclass, (await readSystemSettings(db)).real_delivery)
  return found ? [{ code: found.code, field: 'mailclass_id', ...reasonOf(found.fault), blocks: true }] : []
}

/** Checks the login at a sending service that the campaign uses. */
async function checkService(db: Db, campaign: Campaign): Promise<BlockingFinding[]> {
  if (campaign.esp_id === null) return []
  const clientId = campaign.client_id
  const login = await db
    .selectFrom('esp_login')
    .select(['id', 'name', 'active', 'refused_at', 'refused_text'])
    .where('client_id', '=', clientId)
    .where('id', '=', campaign.esp_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const warning = (code: string, field: string, reason: Fault) => [
    { code, field, ...reasonOf(reason), blocks: false },
  ]
  if (!login?.active) return []
  if (login.refused_at !== null)
    return warning(
      'service_refused',
      'esp_id',
      fault('campaign.service_refused', { service: login.name, reply: login.refused_text ?? '' }),
    )
  const senders = await db
    .selectFrom('esp_sendfromid')
    .select(['from_email', 'verified'])
    .where('client_id', '=', clientId)
    .where('login_id', '=', login.id)
    .where('deleted_at', 'is', null)
    .execute()
  const from = campaign.fromadr?.toLowerCase() ?? ''
  const isKnown = senders.some(sender => sender.verified && sender.from_email.toLowerCase() === from)
  if (senders.length === 0 || from === '' || isKnown) return []
  const reason = fault('campaign.service_sender', { service: login.name, sender: from })
  return warning('service_sender', 'fromadr', reason)
}
