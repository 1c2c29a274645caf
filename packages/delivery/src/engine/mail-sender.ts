import type { KeyObject } from 'node:crypto'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { RenderError } from '@emma/mail/template/template-error.ts'
import type { Recipient } from '../2-claim/read-recipients.ts'
import {
  type CompiledCampaign,
  inDomain,
  inLanguage,
  inVariant,
  lacksContent,
} from '../3-render/compile-campaign.ts'
import { type MailTarget, renderMail } from '../3-render/render-mail.ts'
import type { ClaimedRow, Outcome } from '../model/outcome.ts'
import type { ClaimedBatch } from './claimed-batch.ts'
import { acquire, type ConnectionPool, type ConnectionPools, release } from './connection-pools.ts'
import type { OwnAttachmentsReader } from './own-attachments.ts'
import type { PersonalData, PersonalResult } from './personal-data.ts'
import type { ReceiverConcurrency } from './receiver-concurrency.ts'
import type { ReplyRules } from './reply-rules.ts'
import type { SendingCampaigns } from './sending-campaigns.ts'

interface SenderContext {
  tokenKey: KeyObject
  campaigns: SendingCampaigns
  connectionPools: ConnectionPools
  receiverConcurrency: ReceiverConcurrency
  replyRules: ReplyRules
  personalData: PersonalData
  ownAttachments: OwnAttachmentsReader
}

/** One message of a batch. */
export interface OutgoingMail {
  batch: ClaimedBatch
  form: CompiledCampaign
  connections: ConnectionPool
  recipient: Exclude<Recipient, { movedTo: string }>
}

const RETURNED: Outcome = { kind: 'returned', text: '' }

/** Sends single messages: renders, waits for a connection, sends, settles. */
export class MailSender {
  readonly #context: SenderContext
  #isClosing = false

  constructor(context: SenderContext) {
    this.#context = context
  }

  /** No message is sent from now on. */
  close(): void {
    this.#isClosing = true
  }

  /** Sends one message once the journal entry is written; one that must not be sent is released. */
  async send(outgoing: OutgoingMail): Promise<void> {
    const { batch, form: campaignForm, connections, recipient } = outgoing
    const { campaign } = batch
    const { row } = recipient
    const domain = () =>
      inDomain(campaignForm, row.memberId, this.#context.campaigns.find(campaign)?.poolDomains ?? [])
    const own = domain()
    // A domain that fails meanwhile sends nothing more: the row is claimed again, for another domain.
    const maySend = () => this.#maySend(batch, connections, row) && domain() === own
    if ('skip' in recipient) return batch.settle(row, { kind: 'skipped', reason: recipient.skip })
    if (!maySend()) return batch.settle(row, RETURNED)
    const form = inLanguage(inVariant(own, row.variant), recipient.language)
    const { member, subject, replyTo } = recipient
    const found = await this.#context.personalData.of(campaign.clientId, form.personalData, member, maySend)
    if ('isStopped' in found) return batch.settle(row, RETURNED)
    const unsent = 'data' in found ? null : withoutData(row, found)
    if (unsent) return batch.settle(row, unsent)
    const personal = { ...recipient.data, ...('data' in found ? found.data : {}) }
    // Test subscribers get every message.
    if (row.memberId > 0 && lacksContent(form, member, personal))
      return batch.settle(row, { kind: 'skipped', reason: 'no_content' })
    const attached = await this.#context.ownAttachments.read(campaign.clientId, row, recipient.hasAttachments)
    try {
      const target = { ...row, member, personal, subject, replyTo, attachments: attached.files }
      await this.#deliver(outgoing, form, target, maySend)
    } finally {
      attached.release()
    }
  }

  async #deliver(
    { batch, connections, recipient: { row } }: OutgoingMail,
    form: CompiledCampaign,
    target: MailTarget,
    maySend: () => boolean,
  ): Promise<void> {
    const { tokenKey, campaigns, connectionPools, receiverConcurrency, replyRules } = this.#context
    const { campaign, route, recorder, retryScale: scale } = batch
    const mail = await renderMail(form, target, tokenKey).catch(unrenderable)
    if ('kind' in mail) return batch.settle(row, campaigns.judge(mail, campaign))
    const receiver = batch.receiverOf(row)
    if (receiver) await receiverConcurrency.acquire(receiver)
    await acquire(connections)
    let settled: Promise<void> | undefined
    try {
      if (maySend() && (await recorder.begin(row))) {
        const outcome = await connections.transport.send(mail.envelope, mail.bytes, row)
        connectionPools.noteAnswer(connections, outcome)
        const ruled = replyRules.evaluate(outcome, { campaign, route, row, scale })
        settled = batch.settle(row, campaigns.judge(ruled, campaign))
      } else settled = batch.settle(row, RETURNED)
    } finally {
      // The next message begins with the journal entry that contains this outcome, or a later one: no entry has more
      // open messages than slots.
      release(connections)
      if (receiver) receiverConcurrency.release(receiver)
    }
    await settled
  }

  /**
   * False if the campaign is paused or in its quiet hours, the engine stops, the next hop is unreachable or the
   * receiver is paused.
   */
  #maySend({ campaign, route }: ClaimedBatch, connections: ConnectionPool, row: ClaimedRow): boolean {
    const { campaigns, connectionPools } = this.#context
    const now = campaigns.find(campaign)
    // Its connections were reassigned or reopened.
    if (connectionPools.of(route) !== connections) return false
    if (this.#isClosing || !now || now.isQuiet || performance.now() < connections.closedUntil) return false
    const routeNow = now.routes.find(one => one.pool === route.pool)
    return routeNow !== undefined && !routeNow.isQuarantined && !routeNow.closed.includes(row.providerId)
  }
}

/** Attempts to fetch data that may be there later: after 5, 15 and 35 minutes. */
const DATA_ATTEMPTS = 4

/** Outcome of a recipient whose data cannot be fetched; null if the mail is sent without it. */
function withoutData(
  row: ClaimedRow,
  { fault, isPassing, source }: Extract<PersonalResult, { source: unknown }>,
): Outcome | null {
  // Test subscribers get every message.
  if (row.memberId < 0) return null
  const text = `The data of ${source.name} could not be fetched. ${fault?.message ?? ''}`
  const reply = { code: null, enhanced: null, text, class: 'other', hard: false } as const
  if (isPassing && row.attempts < DATA_ATTEMPTS) return { kind: 'deferred', reply }
  return source.ifEmpty === 'skip' ? { kind: 'skipped', reason: 'no_data' } : null
}

/** A message that cannot be rendered is rejected; the others of the campaign are unaffected. */
function unrenderable(error: unknown): Outcome {
  if (!(error instanceof RenderError) && !(error instanceof HeaderError)) throw error
  const reply = { code: null, enhanced: null, text: error.message, class: 'content', hard: false } as const
  return { kind: 'rejected', reply, isSenderFault: true }
}
