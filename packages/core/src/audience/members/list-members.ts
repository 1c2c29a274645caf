import { hash } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import { columnFilters } from '@emma/contract/column-filters.ts'
import type { Filter } from '@emma/contract/define-resource.ts'
import type { ListQuery } from '@emma/contract/list-query.ts'
import { member, type MemberRecord, type StoredMember } from '@emma/contract/resources/member.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern, listRows } from '@emma/db/list-rows.ts'
import { addressKey, parseAddress } from '@emma/mail/address.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'
import type { Page } from '../../resource/operations.ts'
import { timeBound } from '../../resource/time-bound.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { isActive, memberFacts } from '../eligibility.ts'
import { fromSegment, readSegment, segmentMemory } from '../segments/segment-members.ts'

/**
 * One page of a datasource's members. Sorts by any column; searches the address and the first five string columns
 * (names, cities).
 */
export async function listMembers(db: Db, source: Datasource, query: ListQuery): Promise<Page<MemberRecord>> {
  const conditions = [sql`m.client_id = ${source.client_id}`, ...narrow(source, query)]
  return readPage(
    db,
    source,
    query,
    sql`from ${membersTable(source.member_table_id)} as m
    where ${sql.join(conditions, sql` and `)}`,
  )
}

/** A page of the members of a saved segment (R205). */
export async function previewSegment(
  db: Db,
  scope: TenantScope,
  listId: number,
  query: ListQuery,
): Promise<Page<MemberRecord>> {
  return transaction(db, async tx => {
    const segment = await readSegment(tx, scope, listId)
    return previewRules(tx, { clientIds: [segment.client_id] }, segment, query)
  })
}

/** A page of the members that rules match, saved or not. */
export async function previewRules(
  db: Db,
  scope: TenantScope,
  segment: { member_table_id: number; query: RuleGroup | null; include_unsubscribed: boolean },
  query: ListQuery,
): Promise<Page<MemberRecord>> {
  return transaction(db, async tx => {
    const source = await readDatasource(tx, scope, segment.member_table_id)
    await segmentMemory.execute(tx)
    const narrowed = narrow(source, query)
    const more = narrowed.length > 0 ? sql` and ${sql.join(narrowed, sql` and `)}` : sql``
    return readPage(tx, source, query, sql`${fromSegment(source, segment)}${more}`)
  })
}

/** One member. Throws EmmaError `not_found`. */
export async function findMember(db: Db, source: Datasource, memberId: number): Promise<MemberRecord> {
  const found = await sql<StoredMember>`
    select ${sql.join(recordColumns(source))} from ${membersTable(source.member_table_id)} as m
    where m.client_id = ${source.client_id} and m.member_id = ${memberId}`.execute(db)
  const row = found.rows[0]
  if (!row) throw new EmmaError('not_found')
  return withHash(row)
}

async function readPage(
  db: Db,
  source: Datasource,
  query: ListQuery,
  from: RawBuilder<unknown>,
): Promise<Page<MemberRecord>> {
  const { rows, total } = await listRows<StoredMember>(db, {
    from: sql`(select ${sql.join(recordColumns(source))} ${from}) as r`,
    columns: recordNames(source),
    where: [],
    sort: query.sort,
    sortBy: query.sort ? indexedSorts[query.sort.field] : undefined,
    key: 'member_id',
    distinct: query.distinct,
    limit: query.limit,
    offset: query.offset,
  })
  return { data: rows.map(withHash), included: [], total }
}

/** Sort expressions that match an index of the datasource (index_member_table of the migrations). */
const indexedSorts: Partial<Record<string, RawBuilder<unknown>>> = {
  email: sql`lower(r.email)`,
  datejoin: sql`r.datejoin`,
}

/** Adds the SHA-256 of the lower-case address, as used in hashed suppression lists. */
function withHash(row: StoredMember): MemberRecord {
  return { ...row, email_hash: hash('sha256', addressKey(row.email)) }
}

function recordNames(source: Datasource): string[] {
  return [
    ...'client_id member_table_id member_id active doi_ip revision'.split(' '),
    ...source.columns.map(column => column.column_name),
  ]
}

function recordColumns(source: Datasource): RawBuilder<unknown>[] {
  return [
    sql`m.client_id, ${source.member_table_id}::bigint as member_table_id, m.member_id, m.doi_ip, m.revision`,
    sql`(${isActive(source)}) as active`,
    // Column names are validated when they are created; one raw string compiles faster than a node for each column.
    sql.raw(source.columns.map(column => `m."${column.column_name}"`).join(', ')),
  ]
}

/** Filters of the contract (R170) and search, as conditions over alias m. */
function narrow(source: Datasource, { filters, search }: ListQuery): RawBuilder<unknown>[] {
  const ofColumns = columnFilters(source.columns)
  const conditions = Object.entries(filters).map(([name, values]): RawBuilder<unknown> => {
    if (name === 'member_id') return sql`m.member_id = any(${values}::bigint[])`
    if (name === 'email')
      return sql`(${sql.join(
        values.map(value => matchEmail(String(value))),
        sql` or `,
      )})`
    if (name === 'onlyactive')
      return values.at(-1) === true ? isActive(source) : sql`not (${isActive(source)})`
    if (name === 'include_unsubscribed')
      return values.at(-1) === true ? sql`true` : sql`not (${memberFacts.unsubscribed})`
    const ofColumn = Object.hasOwn(ofColumns, name) ? ofColumns[name] : undefined
    if (ofColumn) return matchColumn(source, ofColumn, values)
    const filter = isFilter(name) ? member.filters[name] : null
    if (!filter?.column) return sql`true`
    const side = filter.operator === 'after' ? 'after' : 'before'
    return timeBound(sql.ref(`m.${filter.column}`), side, values[0], sql`${source.timezone}::text`)
  })
  if (search === null) return conditions
  // No name or city is a complete address, so the index can be used.
  if (parseAddress(search).ok) return [...conditions, matchEmail(search)]
  const pattern = likePattern(search)
  const texts = source.columns
    .filter(column => column.data_type === 'string' && !column.is_fixed)
    .slice(0, 5)
    .map(column => sql`${sql.ref(`m.${column.column_name}`)} ilike ${pattern}`)
  return [...conditions, sql`(${sql.join([sql`m.email ilike ${pattern}`, ...texts], sql` or `)})`]
}

function isFilter(name: string): name is keyof typeof member.filters {
  return Object.hasOwn(member.filters, name)
}

/** Filter on a column of the datasource; the column's name comes from the schema. */
function matchColumn(source: Datasource, filter: Filter, values: unknown[]): RawBuilder<unknown> {
  const { operator } = filter
  const column = sql.ref(`m.${filter.column ?? ''}`)
  if (operator === 'contains')
    return sql`(${sql.join(
      values.map(value => sql`${column} ilike ${likePattern(String(value))}`),
      sql` or `,
    )})`
  if (operator !== 'after' && operator !== 'before') return sql`${column} in (${sql.join(values)})`
  const isDay = source.columns.some(
    ({ column_name, data_type }) => column_name === filter.column && data_type === 'date',
  )
  if (!isDay) return timeBound(column, operator, values[0], sql`${source.timezone}::text`)
  return sql`${column} ${sql.raw(operator === 'after' ? '>=' : '<=')} ${values[0]}::date`
}

/** Looks up a complete address by the key; searches for a part of one. */
function matchEmail(text: string): RawBuilder<unknown> {
  const parsed = parseAddress(text)
  return parsed.ok
    ? sql`lower(m.email) = ${addressKey(parsed.email)}`
    : sql`m.email ilike ${likePattern(text)}`
}
