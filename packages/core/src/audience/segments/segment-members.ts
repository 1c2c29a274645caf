import { fault } from '@emma/contract/faults.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type RuleGroup, ruleQuery } from '@emma/contract/rules.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { isActive } from '../eligibility.ts'
import { compileSegment } from './compile-segment.ts'

/** A segment as far as its members follow from it. */
export interface Segment {
  client_id: number
  member_table_id: number
  query: RuleGroup | null
  include_unsubscribed: boolean
}

/**
 * The members of a segment as a SELECT of `member_id, email`, to stand as a sub-select or behind INSERT INTO. Active
 * members only (see isActive), or, with `include_unsubscribed`, all that the rules match. `at`: the instant that "today"
 * and "the last n days" of the rules refer to, on the client's clock; without it, the time of the statement. `columns`
 * names further columns of the datasource to be selected.
 *
 * Behaviour rules join and hash: give the statement room with `set local work_mem` (see segmentMemory).
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

/** `from members.t1 as m … where …` of a segment, for statements that select for themselves. */
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

/** Memory for the hash tables of behaviour rules, for the transaction: with the default of 4 MB they spill to disk. */
export const segmentMemory = sql`set local work_mem = '64MB'`
