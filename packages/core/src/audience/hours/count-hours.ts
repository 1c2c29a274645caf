import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'
import { readDatasource } from '../datasources/datasource.ts'
import { inOtherSegments } from '../segments/count-segment.ts'
import { fromSegment, readSegment, segmentMemory } from '../segments/segment-members.ts'
import { knownHour } from './known-hour.ts'

export interface HourCount {
  /** Members of the segment, and not of an excluded one. */
  total: number
  /** Those of them with enough observations, by best hour: 24 numbers. */
  by_hour: number[]
  /** Quiet hours of the client. */
  quiet_from: string | null
  quiet_to: string | null
}

/**
 * Counts at which hours the members of a segment open and click.
 * @throws EmmaError `not_found` for foreign or missing segments
 */
export function countHours(
  db: Db,
  scope: TenantScope,
  question: { list_id: number; excludes: readonly number[]; min_observations: number },
): Promise<HourCount> {
  return transaction(db, async tx => {
    const segment = await readSegment(tx, scope, question.list_id)
    const source = await readDatasource(tx, { clientIds: [segment.client_id] }, segment.member_table_id)
    await segmentMemory.execute(tx)
    const excluded = await inOtherSegments(tx, source, question.excludes, null)
    const { rows } = await sql<{ hour: number | null; members: number }>`
      select ${knownHour(question.min_observations)} as hour, count(*) as members
      from (select m.client_id, m.member_id ${fromSegment(source, segment)} and not ${excluded}) as m
      left join member_hours as h on h.client_id = m.client_id
        and h.member_table_id = ${source.member_table_id} and h.member_id = m.member_id
      group by 1`.execute(tx)
    const countOf = (hour: number) => rows.find(row => row.hour === hour)?.members ?? 0
    const { quiet_from, quiet_to } = await tx
      .selectFrom('client')
      .select(['quiet_from', 'quiet_to'])
      .where('client_id', '=', segment.client_id)
      .executeTakeFirstOrThrow()
    return {
      quiet_from,
      quiet_to,
      total: rows.reduce((sum, { members }) => sum + members, 0),
      by_hour: Array.from({ length: 24 }, (_, hour) => countOf(hour)),
    }
  })
}
