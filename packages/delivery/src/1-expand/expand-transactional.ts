import { createHash } from 'node:crypto'
import type { Fault } from '@emma/contract/faults.ts'
import { addressDomainOf } from '@emma/core/audience/address.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { addressFault } from '@emma/db/address-fault.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignSnapshot, TrackingBaseOf } from '../model/campaign-snapshot.ts'
import { draftTransactional } from '../model/transactional-snapshot.ts'
import { createOpenCampaign, runOpenCampaign } from './open-campaign.ts'
import { joinedProvider, providerJoins } from './provider-of-domain.ts'

/** Queued emails of one transactional email. */
export interface TransactionalGroup {
  clientId: number
  transactionalId: number
  /** They have content of their own, in place of the template's. */
  isFree: boolean
}

/** Emails that are moved into the ledger at a time. */
const BATCH = 2_000

/** Emails of a campaign, about: the next one gets the others, so that counting one stays quick. */
const MOST_MAILS = 50_000

/** Groups that are looked at in one round. */
const MOST_GROUPS = 200

/** Transactional emails with due emails. */
export async function listTransactionalMails(db: Db): Promise<TransactionalGroup[]> {
  const { rows } = await sql<TransactionalGroup>`
    select client_id as "clientId", transactional_id as "transactionalId", is_free as "isFree"
    from transactional_mail as m
    where campagne_id is null and cancelled_at is null and due_at <= now()
      -- One that was deleted may be restored.
      and exists (
        select from transactional as t
        where t.client_id = m.client_id and t.id = m.transactional_id and t.deleted_at is null)
    group by 1, 2, 3 order by min(due_at) limit ${MOST_GROUPS}`.execute(db)
  return rows
}

/**
 * Moves due emails into the ledger, in one transaction: each becomes a due row of the campaign (ctype 3) of its content,
 * which is that of this moment.
 * @returns the number of emails moved
 * @throws CampaignFault if nothing can be sent, ContentError if the template cannot be compiled:
 * `delayTransactionalMails`
 */
export function expandTransactionalMails(
  db: Db,
  { clientId, transactionalId, isFree }: TransactionalGroup,
  trackingBaseOf: TrackingBaseOf,
): Promise<number> {
  return transaction(db, async tx => {
    if (!(await takeTurn(tx, clientId, transactionalId))) return 0
    const draft = await draftTransactional(tx, { clientId, id: transactionalId, isFree }, trackingBaseOf)
    const campaignId = await findCampaign(tx, clientId, transactionalId, draft)
    const { rows } = await sql<{ moved: number }>`
      with waiting as (
        select client_id, mail_id, email, ${addressDomainOf(sql.ref('email'))} as domain
        from transactional_mail
        where client_id = ${clientId} and transactional_id = ${transactionalId} and is_free = ${isFree}
          and campagne_id is null and cancelled_at is null and due_at <= now()
        order by due_at, mail_id limit ${BATCH}
        for update skip locked
      ), checked as (
        select waiting.*, ${addressFault} as fault from waiting
      ), written as (
        insert into delivery (client_id, campagne_id, member_id, email, provider_id, state, skip_reason)
        select client_id, ${campaignId}::bigint, mail_id, email, ${joinedProvider},
          case when fault is null then 'pending' else 'skipped' end::delivery_state, fault
        from checked ${providerJoins}
        returning client_id, member_id
      ), moved as (
        update transactional_mail as m set campagne_id = ${campaignId}, fault = null
        from written where m.client_id = written.client_id and m.mail_id = written.member_id
        returning 1
      )
      select count(*) as moved from moved`.execute(tx)
    const moved = rows[0]?.moved ?? 0
    if (moved > 0) await runOpenCampaign(tx, { clientId, campaignId }, moved)
    return moved
  })
}

/**
 * Tries the due emails again in a minute, after a fault that somebody can fix: shown in the log, and told once an hour.
 */
export function delayTransactionalMails(
  db: Db,
  { clientId, transactionalId, isFree }: TransactionalGroup,
  reason: Fault | null,
): Promise<void> {
  return transaction(db, async tx => {
    await sql`
      update transactional_mail
      set due_at = now() + interval '1 minute', fault = ${reason === null ? null : JSON.stringify(reason)}::jsonb
      where client_id = ${clientId} and transactional_id = ${transactionalId} and is_free = ${isFree}
        and campagne_id is null and cancelled_at is null and due_at <= now()`.execute(tx)
    if (reason !== null) await tellOfWaiting(tx, clientId, transactionalId, reason)
  })
}

const WAITING = 'transactional_waiting'

async function tellOfWaiting(tx: Db, clientId: number, id: number, reason: Fault): Promise<void> {
  const path = `/transactionals/edit/${id}`
  const { rows } = await sql<{ name: string }>`
    select t.name from transactional as t
    where t.client_id = ${clientId} and t.id = ${id} and not exists (
      select from notification as n
      where n.client_id = ${clientId} and n.code = ${WAITING} and n.path = ${path}
        and n.created_at > now() - interval '1 hour')`.execute(tx)
  const [transactional] = rows
  if (!transactional) return
  const { name } = transactional
  await addNotification(tx, {
    clientId,
    permission: 'EmmaTransactional:get',
    kind: 'danger',
    code: WAITING,
    details: { name, reason: reason.message, fault: reason },
    text: `Emails of “${name}” wait: ${reason.message}`,
    path,
  })
}

/** One engine at a time: no two create the campaign of a content. */
async function takeTurn(tx: Db, clientId: number, transactionalId: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`transactional ${clientId}/${transactionalId}`}, 0)) as taken`.execute(
    tx,
  )
  return rows[0]?.taken === true
}

/** The open campaign of the content. Its row may be locked by the engine that finishes it at this moment. */
async function findCampaign(
  tx: Db,
  clientId: number,
  transactionalId: number,
  draft: CampaignSnapshot,
): Promise<number> {
  const hash = createHash('sha256').update(JSON.stringify(draft)).digest()
  const { rows } = await sql<{ campaignId: number }>`
    select t.campagne_id as "campaignId"
    from transactional_campaign as t
    join campaign as c on c.client_id = t.client_id and c.campagne_id = t.campagne_id
    where t.client_id = ${clientId} and t.transactional_id = ${transactionalId} and t.content_hash = ${hash}
      and c.estimated_volume < ${MOST_MAILS} and c.deleted_at is null
    order by t.campagne_id desc limit 1`.execute(tx)
  if (rows[0]) return rows[0].campaignId
  // The emails' ids are no members of a datasource.
  const campaignId = await createOpenCampaign(tx, clientId, draft, null)
  await tx
    .insertInto('transactional_campaign')
    .values({
      client_id: clientId,
      campagne_id: campaignId,
      transactional_id: transactionalId,
      content_hash: hash,
    })
    .execute()
  return campaignId
}
