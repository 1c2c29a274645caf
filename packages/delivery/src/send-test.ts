import { randomBytes, type KeyObject } from 'node:crypto'
import { fault, type Fault } from '@emma/contract/faults.ts'
import { findSuppressed } from '@emma/core/audience/eligibility.ts'
import { addTestMails, markTestMailSent, type TestMailKey } from '@emma/core/campaigns/test-mails.ts'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { compileCampaign, type CompiledCampaign } from './3-render/compile-campaign.ts'
import { renderMail } from './3-render/render-mail.ts'
import { openTransport, type Outgoing, TransportFault, type TransportContext } from './4-deliver/transport.ts'
import {
  type AssembleMessage,
  CampaignFault,
  type CampaignSnapshot,
  draftMessage,
  type Sending,
  type TrackingBaseOf,
  withLinks,
} from './model/campaign-snapshot.ts'
import { loadDkimKeys } from './model/dkim-keys.ts'
import { readAttachments } from './model/read-attachments.ts'
import { loginsColumn, type MailclassRow } from './model/mailclass-row.ts'
import { asEspRoute } from './model/esp-login-route.ts'
import { isRealDelivery, transportSettings } from './engine/running-campaigns.ts'

/** Settings of the installation for single messages. */
export interface SingleSender {
  db: Db
  tokenKey: KeyObject
  openSecret: (sealed: Buffer) => string
  trackingBaseOf: TrackingBaseOf
  testbed: TransportContext['testbed']
  helo: string
  outgoing?: Outgoing | undefined
  /** Without it, messages with attachments are not sent. */
  files?: Pick<FileStorage, 'get'> | undefined
  /** Missing: messages are compiled on the calling thread. */
  assemble?: AssembleMessage | undefined
}

export interface TestSend extends Sending {
  clientId: number
  messageId: number
  /** The campaign being tested; null for a template. */
  campaign: { id: number; name: string } | null
  /** Recipients, with their template data. */
  recipients: readonly { email: string; member: Record<string, unknown> }[]
  /** Prefix of the subject. */
  prefix: string
  /** The test for which opens and clicks are recorded, and the number of the variant. */
  recorded?: { testId: number; variant: number }
}

export interface TestOutcome {
  email: string
  /** `held`: not sent, because the mail class cannot send here, or the address is suppressed. */
  outcome: 'sent' | 'deferred' | 'rejected' | 'unknown' | 'held'
  /** Reply of the server. */
  reply: string
  /** Code of the reason for `held`; `reply` is its English text. */
  reason?: Fault['code']
  values?: Fault['values']
}

/** What a test is sent with, whatever its content is. */
export type TestRoute = Pick<
  TestSend,
  'clientId' | 'campaign' | 'mailclassId' | 'espId' | 'recipients' | 'prefix'
>

/**
 * Sends a message to a few addresses like a campaign, in all its languages, and waits for the servers' replies. Pages of test messages have
 * no effect. Opens and clicks are recorded for the test, if there is one, and count nowhere else.
 * @throws CampaignFault, ContentError, HeaderError if the message cannot be sent to anybody
 */
export async function sendTest(sender: SingleSender, send: TestSend): Promise<TestOutcome[]> {
  const { db, trackingBaseOf } = sender
  const campaign = { id: send.campaign?.id ?? 0, name: send.campaign?.name ?? 'Test', type: 4 }
  const draft = await draftMessage(db, send.clientId, campaign, send.messageId, send, trackingBaseOf)
  const taken = await withLinks(draft, sender.assemble)
  const { recorded } = send
  if (!recorded || !taken.message.isTracked) return sendTestOf(sender, taken, send)
  const snapshot = withPrefix(taken, send.prefix)
  const links = snapshot.links.map(link => ({ ...link, is_active: link.is_active && !isPersonal(link) }))
  const ids = await addTestMails(db, {
    ...recorded,
    clientId: send.clientId,
    emails: send.recipients.map(({ email }) => email),
    links: links.filter(link => link.is_active),
  })
  const mailOf = (email: string) => {
    const mailId = ids.get(email)
    return mailId === undefined ? undefined : { testId: recorded.testId, mailId }
  }
  return sendToEach(sender, { ...snapshot, links }, send, { languages: 'all', mailOf })
}

/** Its target is not known without the recipient's data. */
function isPersonal({ url }: { url: string }): boolean {
  return url.includes('{')
}

/** Sends a snapshot as a test; the outcome of an address is the first failure of its languages. Throws like `sendTest`. */
export function sendTestOf(
  sender: SingleSender,
  taken: CampaignSnapshot,
  send: TestRoute,
): Promise<TestOutcome[]> {
  return sendToEach(sender, asTest(taken, send.prefix), send, { languages: 'all' })
}

interface MailsOfEach {
  /** `all`: one mail for each language of the message; `default`: one mail. */
  languages: 'all' | 'default'
  /** Written before each mail. */
  header?: string
  /** The email of a test whose opens and clicks are recorded. */
  mailOf?: (email: string) => Omit<TestMailKey, 'clientId'> | undefined
}

/** Sends a snapshot to each recipient. Throws like `sendTest`. */
export async function sendToEach(
  sender: SingleSender,
  snapshot: CampaignSnapshot,
  send: Omit<TestRoute, 'prefix'>,
  { languages, header = '', mailOf }: MailsOfEach,
): Promise<TestOutcome[]> {
  const { db, tokenKey } = sender
  const { clientId } = send
  const keys = await loadDkimKeys(db, send.clientId, snapshot.domain, sender.openSecret)
  if (keys.length === 0) throw new CampaignFault(fault('campaign.no_key', { domain: snapshot.domain.name }))
  const compiled = await compileCampaign(snapshot, keys, {
    attachments: await readAttachments(sender.files, snapshot),
    assemble: sender.assemble,
  })
  const forms = languages === 'all' ? [compiled, ...compiled.languages.values()] : [compiled]
  const transport = await openFor(sender, send)
  if (transport instanceof TransportFault)
    return send.recipients.map(({ email }) => heldBy(transport.fault, email))
  try {
    const suppressed = await findSuppressed(
      db,
      send.clientId,
      send.recipients.map(({ email }) => email),
    )
    return await Promise.all(
      send.recipients.map(async ({ email, member }) => {
        const reason = suppressed.get(email)
        if (reason !== undefined)
          return { email, outcome: 'held', reply: `The address is suppressed (${reason}).` }
        const sendIn = async (form: CompiledCampaign) => {
          const test = { messageId: `test-${randomBytes(12).toString('hex')}`, mail: mailOf?.(email) }
          const mail = await renderMail(form, { email, memberId: 0, member, test }, tokenKey)
          const bytes = header === '' ? mail.bytes : [Buffer.from(header), ...mail.bytes]
          const of = { clientId, campaignId: snapshot.campaign.id }
          const outcome = await transport.send(mail.envelope, bytes, of)
          if (test.mail && outcome.kind === 'sent') await markTestMailSent(db, { clientId, ...test.mail })
          return outcome
        }
        const outcomes = await Promise.all(forms.map(sendIn))
        const [first] = outcomes
        const outcome = outcomes.find(({ kind }) => kind !== 'sent') ?? first
        if (!outcome) throw new Error('A message has at least one language.')
        if (outcome.kind === 'skipped') return { email, outcome: 'rejected', reply: outcome.reason }
        if (outcome.kind === 'returned') return { email, outcome: 'deferred', reply: outcome.text }
        const { code, enhanced, text } = outcome.reply
        return {
          email,
          outcome: outcome.kind,
          reply: [code, enhanced, text].filter(part => part !== null).join(' '),
        }
      }),
    )
  } finally {
    await transport.close()
  }
}

function heldBy({ code, values, message }: Fault, email: string): TestOutcome {
  return { email, outcome: 'held', reply: message, reason: code, ...(values && { values }) }
}

/** Links are not tracked: there is nothing to count them for. */
export function asTest(snapshot: CampaignSnapshot, prefix: string): CampaignSnapshot {
  const prefixed = withPrefix(snapshot, prefix)
  return { ...prefixed, message: { ...prefixed.message, isTracked: false } }
}

function withPrefix(snapshot: CampaignSnapshot, prefix: string): CampaignSnapshot {
  const { message } = snapshot
  const prefixed = <T extends { subject: string }>(of: T) => ({ ...of, subject: `${prefix}${of.subject}` })
  return {
    ...snapshot,
    message: { ...prefixed(message), languages: (message.languages ?? []).map(prefixed) },
  }
}

async function openFor(
  sender: SingleSender,
  { clientId, mailclassId, espId }: Pick<TestRoute, 'clientId' | 'mailclassId' | 'espId'>,
) {
  const { rows } = await mailclassRow(sender.db, clientId, mailclassId, espId)
  const [found] = rows
  if (!found) throw new CampaignFault(fault('campaign.mailclass_gone'))
  const row = espId === null ? found : asEspRoute(found)
  const settings = transportSettings({ ...row, max_connections: 2 }, sender.openSecret)
  const { testbed, helo, outgoing } = sender
  try {
    return openTransport(settings, {
      ...outgoing,
      testbed,
      helo,
      realDelivery: await isRealDelivery(sender.db),
    })
  } catch (error) {
    if (error instanceof TransportFault) return error
    throw error
  }
}

function mailclassRow(db: Db, clientId: number, mailclassId: number | null, espId: number | null) {
  const logins = espId === null ? sql`m.login_ids` : sql`array[${espId}]::bigint[]`
  return sql<MailclassRow>`
    select client_id, mailclass_id, name, transport, smtp_host, smtp_port, smtp_tls, smtp_username, smtp_password,
      max_connections, send_ip, mta_headers, source_ips, ${loginsColumn(logins, sql`m`)}
    from mailclass m
    where client_id = ${clientId} and mailclass_id = ${mailclassId} and deleted_at is null`.execute(db)
}
