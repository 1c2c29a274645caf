import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'

/** What a picture shows: a template, or a design of the catalogue. */
export type PictureSubject = `message/${number}` | `design/${string}/${string}`

/** Seconds from a change until its picture is drawn; further changes in this time need no other one. */
const DELAY_S = 10

/** Least seconds between two pictures of a mail. Together with the delay and the drawing less than a minute. */
export const PAUSE_S = 45

/** Requests a new picture of a mail that is created or has changed, in the transaction of the change. */
export async function requestPicture(tx: Db, clientId: number, subject: PictureSubject): Promise<void> {
  await sql`
    insert into mail_picture as p (client_id, subject, due_at)
    values (${clientId}, ${subject}, now() + make_interval(secs => ${DELAY_S}))
    on conflict (client_id, subject) do update set
      requested = p.requested + 1, attempts = 0, stale_since = coalesce(p.stale_since, now()), due_at = ${due(sql`${DELAY_S}`)}`.execute(
    tx,
  )
}

/**
 * Requests new pictures of a client's mails after a change that all of them may show: its brand, or a placeholder. They
 * are spread over time, so that pictures of other clients need not wait for them.
 * @param modules only templates with placeholders
 */
export async function requestPictures(tx: Db, clientId: number, { modules = false } = {}): Promise<void> {
  const concerned = modules
    ? sql`select m.client_id, 'message/' || m.message_id as subject from message m
        where m.client_id = ${clientId} and m.deleted_at is null
          and position('module' in concat_ws(' ', m.preheader, m.body_mjml, m.body_long)) > 0`
    : sql`select client_id, subject from mail_picture where client_id = ${clientId}`
  await sql`
    update mail_picture p set
      requested = p.requested + 1, attempts = 0, stale_since = coalesce(p.stale_since, now()),
      due_at = ${due(sql`${DELAY_S} + c.place`)}
    from (select client_id, subject, row_number() over (order by subject) as place from (${concerned}) s) c
    where p.client_id = ${clientId} and c.client_id = p.client_id and c.subject = p.subject`.execute(tx)
}

/** A pending request keeps its time, unless the new one is due earlier. PostgreSQL ignores nulls in both functions. */
function due(seconds: RawBuilder<unknown>) {
  return sql`least(p.due_at,
    greatest(now() + make_interval(secs => ${seconds}), p.drawn_at + make_interval(secs => ${PAUSE_S})))`
}

/** Requests pictures that were never requested, of designs that a client looks at. */
export async function requestMissing(
  db: Db,
  clientId: number,
  subjects: readonly PictureSubject[],
): Promise<void> {
  await sql`
    insert into mail_picture (client_id, subject)
    select c.client_id, s.subject from client c, unnest(${subjects}::text[]) s(subject)
    where c.client_id = ${clientId} and c.deleted_at is null
    on conflict do nothing`.execute(db)
}
