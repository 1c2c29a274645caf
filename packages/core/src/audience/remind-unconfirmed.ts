import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type QueuedProcessMail, queueProcessMail } from '../content/queue-process-mail.ts'

/** Requests that are reminded of in one transaction. */
const BATCH = 500

interface Unconfirmed {
  client_id: number
  member_table_id: number
  member_id: number
  doi_request_id: number
  lang: QueuedProcessMail['lang']
}

/**
 * Queues the mail of confirmation requests that are due for their reminder a second time; once per request, and never in
 * the last day of its link.
 */
export async function remindUnconfirmed(db: Db): Promise<void> {
  while ((await remindBatch(db)) === BATCH);
}

function remindBatch(db: Db): Promise<number> {
  return transaction(db, async tx => {
    const { rows } = await sql<Unconfirmed>`
      update doi_request as r set reminded_at = now()
      from (
        select client_id, doi_request_id from doi_request
        where reminder_days > 0 and reminded_at is null and confirmed_at is null and closed_at is null
          and requested_at <= now() - make_interval(days => reminder_days) and expires_at > now() + interval '1 day'
          and purpose = 'subscription'
        order by requested_at limit ${BATCH}
        for update skip locked
      ) as due
      where r.client_id = due.client_id and r.doi_request_id = due.doi_request_id
      returning r.client_id, r.member_table_id, r.member_id, r.doi_request_id, r.lang`.execute(tx)
    for (const { doi_request_id: doiRequestId, member_id: memberId, lang, ...table } of rows) {
      const cause = `reminder ${doiRequestId}`
      await queueProcessMail(tx, { table, memberId, process: 'doi_request', lang, cause, doiRequestId })
    }
    return rows.length
  })
}

/** Drops process mails that could not be sent for 14 days: what they are about has passed. */
export async function dropOldProcessMails(db: Db): Promise<void> {
  await sql`
    delete from process_mail where campagne_id is null and created_at < now() - interval '14 days'`.execute(
    db,
  )
}
