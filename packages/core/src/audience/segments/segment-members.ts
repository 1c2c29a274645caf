import { fault } from '@emma/contract/faults.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type RuleGroup, ruleQuery } from '@emma/contract/rules.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { isActive } from '../eligibility.ts'
import { compileSegment } from './compile-segment.ts'

/** The parts of a segment that determine its members. */
export interface Segment {
  client_id: number
  member_table_id: number
  query: RuleGroup | null
  include_unsubscribed: boolean
}

/**
 * SELECT of `member_id, email` of a segment's members, for use as a subquery or with INSERT INTO. Active members only
 * (see isActive), or all matches with `include_unsubscribed`. `at`: the time that "today" and "the last n days" refer
 * to, in the client's time zone; default: the time of the statement. `columns`: further columns to select.
 *
 * Behaviour rules use hash joins: raise `work_mem` for the statement (see segmentMemory).
 *
 * @throws EmmaError `not_found` for a foreign or deleted datasource, `invalid` for rules that do not fit it
 */
export async function segmentMembers(
  db: Db,
  scope: TenantScope,
  segment: Segment,
  { at = null, columns = [] }: { at?: Date | null; columns?: readonly string[] } = {},
): Promise<RawBuilder<unknown>> {
  const source = await readDatasource(db, scope, segment.member_table_id)
  const selected = ['member_id', 'email', ...columns].map(column => sql.ref(`m.${column}`))
  return sql`select ${sql.join(selected)} ${fromSegment(source, segment, at)}`
}

/** `from members.t1 as m … where …` of a segment. */
export function fromSegment(
  source: Datasource,
  segment: Pick<Segment, 'query' | 'include_unsubscribed'>,
  at: Date | null = null,
): RawBuilder<unknown> {
  const clock = { timezone: source.timezone, at }
  const { joins, condition } = compileSegment(segment.query, source.columns, source.client_id, clock)
  const activity = segment.include_unsubscribed ? sql`true` : isActive(source)
  return sql`from ${membersTable(source.member_table_id)} as m ${joins}
    where m.client_id = ${source.client_id} and ${activity} and (${condition})`
}

/** Reads a saved segment. Throws `not_found`, also for another tenant's. */
export async function readSegment(
  db: Db,
  scope: TenantScope,
  listId: number,
): Promise<Segment & { list_id: number; name: string }> {
  let query = db
    .selectFrom('list')
    .select(['client_id', 'list_id', 'name', 'member_table_id', 'query', 'include_unsubscribed'])
    .where('list_id', '=', listId)
    .where('deleted_at', 'is', null)
  if (scope.clientIds !== 'all') query = query.where('client_id', 'in', [...scope.clientIds, -1])
  const found = await query.executeTakeFirst()
  if (!found) throw new EmmaError('not_found', fault('campaign.segment_gone'))
  return { ...found, query: ruleQuery.nullable().parse(found.query) }
}

/** Raises the transaction's memory for hash tables of behaviour rules: with the default of 4 MB they spill to disk. */
export const segmentMemory = sql`set local work_mem = '64MB'`
