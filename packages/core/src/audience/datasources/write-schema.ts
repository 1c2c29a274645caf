import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { FieldType } from '@emma/contract/rules.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { dateColumnReference } from '../../campaigns/campaign-references.ts'
import { isDateType } from '../../recurring/recurring.ts'
import { findReferences } from '../../resource/references.ts'
import { tellCaches } from '../../resource/tell-caches.ts'
import { membersTable } from './datasource.ts'
import { maximumLength, postgresTypes } from '../members/member-columns.ts'
import { planSchema, type SchemaPlan } from './schema-plan.ts'
import { fault } from '@emma/contract/faults.ts'

interface Target {
  client_id: number
  member_table_id: number
  columns: readonly MemberColumn[]
}

/**
 * Applies a schema to the columns of a datasource and its members table; call it in a transaction. A type changes only
 * when every value converts, and a column with values is removed only when `removed` names it.
 *
 * @throws EmmaError `invalid` with the column and an example of a value that does not convert, or (as
 * `removed_columns.{name}`) with the number of values that would be lost; `in_use` with the segments that use a removed
 * column, or the recurring campaigns whose date it is; `conflict` while an import writes the datasource
 */
export async function writeSchema(
  tx: Db,
  target: Target,
  requested: readonly MemberColumn[],
  removed: readonly string[],
): Promise<void> {
  const plan = planSchema(target.columns, requested)
  await refuseUsedColumns(tx, target, plan.removed)
  await refuseTriggerColumns(tx, target, plan)
  await lockTable(tx, target, plan)
  await refuseLoss(
    tx,
    target,
    plan.removed.filter(column => !removed.includes(column.column_name)),
  )
  for (const column of plan.removed) await removeColumn(tx, target, column)
  for (const { column } of plan.added) await addColumn(tx, target, column)
  for (const { before, after, index } of plan.kept) await changeColumn(tx, target, before, after, index)
  await tellCaches(tx)
}

async function refuseUsedColumns(tx: Db, target: Target, removed: readonly MemberColumn[]): Promise<void> {
  for (const { column_name } of removed) {
    const path = `$.**.field ? (@ == ${JSON.stringify(column_name)})`
    const segments = await tx
      .selectFrom('list')
      .select('name')
      .where('client_id', '=', target.client_id)
      .where('member_table_id', '=', target.member_table_id)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`query @? ${path}::jsonpath`)
      .limit(5)
      .execute()
    if (segments.length === 0) continue
    const names = segments.map(segment => `"${segment.name}"`).join(', ')
    throw new EmmaError('in_use', fault('refusal.column_in_use', { column: column_name, names }))
  }
}

/** Rejects the removal of a date that recurring campaigns follow, and its change to another type. */
async function refuseTriggerColumns(tx: Db, target: Target, { removed, kept }: SchemaPlan): Promise<void> {
  const retyped = kept.filter(({ after }) => !isDateType(after.data_type)).map(({ before }) => before)
  const key = { clientId: target.client_id, id: target.member_table_id }
  for (const { column_name: column } of [...removed, ...retyped].filter(each => isDateType(each.data_type))) {
    const users = await findReferences(tx, [dateColumnReference(column)], key)
    if (users.length === 0) continue
    const names = users.map(user => `"${user.name}"`).join(', ')
    throw new EmmaError('in_use', fault('refusal.column_in_use_by_recurring', { column, names }))
  }
}

/** Rejects the removal of columns with values without confirmation. */
async function refuseLoss(tx: Db, target: Target, unconfirmed: readonly MemberColumn[]): Promise<void> {
  if (unconfirmed.length === 0) return
  const counts = unconfirmed.map(({ column_name: name }) => sql`count(${sql.id(name)}) as ${sql.id(name)}`)
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(counts)} from ${membersTable(target.member_table_id)}`.execute(tx)
  const losses = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0)
  if (losses.length === 0) return
  throw invalid(
    losses.map(([name, count]) => fieldError(`removed_columns.${name}`, 'field.values_lost', { count })),
  )
}

/** Fails after 5 s when an import has locked the table, instead of making all later queries wait. */
async function lockTable(tx: Db, target: Target, plan: SchemaPlan): Promise<void> {
  const isAltered =
    plan.added.length > 0 ||
    plan.removed.length > 0 ||
    plan.kept.some(({ before, after }) => before.data_type !== after.data_type)
  if (!isAltered) return
  await sql`set local lock_timeout = '5s'`.execute(tx)
  try {
    await sql`lock table ${membersTable(target.member_table_id)} in access exclusive mode`.execute(tx)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '55P03')
      throw new EmmaError('conflict', fault('refusal.datasource_busy'))
    throw error
  }
}

async function removeColumn(tx: Db, target: Target, { column_name }: MemberColumn): Promise<void> {
  await sql`alter table ${membersTable(target.member_table_id)} drop column ${sql.id(column_name)}`.execute(
    tx,
  )
  await tx
    .deleteFrom('member_table_column')
    .where('client_id', '=', target.client_id)
    .where('member_table_id', '=', target.member_table_id)
    .where('column_name', '=', column_name)
    .execute()
}

async function addColumn(tx: Db, target: Target, column: MemberColumn): Promise<void> {
  const type = sql.raw(postgresTypes[column.data_type])
  await sql`alter table ${membersTable(target.member_table_id)}
    add column ${sql.id(column.column_name)} ${type}`.execute(tx)
  await insertColumns(tx, target, [{ ...column, is_fixed: false, is_key: false }])
}

/** Inserts the column records; the caller alters the table. */
export async function insertColumns(
  tx: Db,
  target: Pick<Target, 'client_id' | 'member_table_id'>,
  columns: readonly MemberColumn[],
): Promise<void> {
  await tx
    .insertInto('member_table_column')
    .values(
      columns.map(({ schema_id: _made, options, topic, ...column }) => ({
        ...column,
        options: JSON.stringify(options),
        topic: topicOf(column, topic),
        client_id: target.client_id,
        member_table_id: target.member_table_id,
      })),
    )
    .execute()
}

/** JSON of the topic's names; null for a column of another type. */
function topicOf(
  { data_type }: Pick<MemberColumn, 'data_type'>,
  topic: MemberColumn['topic'],
): string | null {
  return topic && data_type === 'bool' ? JSON.stringify(topic) : null
}

async function changeColumn(
  tx: Db,
  target: Target,
  before: MemberColumn,
  after: MemberColumn,
  index: number,
): Promise<void> {
  if (!before.is_fixed) await convertColumn(tx, target, before, after, index)
  await tx
    .updateTable('member_table_column')
    .set({
      label: after.label,
      data_type: after.data_type,
      length: after.length,
      options: JSON.stringify(after.options),
      nullable: after.nullable,
      is_filterable: after.is_filterable,
      is_pii: after.is_pii,
      topic: topicOf(after, after.topic),
      position: after.position,
    })
    .where('client_id', '=', target.client_id)
    .where('member_table_id', '=', target.member_table_id)
    .where('column_name', '=', before.column_name)
    .execute()
}

async function convertColumn(
  tx: Db,
  target: Target,
  before: MemberColumn,
  after: MemberColumn,
  index: number,
): Promise<void> {
  const table = membersTable(target.member_table_id)
  const column = sql.id(before.column_name)
  const misfit = await findMisfit(tx, table, column, before, after)
  if (misfit !== null)
    throw invalid([
      fieldError(`emmamembertableschema.${index}.data_type`, 'field.column_unfit', {
        column: before.column_name,
        type: describe(after),
        value: misfit.slice(0, 100),
      }),
    ])
  if (postgresTypes[before.data_type] === postgresTypes[after.data_type]) return
  const type = sql.raw(postgresTypes[after.data_type])
  await sql`alter table ${table} alter column ${column} type ${type}
    using (${asText(column, before.data_type)})::${type}`.execute(tx)
}

/** A value that cannot be converted to the new type, as text; null when all can. */
async function findMisfit(
  tx: Db,
  table: RawBuilder<unknown>,
  column: RawBuilder<unknown>,
  before: MemberColumn,
  after: MemberColumn,
): Promise<string | null> {
  const fits = fitsKind(column, before, after)
  if (fits === null) return null
  const found = await sql<{ value: string }>`
    select ${asText(column, before.data_type)} as value from ${table}
    where ${column} is not null and not (${fits}) limit 1`.execute(tx)
  return found.rows[0]?.value ?? null
}

function fitsKind(
  column: RawBuilder<unknown>,
  before: MemberColumn,
  after: MemberColumn,
): RawBuilder<unknown> | null {
  const value = asText(column, before.data_type)
  switch (after.data_type) {
    case 'enum':
      return sql`${value} = any(${after.options}::text[])`
    case 'email':
      return before.data_type === 'email'
        ? null
        : sql`${value} ~ '^[^[:space:]@]{1,64}@[^[:space:]@]+[.][^[:space:]@]+$'`
    case 'string':
    case 'text':
      return sql`char_length(${value}) <= ${maximumLength(after)}::int`
    case 'date':
      if (before.data_type === 'datetime') return sql`${column} = date_trunc('day', ${column})`
      break
    default:
  }
  if (before.data_type === after.data_type) return null
  return sql`converts_to(${value}, ${postgresTypes[after.data_type]})`
}

/** `1.0` as `1`, so that whole decimals convert to integers. */
function asText(column: RawBuilder<unknown>, type: FieldType): RawBuilder<unknown> {
  return type === 'decimal' ? sql`trim_scale(${column})::text` : sql`${column}::text`
}

const kinds: Record<FieldType, string> = {
  string: 'a text',
  text: 'a long text',
  email: 'an email address',
  int: 'a whole number',
  decimal: 'a number',
  bool: 'yes or no',
  date: 'a date',
  datetime: 'a time',
  enum: 'a choice',
}

function describe(column: MemberColumn): string {
  const { data_type: type } = column
  if (type === 'string' || type === 'text')
    return `${kinds[type]} of at most ${maximumLength(column)} characters`
  if (type === 'enum') return `one of ${column.options.slice(0, 10).join(', ')}`
  return kinds[type]
}
