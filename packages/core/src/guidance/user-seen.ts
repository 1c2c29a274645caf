import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'

export type SeenSubject = 'motd' | 'guided_tour' | 'changelog'

/** Remembers that the person has seen a version of the product; once is enough. */
export async function markVersionSeen(sql: Sql, userId: number, version: string): Promise<void> {
  await mark(sql, userId, 'changelog', version)
}

/**
 * Remembers that the person has seen a message or a tour.
 *
 * @throws EmmaError `not_found` when there is none
 */
export async function markRecordSeen(
  sql: Sql,
  userId: number,
  subject: Exclude<SeenSubject, 'changelog'>,
  id: number,
): Promise<void> {
  const { rows } = await raw`
    select from ${raw.table(subject)} where id = ${id} and deleted_at is null`.execute(sql)
  if (rows.length === 0) throw new EmmaError('not_found')
  await mark(sql, userId, subject, String(id))
}

/** Keys of what the person has seen. */
export async function listSeen(sql: Sql, userId: number, subject: SeenSubject): Promise<ReadonlySet<string>> {
  const { rows } = await raw<{ key: string }>`
    select key from user_seen where user_id = ${userId} and subject = ${subject}`.execute(sql)
  return new Set(rows.map(({ key }) => key))
}

async function mark(sql: Sql, userId: number, subject: SeenSubject, key: string): Promise<void> {
  await raw`
    insert into user_seen (user_id, subject, key) values (${userId}, ${subject}, ${key})
    on conflict do nothing`.execute(sql)
}
