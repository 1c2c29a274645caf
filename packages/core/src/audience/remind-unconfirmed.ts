import { type Db, transaction } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { type QueuedProcessMail, queueProcessMail } from '../content/queue-process-mail.ts'
import { membersTable } from './datasources/datasource.ts'
import { findSuppressed, memberFacts } from './eligibility.ts'
import { isSubscribed } from './members/is-subscribed.ts'
import { withLockTimeout } from './members/lock-members.ts'

/** Requests that are reminded of in one transaction. */
const BATCH = 500

interface Unconfirmed {
  client_id: number
  member_table_id: number
  member_id: number
  doi_request_id: number
  email: string
  form_id: number | null
  lang: QueuedProcessMail['lang']
}

/**
 * Queues the mail of confirmation requests that are due for their reminder a second time; once per sign-up, and never in
 * the last day of its link. People who unsubscribed, bounced, complained, confirmed or are suppressed get none.
 */
export async function remindUnconfirmed(db: Db): Promise<void> {
  while ((await remindBatch(db)) === BATCH);
}

function remindBatch(db: Db): Promise<number> {
  return transaction(db, async tx => {
    const due = await takeDue(tx)
    for (const [clientId, ofClient] of Map.groupBy(due, request => request.client_id)) {
      const emails = ofClient.map(({ email }) => email)
      const suppressed = await findSuppressed(tx, clientId, emails)
      for (const [memberTableId, requests] of Map.groupBy(ofClient, request => request.member_table_id)) {
        const waiting = await findWaiting(
          tx,
          { client_id: clientId, member_table_id: memberTableId },
          requests,
        )
        for (const request of requests)
          if (waiting.has(request.member_id) && !suppressed.has(request.email)) await remind(tx, request)
      }
    }
    return due.length
  })
}

/**
 * Marks the requests that are due. Of a member with several open ones, the last is the one to remind of, if none of them
 * was before.
 */
async function takeDue(tx: Db): Promise<Unconfirmed[]> {
  const { rows } = await sql<Unconfirmed & { is_first: boolean }>`
    with due as (
      select client_id, doi_request_id from doi_request
      where reminder_days > 0 and reminded_at is null and confirmed_at is null and closed_at is null
        and requested_at <= now() - make_interval(days => reminder_days) and expires_at > now() + interval '1 day'
        and purpose = 'subscription'
      order by requested_at limit ${BATCH}
      for update skip locked
    )
    update doi_request as r set reminded_at = now()
    from due
    where r.client_id = due.client_id and r.doi_request_id = due.doi_request_id
    returning r.client_id, r.member_table_id, r.member_id, r.doi_request_id, r.email, r.form_id, r.lang, not exists (
      select from doi_request as other
      where other.client_id = r.client_id and other.member_table_id = r.member_table_id
        and other.member_id = r.member_id and other.purpose = 'subscription' and other.confirmed_at is null
        and other.closed_at is null and other.expires_at > now()
        and (other.doi_request_id > r.doi_request_id or other.reminded_at is not null)
        and other.doi_request_id <> r.doi_request_id) as is_first`.execute(tx)
  return rows.filter(row => row.is_first)
}

type Table = Pick<Unconfirmed, 'client_id' | 'member_table_id'>

/** Members who can still confirm a subscription of this address. Skips a datasource that is locked as a whole. */
async function findWaiting(tx: Db, table: Table, requests: readonly Unconfirmed[]): Promise<Set<number>> {
  const addresses = new Map(requests.map(({ member_id, email }) => [member_id, addressKey(email)]))
  const found = await withLockTimeout(tx, () =>
    sql<{ member_id: number; email: string }>`
      select m.member_id, m.email from ${membersTable(table.member_table_id)} as m
      where m.client_id = ${table.client_id} and m.member_id = any(${[...addresses.keys()]}::bigint[])
        and ${isSubscribed(table)}
        and not (${memberFacts.hardBounced} or ${memberFacts.complained} or m.doi_state = 'confirmed')`.execute(
      tx,
    ),
  )
  const members = found?.rows ?? []
  const own = members.filter(({ member_id, email }) => addresses.get(member_id) === addressKey(email))
  return new Set(own.map(({ member_id }) => member_id))
}

async function remind(tx: Db, request: Unconfirmed): Promise<void> {
  const { doi_request_id: doiRequestId, member_id: memberId, form_id: formId, lang, ...table } = request
  const cause = `reminder ${doiRequestId}`
  await queueProcessMail(tx, { table, memberId, process: 'doi_request', lang, cause, doiRequestId, formId })
}

/** Drops process mails that could not be sent for 14 days: what they are about has passed. */
export async function dropOldProcessMails(db: Db): Promise<void> {
  await sql`
    delete from process_mail where campagne_id is null and created_at < now() - interval '14 days'`.execute(
    db,
  )
}
