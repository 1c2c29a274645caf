import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

export type SeenSubject = 'motd' | 'guided_tour' | 'changelog'

/** Stores that the user has seen the release notes of a version. Idempotent. */
export async function markVersionSeen(db: Db, userId: number, version: string): Promise<void> {
  await mark(db, userId, 'changelog', version)
}

/**
 * Stores that the user has seen a message of the day or a guided tour.
 *
 * @throws EmmaError `not_found` when it does not exist
 */
export async function markRecordSeen(
  db: Db,
  userId: number,
  subject: Exclude<SeenSubject, 'changelog'>,
  id: number,
): Promise<void> {
  const { rows } = await sql`
    select from ${sql.table(subject)} where id = ${id} and deleted_at is null`.execute(db)
  if (rows.length === 0) throw new EmmaError('not_found')
  await mark(db, userId, subject, String(id))
}

/** Keys of what the user has seen: ids of messages and tours, or versions. */
export async function listSeen(db: Db, userId: number, subject: SeenSubject): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from user_seen where user_id = ${userId} and subject = ${subject}`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

async function mark(db: Db, userId: number, subject: SeenSubject, key: string): Promise<void> {
  await sql`
    insert into user_seen (user_id, subject, key) values (${userId}, ${subject}, ${key})
    on conflict do nothing`.execute(db)
}
