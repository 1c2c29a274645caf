import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listRows } from './list-rows.ts'
import { createTestDatabase, type TestDatabase } from './test/database.ts'

const ROWS = 10_500
const CALLS = 8

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table numbers as select n as id from generate_series(1, ${ROWS}::int) as n`.execute(
    database.db,
  )
})
afterAll(() => database.drop())

test('calls at the same time share the count of a long list', async () => {
  const { db } = database
  // A call that waits for its connection would find a finished count.
  await Promise.all(Array.from({ length: CALLS }, () => sql`select pg_sleep(0.2)`.execute(db)))
  const statements = vi.spyOn(db, 'executeQuery')
  const lists = await Promise.all(
    Array.from({ length: CALLS }, () =>
      listRows(db, {
        from: sql`numbers as r`,
        columns: ['id'],
        where: [sql`r.id > 0`],
        sort: null,
        key: 'id',
        limit: 2,
        offset: 0,
      }),
    ),
  )
  const texts = statements.mock.calls.map(([statement]) => ('sql' in statement ? statement.sql : ''))
  statements.mockRestore()
  expect(lists).toEqual(Array(CALLS).fill({ rows: [{ id: ROWS }, { id: ROWS - 1 }], total: ROWS }))
  expect(texts.filter(text => text.startsWith('select count(*) as total from numbers'))).toHaveLength(1)
})
