import { campaignState } from '@emma/contract/campaign-states.ts'
import { sendsNoMore } from '@emma/core/campaigns/cancel-open.ts'
import type { Db } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql } from 'kysely'

/** Last reported values by campaign; the rate is computed from the difference. */
export type LastReported = Map<string, { at: number; done: number; rate: number }>

interface Counted {
  client_id: number
  campagne_id: number
  name: string
  valid: number
  volume: number
  done: number
  has_changed: boolean
}

/**
 * Recounts the progress of campaigns from the ledger and pushes it to consoles. Open rows are counted, because two
 * indexes contain exactly these; the rest of the volume is done. A paused or stopped campaign is recounted until
 * nothing of it is in flight.
 * @param lastReported updated with the reported values
 */
export async function reportProgress(db: Db, lastReported: LastReported): Promise<void> {
  const { rows } = await sql<Counted>`
    with counted as (
      select c.client_id, c.campagne_id, c.name, c.valid, c.updated_at, c.progress_cur as before,
        c.estimated_volume as volume, claimed = 0 and ${isAtRest} as is_settled,
        -- Cancelled rows have no index: they are counted when nothing can be added to what was done.
        case when not ${sendsNoMore} then estimated_volume - due - claimed
          when claimed = 0 then estimated_volume - due - (
            select count(*) from delivery d
            where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.member_id > 0
              and d.state = 'cancelled')
          else progress_cur end as done
      from campaign c cross join lateral (
        select (
            select count(*) from delivery d
            where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.member_id > 0
              and d.state in ('pending', 'deferred')
          ) as due, (
            select count(*) from delivery d
            where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.member_id > 0
              and d.state = 'claimed'
          ) as claimed
      ) still_open
      where c.progress_open and c.expanded_at is not null
    ), kept as (
      update campaign c set progress_cur = counted.done, progress_open = not is_settled
      from counted
      where c.client_id = counted.client_id and c.campagne_id = counted.campagne_id
        and c.valid = counted.valid and c.updated_at = counted.updated_at
        and (c.progress_cur <> counted.done or is_settled)
    )
    select client_id, campagne_id, name, valid, volume, done, done <> before as has_changed from counted`.execute(
    db,
  )
  const running = rows.filter(row => row.valid === campaignState.running)
  await tellSpeed(db, lastReported, running)
  // Consoles reload such a campaign; it has no sending rate.
  for (const { client_id, campagne_id, name, valid, has_changed } of rows)
    if (has_changed && valid !== campaignState.running)
      await publish(db, { client_id, type: 'CAMPAIGN_STATUS', data: { campagne_id, name, valid } })
}

/**
 * Nothing can be added to a campaign `c` that is counted with nothing in flight: claims from before its pause are
 * over, stopped rows are cancelled, and disconnected engines have reported their unknown messages.
 */
const isAtRest = sql<boolean>`(c.valid <> ${campaignState.running} and c.updated_at < now() - interval '10 seconds'
  and (not ${sendsNoMore} or due = 0) and (
    select 1 from delivery d
    where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state = 'unknown'
      and d.recorded_at > now() - interval '30 minutes'
    limit 1) is null)`

async function tellSpeed(db: Db, lastReported: LastReported, rows: readonly Counted[]): Promise<void> {
  const now = performance.now()
  const running = new Set(rows.map(keyOf))
  for (const key of lastReported.keys()) if (!running.has(key)) lastReported.delete(key)
  for (const row of rows) {
    const before = lastReported.get(keyOf(row))
    if (before?.done === row.done && before.rate === 0) continue
    const rate = before ? speed(before, row.done, now) : 0
    lastReported.set(keyOf(row), { at: now, done: row.done, rate })
    const data = {
      campagne_id: row.campagne_id,
      name: row.name,
      progress_cur: row.done,
      estimated_volume: row.volume,
      rate: Math.round(rate * 10) / 10,
      eta: rate > 0 ? Math.ceil((row.volume - row.done) / rate) : null,
    }
    await publish(db, { client_id: row.client_id, type: 'CAMPAIGN_PROGRESS', data })
  }
}

function keyOf({ client_id, campagne_id }: Counted): string {
  return `${client_id}/${campagne_id}`
}

/** Smoothed over the last seconds, so that the remaining time does not jump. */
function speed(before: { at: number; done: number; rate: number }, done: number, now: number): number {
  const seconds = (now - before.at) / 1000
  const latest = Math.max(0, done - before.done) / Math.max(seconds, 0.001)
  if (before.rate === 0) return latest
  const weight = Math.min(1, seconds / 5)
  const rate = before.rate * (1 - weight) + latest * weight
  return rate < 0.01 ? 0 : rate
}
