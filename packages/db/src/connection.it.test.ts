import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from './connection.ts'
import { executePrepared } from './execute-prepared.ts'
import { createTestDatabase, type TestDatabase } from './test/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('values have the types of JSON', async () => {
  const { rows } = await database.pool.query(`select
    9007199254740991::int8 as whole, '{1,null,3}'::int8[] as wholes, 12.50::numeric as money, '{1.5}'::numeric[] as rates,
    '2026-02-01'::date as day, '{2026-02-01,null}'::date[] as days,
    '2026-02-01 10:00:00.123456+02'::timestamptz as moment, '{2026-02-01 10:00+00}'::timestamptz[] as moments,
    '2026-02-01 10:00:00.5+00'::timestamptz as fraction, '12026-02-01 10:00+00'::timestamptz as later,
    'infinity'::timestamptz as never`)
  expect(rows[0]).toEqual({
    whole: 9007199254740991,
    wholes: [1, null, 3],
    money: 12.5,
    rates: [1.5],
    day: '2026-02-01',
    days: ['2026-02-01', null],
    moment: '2026-02-01T08:00:00.123Z',
    moments: ['2026-02-01T10:00:00.000Z'],
    fraction: '2026-02-01T10:00:00.500Z',
    later: '+012026-02-01T10:00:00.000Z',
    never: 'infinity',
  })
})

test('the session counts days in UTC', async () => {
  const { rows } = await database.pool.query(`select current_setting('TimeZone') as zone`)
  expect(rows).toEqual([{ zone: 'UTC' }])
})

test('a nested transaction joins the outer one and is rolled back with it', async () => {
  await database.pool.query('create table thing (name text)')
  const attempt = transaction(database.db, async outer => {
    await transaction(outer, inner => sql`insert into thing values ('joined')`.execute(inner))
    throw new Error('no')
  })
  await expect(attempt).rejects.toThrow('no')
  const { rowCount } = await database.pool.query('select from thing')
  expect(rowCount).toBe(0)
})

test('the pool survives a connection killed by the server, idle or in use', async () => {
  const client = await database.pool.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
  await expect(client.query('select 1')).rejects.toThrow(/terminat|not queryable|ECONNRESET|EPIPE/i)
  client.release(true)
  const again = await database.pool.query('select 1 as one')
  expect(again.rows).toEqual([{ one: 1 }])
})

test('a statement of every request is prepared once a connection', async () => {
  const { db } = database
  const prepared = await db.connection().execute(async connection => {
    for (const value of [1, 2])
      expect(
        await executePrepared(
          connection,
          sql<{ value: number }>`select ${value}::int as value`.compile(connection),
        ),
      ).toEqual([{ value }])
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
      connection,
    )
    return rows
  })
  expect(prepared).toEqual([{ statement: 'select $1::int as value' }])
})
