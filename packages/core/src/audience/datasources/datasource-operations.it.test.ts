import { EmmaError } from '@emma/contract/errors.ts'
import { type MemberColumn, membertable } from '@emma/contract/resources/membertable.ts'
import type { FieldType } from '@emma/contract/rules.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { membersTable, readDatasource } from './datasource.ts'
import { membertableOperations } from './datasource-operations.ts'
import { refreshMemberTableStats } from './datasource-stats.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'

let audience: TestAudience
beforeAll(async () => {
  audience = await createTestAudience()
})
afterAll(() => audience.database.drop())

/** Parses the schema as a request would: the contract fills in defaults and rejects invalid columns. */
async function write(id: number, schema: unknown, scope = audience.scope): Promise<unknown> {
  const { database, actor } = audience
  const emmamembertableschema = membertable.fields.emmamembertableschema.parse(schema)
  return membertableOperations.patch(
    database.db,
    actor,
    scope,
    id,
    { emmamembertableschema },
    { revision: null },
  )
}

async function columnsOf(id: number): Promise<MemberColumn[]> {
  return (await readDatasource(audience.database.db, audience.scope, id)).columns
}

async function add(id: number, values: Record<string, unknown>): Promise<void> {
  const names = Object.keys(values)
  await sql`insert into ${membersTable(id)} (client_id, ${sql.join(names.map(name => sql.id(name)))})
    values (${audience.clientId}, ${sql.join(names.map(name => values[name]))})`.execute(audience.database.db)
}

test('a new datasource has the fixed columns, its own, and a real table', async () => {
  const id = await createTestDatasource(audience, [{ column_name: 'city', data_type: 'string' }], 'New one')
  const names = (await columnsOf(id)).map(column => column.column_name)
  expect(names[0]).toBe('email')
  expect(names).toContain('dateunjoin')
  expect(names.at(-1)).toBe('city')
  await add(id, { email: 'a@example.com', city: 'Köln' })
  await expect(add(id, { email: 'A@EXAMPLE.com' })).rejects.toThrow('duplicate key')
})

test('writing the whole schema adds, relabels and drops columns', async () => {
  const id = await createTestDatasource(
    audience,
    [
      { column_name: 'city', data_type: 'string' },
      { column_name: 'age', data_type: 'int' },
    ],
    'Whole',
  )
  const columns = await columnsOf(id)
  const kept = columns.filter(column => column.column_name !== 'age')
  const renamed = kept.map(column => (column.column_name === 'city' ? { ...column, label: 'Town' } : column))
  await write(id, [...renamed, { column_name: 'vip', label: 'VIP', data_type: 'bool' }])
  const after = await columnsOf(id)
  expect(after.filter(column => !column.is_fixed).map(column => [column.column_name, column.label])).toEqual([
    ['city', 'Town'],
    ['vip', 'VIP'],
  ])
  await add(id, { email: 'a@example.com', vip: true })
})

test('a column with values is removed only after confirmation; the error names the number of values', async () => {
  const { database, actor, scope } = audience
  const schema = ['note', 'town', 'empty'].map(column_name => ({ column_name, data_type: 'string' as const }))
  const id = await createTestDatasource(audience, schema, 'Loss')
  await add(id, { email: 'a@example.com', note: 'one', town: 'Bonn' })
  await add(id, { email: 'b@example.com', note: 'two' })
  const own = async () =>
    (await columnsOf(id)).filter(column => !column.is_fixed).map(column => column.column_name)
  const remove = (removed_columns?: string[]) => {
    const input = { emmamembertableschema: [], ...(removed_columns ? { removed_columns } : {}) }
    return membertableOperations.patch(database.db, actor, scope, id, input, { revision: null })
  }
  await expect(remove(['note'])).rejects.toMatchObject({
    code: 'invalid',
    fields: [{ field: 'removed_columns.town', message: expect.stringMatching(/^1 values would be lost/) }],
  })
  await expect(remove()).rejects.toMatchObject({
    fields: [{ field: 'removed_columns.note', message: expect.stringMatching(/^2 values/) }, {}],
  })
  expect(await own()).toEqual(['note', 'town', 'empty'])
  expect(await remove(['note', 'town'])).not.toHaveProperty('removed_columns')
  expect(await own()).toEqual([])
})

test('fixed columns that the schema omits stay', async () => {
  const id = await createTestDatasource(audience, [], 'Left out')
  await write(id, [])
  expect((await columnsOf(id)).map(column => column.column_name)).toContain('email')
})

test('a type changes only when all values convert; the error names a value that does not', async () => {
  const id = await createTestDatasource(audience, [{ column_name: 'number', data_type: 'string' }], 'Types')
  await add(id, { email: 'a@example.com', number: '12' })
  await add(id, { email: 'b@example.com', number: 'twelve' })
  const change = [{ column_name: 'number', label: 'Number', data_type: 'int' }]
  await expect(write(id, change)).rejects.toThrow(
    'emmamembertableschema.0.data_type: "number" cannot become a whole number: a subscriber has "twelve"',
  )
  expect((await columnsOf(id)).at(-1)).toMatchObject({ data_type: 'string' })
  await sql`update ${membersTable(id)} set number = null where number = 'twelve'`.execute(
    audience.database.db,
  )
  await write(id, change)
  const kept = await sql`select number from ${membersTable(id)} where number = 12::bigint`.execute(
    audience.database.db,
  )
  expect(kept.rows).toHaveLength(1)
})

test.for<[FieldType, string, FieldType, string]>([
  ['datetime', '2026-05-01T10:00:00Z', 'date', '2026-05-01 10:00:00+00'],
  ['decimal', '1.5', 'int', '1.5'],
  ['string', 'gold', 'enum', 'gold'],
  ['string', 'today', 'date', 'today'],
])('%s %s does not become %s', async ([from, value, to, shown], { task }) => {
  const id = await createTestDatasource(audience, [{ column_name: 'c', data_type: from }], task.name)
  await add(id, { email: 'a@example.com', c: value })
  await expect(
    write(id, [{ column_name: 'c', label: 'C', data_type: to, options: ['silver'] }]),
  ).rejects.toThrow(`a subscriber has "${shown}"`)
})

test('a shorter length needs all values to fit', async () => {
  const id = await createTestDatasource(audience, [{ column_name: 'city', data_type: 'string' }], 'Length')
  await add(id, { email: 'a@example.com', city: 'Recklinghausen' })
  await expect(
    write(id, [{ column_name: 'city', label: 'City', data_type: 'string', length: 5 }]),
  ).rejects.toThrow('cannot become a text of at most 5 characters: a subscriber has "Recklinghausen"')
})

test('invalid, reserved and duplicate names are rejected', async () => {
  const id = await createTestDatasource(audience, [], 'Names')
  const column = { label: 'L', data_type: 'string' }
  await expect(write(id, [{ ...column, column_name: 'x"; drop table client; --' }])).rejects.toMatchObject({
    issues: [{ path: [0, 'column_name'] }],
  })
  await expect(write(id, [{ ...column, column_name: 'member_id' }])).rejects.toThrow('is taken')
  await expect(
    write(id, [
      { ...column, column_name: 'a' },
      { ...column, column_name: 'a' },
    ]),
  ).rejects.toThrow('emmamembertableschema.1.column_name: "a" is there twice')
})

test('an SQL keyword may be a column name', async () => {
  const id = await createTestDatasource(audience, [{ column_name: 'order', data_type: 'int' }], 'Keyword')
  await write(id, [])
  expect((await columnsOf(id)).every(column => column.is_fixed)).toBe(true)
})

test('a column used by a segment cannot be removed', async () => {
  const id = await createTestDatasource(audience, [{ column_name: 'city', data_type: 'string' }], 'In use')
  const query = { combinator: 'and', rules: [{ field: 'city', operator: 'notNull' }] }
  await audience.database.db
    .insertInto('list')
    .values({
      client_id: audience.clientId,
      member_table_id: id,
      name: 'Towns',
      query: JSON.stringify(query),
    })
    .execute()
  await expect(write(id, [])).rejects.toThrow('The column "city" is used by the segments "Towns"')
})

test('a name is unique within a client', async () => {
  await createTestDatasource(audience, [], 'Once')
  await expect(createTestDatasource(audience, [], 'ONCE')).rejects.toThrow('member_table_name')
})

test('figures are recounted from the members', async () => {
  const id = await createTestDatasource(audience, [], 'Figures')
  await add(id, { email: 'a@example.com' })
  await add(id, { email: 'b@example.com', dateunjoin: '2026-01-01' })
  await add(id, { email: 'c@example.com', hardbounced_at: '2026-01-01' })
  await add(id, { email: 'd@example.com', doi_state: 'pending' })
  await refreshMemberTableStats(audience.database.db, audience.clientId, id)
  const { db, actor, scope } = { ...audience, db: audience.database.db }
  expect(await membertableOperations.find(db, actor, scope, id)).toMatchObject({
    stats_total: 4,
    stats_active: 1,
    stats_unsubscribed: 1,
    stats_hardbounce: 1,
    stats_pending: 1,
  })
})

test('another client cannot read or change a datasource', async () => {
  const id = await createTestDatasource(audience, [], 'Mine')
  const { db } = audience.database
  const { foreign } = audience
  await expect(readDatasource(db, foreign.scope, id)).rejects.toThrow(EmmaError)
  await expect(membertableOperations.find(db, foreign.actor, foreign.scope, id)).rejects.toThrow('Not found')
  await expect(write(id, [], foreign.scope)).rejects.toThrow('Not found')
  await expect(
    membertableOperations.create(db, foreign.actor, audience.clientId, { name: 'Intruder' }),
  ).rejects.toThrow('Not found')
})
