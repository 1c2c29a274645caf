import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { followEvents } from '../events/follow-events.ts'

/**
 * Follows events until all committed ones have been read, including those that another follower reads.
 *
 * @returns the number of events read
 * @throws Error when events remain after 20 seconds
 */
export async function followAll(db: Db): Promise<number> {
  const end = performance.now() + 20_000
  let total = 0
  while (performance.now() < end) {
    const read = await followEvents(db)
    total += read
    if (read > 0) continue
    if (!(await isBehind(db))) return total
    await sleep(20)
  }
  throw new Error('There are events that are not followed')
}

async function isBehind(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from event
    where txid > coalesce((select txid from event_cursor where name = 'members'), '0'::xid8)
      or txid = any(select unnest(open_txids) from event_cursor where name = 'members')
    limit 1`.execute(db)
  return rows.length > 0
}
