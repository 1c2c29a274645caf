import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { warmupName, warmupOf } from './warmup-day.ts'

/** State of a warm-up. */
export interface WarmupState {
  /** Current day, counted from 1; below 1 before it begins, null without warm-up. */
  day: number | null
  /** Volume of the day; null: no limit. */
  volume: number | null
  /** Messages sent today. */
  sent: number
}

/** Returns the state of the warm-up of a mail class or domain, by the client's calendar. */
export async function readWarmup(
  db: Db,
  what: 'mailclass' | 'domain',
  { clientId, id }: { clientId: number; id: number },
): Promise<WarmupState> {
  const { rows } = await sql<{ warmup_date: string; warmup_day: number | null; warmup_volumes: number[] }>`
    select wall_clock(now(), client.timezone)::date::text as warmup_date,
      wall_clock(now(), client.timezone)::date - w.warmup_start as warmup_day, w.warmup_volumes
    from ${sql.table(what)} w join client using (client_id)
    where w.client_id = ${clientId} and w.${sql.ref(`${what}_id`)} = ${id}`.execute(db)
  const [row] = rows
  if (!row || row.warmup_day === null) return { day: null, volume: null, sent: 0 }
  const day = row.warmup_day + 1
  const bucket = warmupOf(warmupName(what, clientId, id), row)
  if (!bucket) return { day, volume: null, sent: 0 }
  return { day, volume: bucket.volume, sent: (await readSpent(db, [bucket.name])).get(bucket.name) ?? 0 }
}

/** Messages counted today by the buckets of warm-up days, by name; none: not used yet. */
export async function readSpent(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('send_pace')
    .select(['bucket', 'tokens'])
    .where('bucket', 'in', [...new Set(names)])
    .execute()
  // A volume's bucket starts at zero and is spent below it.
  return new Map(rows.map(({ bucket, tokens }) => [bucket, Math.max(0, Math.round(-tokens))]))
}
