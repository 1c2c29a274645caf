import { fault } from '@emma/contract/faults.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type MemberColumn, memberColumn } from '@emma/contract/resources/membertable.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'

/** A datasource with its columns, fixed ones first, in order. */
export interface Datasource {
  client_id: number
  member_table_id: number
  name: string
  doi_required: boolean
  doi_request_new: boolean
  /** The client's time zone, in which days begin and end. */
  timezone: string
  columns: MemberColumn[]
}

/**
 * Reads a datasource within the scope. Every access to a members table starts here: the names of table and columns come
 * only from this record.
 *
 * @throws EmmaError `not_found`, also for another tenant's
 */
export async function readDatasource(db: Db, scope: TenantScope, memberTableId: number): Promise<Datasource> {
  let query = db
    .selectFrom('member_table as t')
    .innerJoin('client as c', 'c.client_id', 't.client_id')
    .select([
      't.client_id',
      't.member_table_id',
      't.name',
      't.doi_required',
      't.doi_request_new',
      'c.timezone',
    ])
    .where('t.member_table_id', '=', memberTableId)
    .where('t.deleted_at', 'is', null)
  if (scope.clientIds !== 'all') query = query.where('t.client_id', 'in', [...scope.clientIds, -1])
  const found = await query.executeTakeFirst()
  if (!found) throw new EmmaError('not_found', fault('campaign.datasource_gone'))
  const columns = await readColumns(db, [found.member_table_id])
  return { ...found, columns: columns.get(found.member_table_id) ?? [] }
}

/** Columns of several datasources, by member_table_id. */
export async function readColumns(
  db: Db,
  memberTableIds: readonly number[],
): Promise<Map<number, MemberColumn[]>> {
  if (memberTableIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('member_table_column')
    .selectAll()
    .where('member_table_id', 'in', memberTableIds)
    .orderBy('is_fixed', 'desc')
    .orderBy('position')
    .orderBy('schema_id')
    .execute()
  const byTable = Map.groupBy(rows, row => row.member_table_id)
  return new Map([...byTable].map(([id, columns]) => [id, parseColumns(columns)]))
}

/** Cache of parsed columns, 500 at most: they change rarely and are read with every list. */
const parsed = new Map<string, MemberColumn[]>()

function parseColumns(rows: readonly object[]): MemberColumn[] {
  const text = JSON.stringify(rows)
  const known = parsed.get(text)
  if (known) return known
  const columns = rows.map(row => memberColumn.parse(row))
  if (parsed.size >= 500) parsed.clear()
  parsed.set(text, columns)
  return columns
}

/** Table of a datasource's members. */
export function membersTable(memberTableId: number): RawBuilder<unknown> {
  return sql.id('members', `t${memberTableId}`)
}
