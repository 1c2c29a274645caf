import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { createPool } from '@emma/db/connection.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabaseError } from './database-error.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query(`
    insert into client (client_id, name) values (1, 'Shop');
    insert into mailclass (client_id, name) values (1, 'bulk');
    insert into role (name) values ('Editor');
    insert into app_user (username, email) values ('ann', 'ann@example.test');
    insert into placeholder (client_id, name, token) values (1, 'A', 'a, b) already (x)');
    insert into member_table (client_id, member_table_id, name) values (1, 1, 'Customers');
    insert into list (client_id, member_table_id, name) values (1, 1, 'All')`)
})
afterAll(() => database.drop())

async function failureOf(statement: string, values: unknown[] = []) {
  const error: unknown = await database.pool.query(statement, values).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return describeDatabaseError(error)
}

test.each([
  ['one column', `insert into role (name) values ('Editor')`, 'Key (name)=(Editor) already exists.', 'name'],
  [
    'after client_id',
    `insert into mailclass (client_id, name) values (1, 'BULK')`,
    'Key (name)=(bulk) already exists.',
    'name',
  ],
  [
    'ignoring case',
    `insert into app_user (username, email) values ('ANN', 'x@y.test')`,
    'Key (username)=(ann) already exists.',
    'username',
  ],
  [
    'with special characters',
    `insert into placeholder (client_id, name, token) values (1, 'A', 'a, b) already (x)')`,
    'Key (token)=(a, b) already (x)) already exists.',
    'token',
  ],
])('a unique violation names the value: %s', async (_what, statement, words, field) => {
  expect(await failureOf(statement)).toMatchObject({
    code: 'unique_violation',
    status: 409,
    message: `SQLSTATE[23505]: Unique violation: ${words}`,
    fields: [{ field, message: 'exists already' }],
  })
})

test('an unknown key is an error of its field, a key still in use one of the record', async () => {
  expect(
    await failureOf(`insert into list (client_id, member_table_id, name) values (1, 99, 'x')`),
  ).toMatchObject({
    code: 'invalid',
    fields: [{ field: 'member_table_id', message: 'does not exist' }],
  })
  expect(await failureOf(`insert into mailclass (client_id, name) values (99, 'x')`)).toMatchObject({
    fields: [{ field: 'client_id' }],
  })
  expect(await failureOf(`delete from member_table`)).toMatchObject({ code: 'in_use', status: 409 })
})

test.each([
  ['a check', `insert into mailclass (client_id, name, throttle) values (1, 'x', -1)`],
  ['a number out of range', `insert into mailclass (client_id, name, throttle) values (1, 'x', 99999999999)`],
  ['no number', `select 'x'::int`],
  ['no time', `select '2026-02-30'::date`],
  ['a time out of range', `select '99999999-01-01'::timestamptz`],
  ['an offset out of range', `select '2026-01-01 00:00+23:59'::timestamptz`],
  ['broken JSON text', `select '"\\u0000"'::jsonb ->> 0`],
])('a value that no column accepts is invalid, and no SQL is exposed: %s', async (_what, statement) => {
  const described = await failureOf(statement)
  expect(described).toMatchObject({ code: 'invalid', message: 'Invalid input' })
})

test('a NUL is invalid', async () => {
  expect(await failureOf('select $1::text', ['a\u0000b'])).toMatchObject({ code: 'invalid' })
})

test('a lost connection is reported as database_down', async () => {
  expect(await failureOf('select pg_terminate_backend(pg_backend_pid())')).toMatchObject({
    code: 'database_down',
    status: 503,
  })
  const nowhere = createPool('postgres://nobody:secret@127.0.0.1:1/none')
  const error: unknown = await nowhere.query('select 1').catch((thrown: unknown) => thrown)
  await nowhere.end()
  expect(describeDatabaseError(error)).toMatchObject({ code: 'database_down' })
})

test('programming errors are not mapped', async () => {
  expect(await failureOf('select nonsense from nowhere')).toBeNull()
  expect(await failureOf('selec')).toBeNull()
  expect(describeDatabaseError(new Error('no'))).toBeNull()
  expect(describeDatabaseError('23505')).toBeNull()
})
