import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Sql } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql as raw } from 'kysely'

/** What was told last, by campaign: the speed is the difference. */
export type Told = Map<string, { at: number; done: number; rate: number }>

interface Counted {
  client_id: number
  campagne_id: number
  name: string
  volume: number
  done: number
}

/**
 * Recounts the progress of running campaigns from the ledger and tells the consoles. What is open is counted, because two
 * indexes have just these rows; the rest of the volume is done.
 *
 * @param told changed: what was told now
 */
export async function reportProgress(sql: Sql, told: Told): Promise<void> {
  const { rows } = await raw<Counted>`
    with counted as (
      select c.client_id, c.campagne_id, c.name, c.estimated_volume as volume, c.estimated_volume - (
          select count(*) from delivery d
          where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.member_id > 0
            and d.state in ('pending', 'deferred')
        ) - (
          select count(*) from delivery d
          where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.member_id > 0
            and d.state = 'claimed'
        ) as done
      from campaign c
      where c.valid = ${campaignState.running} and c.expanded_at is not null
    ), kept as (
      update campaign c set progress_cur = counted.done
      from counted
      where c.client_id = counted.client_id and c.campagne_id = counted.campagne_id
        and c.valid = ${campaignState.running} and c.progress_cur <> counted.done
    )
    select * from counted`.execute(sql)
  const now = performance.now()
  const running = new Set(rows.map(keyOf))
  for (const key of told.keys()) if (!running.has(key)) told.delete(key)
  for (const row of rows) {
    const before = told.get(keyOf(row))
    if (before?.done === row.done && before.rate === 0) continue
    const rate = before ? speed(before, row.done, now) : 0
    told.set(keyOf(row), { at: now, done: row.done, rate })
    const data = {
      campagne_id: row.campagne_id,
      name: row.name,
      progress_cur: row.done,
      estimated_volume: row.volume,
      rate: Math.round(rate * 10) / 10,
      eta: rate > 0 ? Math.ceil((row.volume - row.done) / rate) : null,
    }
    await publish(sql, { client_id: row.client_id, type: 'CAMPAIGN_PROGRESS', data })
  }
}

function keyOf({ client_id, campagne_id }: Counted): string {
  return `${client_id}/${campagne_id}`
}

/** Smoothed over the last few seconds, so that the time to go does not jump. */
function speed(before: { at: number; done: number; rate: number }, done: number, now: number): number {
  const seconds = (now - before.at) / 1000
  const latest = Math.max(0, done - before.done) / Math.max(seconds, 0.001)
  if (before.rate === 0) return latest
  const weight = Math.min(1, seconds / 5)
  const rate = before.rate * (1 - weight) + latest * weight
  return rate < 0.01 ? 0 : rate
}
