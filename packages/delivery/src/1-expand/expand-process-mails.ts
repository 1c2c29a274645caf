import { createHash } from 'node:crypto'
import type { Fault } from '@emma/contract/faults.ts'
import {
  type ProcessMailContent,
  shippedProcessMail,
} from '@emma/contract/process-mails/shipped-process-mail.ts'
import { addressDomainOf } from '@emma/core/audience/address.ts'
import { membersTable } from '@emma/core/audience/datasources/datasource.ts'
import { findProcessMail } from '@emma/core/content/process-mail.ts'
import type { MailProcess } from '@emma/core/content/queue-process-mail.ts'
import { addressFault } from '@emma/db/address-fault.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignSnapshot, TrackingBaseOf } from '../model/campaign-snapshot.ts'
import { draftProcessMail } from '../model/process-snapshot.ts'
import { createOpenCampaign, runOpenCampaign } from './open-campaign.ts'
import { joinedProvider, providerJoins } from './provider-of-domain.ts'

/** Queued process mails with one text. */
export interface ProcessMailGroup {
  clientId: number
  memberTableId: number
  process: MailProcess
  lang: ProcessMailContent['lang']
  /** The form that may choose the text. */
  formId: number | null
}

/** Mails of a group that are moved into the ledger at a time. */
const BATCH = 500

/** Groups that are looked at in one round. */
const MOST_GROUPS = 200

/** Mails with the same text that a member can get: a bound for the loop below, beyond what the requests allow. */
const MOST_ROUNDS = 1000

/** Groups with mails that are due. */
export async function listProcessMails(db: Db): Promise<ProcessMailGroup[]> {
  const { rows } = await sql<ProcessMailGroup>`
    select client_id as "clientId", member_table_id as "memberTableId", process, lang, webform_id as "formId"
    from process_mail
    where campagne_id is null and due_at <= now()
    group by 1, 2, 3, 4, 5 order by min(due_at) limit ${MOST_GROUPS}`.execute(db)
  return rows
}

/**
 * Moves queued process mails of a group into the ledger, in one transaction: each becomes a due row of the campaign
 * (ctype 6) of its text, which runs while it has due rows. The text is the client's at this moment.
 * @returns the number of mails moved
 * @throws CampaignFault if the client has no sender, ContentError if the text cannot be compiled: `delayProcessMails`
 */
export function expandProcessMails(
  db: Db,
  group: ProcessMailGroup,
  trackingBaseOf: TrackingBaseOf,
): Promise<number> {
  return transaction(db, async tx => {
    if (!(await takeTurn(tx, group))) return 0
    // The first import of a datasource locks its table.
    await sql`set local lock_timeout = '2s'`.execute(tx)
    const waiting = await takeWaiting(tx, group)
    if (waiting.length === 0) return 0
    const { clientId, memberTableId, process, lang, formId } = group
    const content = await findProcessMail(tx, clientId, process, lang, formId)
    const { name } = shippedProcessMail(process, lang)
    const use = { clientId, memberTableId, process, name, content }
    const draft = await draftProcessMail(tx, use, trackingBaseOf)
    const hash = createHash('sha256').update(JSON.stringify(draft)).digest()
    let left = waiting
    for (let round = 1; left.length > 0 && round <= MOST_ROUNDS; round++) {
      const campaignId = await openCampaign(tx, group, draft, hash, round)
      left = await fillCampaign(tx, group, campaignId, left)
    }
    return waiting.length
  })
}

/** Tries the mails of a group again in a minute, after a fault that its people can fix. */
export async function delayProcessMails(
  db: Db,
  group: ProcessMailGroup,
  reason: Fault | null,
): Promise<void> {
  await sql`
    update process_mail
    set due_at = now() + interval '1 minute', fault = ${reason === null ? null : JSON.stringify(reason)}::jsonb
    where ${inGroup(group)} and due_at <= now()`.execute(db)
}

/** One engine at a time: rounds are numbered. */
async function takeTurn(tx: Db, { clientId, memberTableId }: ProcessMailGroup): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`process mails ${clientId}/${memberTableId}`}, 0)) as taken`.execute(
    tx,
  )
  return rows[0]?.taken === true
}

function inGroup({ clientId, memberTableId, process, lang, formId }: ProcessMailGroup) {
  return sql`client_id = ${clientId} and member_table_id = ${memberTableId} and process = ${process}
    and lang = ${lang} and webform_id is not distinct from ${formId}::bigint and campagne_id is null`
}

/** Ids of due mails; those of members who were deleted meanwhile are dropped. */
async function takeWaiting(tx: Db, group: ProcessMailGroup): Promise<number[]> {
  const { rows } = await sql<{ id: number; is_member: boolean }>`
    select p.process_mail_id as id, exists (
      select from ${membersTable(group.memberTableId)} as m
      where m.client_id = p.client_id and m.member_id = p.member_id) as is_member
    from process_mail as p
    where ${inGroup(group)} and due_at <= now()
    order by due_at, process_mail_id limit ${BATCH}
    for update skip locked`.execute(tx)
  const gone = rows.filter(row => !row.is_member).map(row => row.id)
  if (gone.length > 0)
    await sql`
      delete from process_mail
      where client_id = ${group.clientId} and process_mail_id = any(${gone}::bigint[])`.execute(tx)
  return rows.filter(row => row.is_member).map(row => row.id)
}

/** The campaign of a text and round, running. Its row may be locked by the engine that finishes it at this moment. */
async function openCampaign(
  tx: Db,
  group: ProcessMailGroup,
  draft: CampaignSnapshot,
  hash: Buffer,
  round: number,
): Promise<number> {
  const { clientId, memberTableId, process } = group
  const existing = await tx
    .selectFrom('process_campaign')
    .select('campagne_id')
    .where('client_id', '=', clientId)
    .where('member_table_id', '=', memberTableId)
    .where('process', '=', process)
    .where('content_hash', '=', hash)
    .where('round', '=', round)
    .executeTakeFirst()
  if (existing) return existing.campagne_id
  const campaignId = await createOpenCampaign(tx, clientId, draft, memberTableId)
  const key = { client_id: clientId, member_table_id: memberTableId, process, content_hash: hash, round }
  await tx
    .insertInto('process_campaign')
    .values({ ...key, campagne_id: campaignId })
    .execute()
  return campaignId
}

/** Writes ledger rows for the first mail of each member without one; returns the other mails. */
async function fillCampaign(
  tx: Db,
  { clientId, memberTableId }: ProcessMailGroup,
  campaignId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with chosen as (
      select distinct on (p.member_id) p.client_id, p.process_mail_id, p.member_id, coalesce(p.email, m.email) as email,
        ${addressDomainOf(sql`coalesce(p.email, m.email)`)} as domain
      from process_mail as p
      join ${membersTable(memberTableId)} as m on m.client_id = p.client_id and m.member_id = p.member_id
      where p.client_id = ${clientId} and p.process_mail_id = any(${ids}::bigint[])
      order by p.member_id, p.process_mail_id
    ), checked as (
      select chosen.*, ${addressFault} as fault from chosen
    ), written as (
      insert into delivery (client_id, campagne_id, member_id, email, provider_id, state, skip_reason)
      select client_id, ${campaignId}::bigint, member_id, email, ${joinedProvider},
        case when fault is null then 'pending' else 'skipped' end::delivery_state, fault
      from checked
      ${providerJoins}
      on conflict do nothing
      returning client_id, member_id
    )
    update process_mail as p set campagne_id = ${campaignId}, fault = null
    from chosen join written using (client_id, member_id)
    where p.client_id = ${clientId} and p.process_mail_id = chosen.process_mail_id
    returning p.process_mail_id as id`.execute(tx)
  const moved = new Set(rows.map(row => row.id))
  if (moved.size > 0) await runOpenCampaign(tx, { clientId, campaignId }, moved.size)
  return ids.filter(id => !moved.has(id))
}
