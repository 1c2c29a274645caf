import { expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { readMigrated } from './empty-database.ts'
import { execute } from './on-server.ts'

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1)

/** The next one is the database that was dropped last, if it can be used again. */
async function reuse(database: TestDatabase): Promise<TestDatabase> {
  await database.drop()
  return createTestDatabase()
}

test('a database that is used again is as after its migrations, under another name', async () => {
  const first = await createTestDatabase()
  const oid = await oidOf(first)
  const migrated = await readMigrated(first.url)
  await execute(
    first.url,
    `insert into client (name) values ('Own'), ('Other');
    delete from scd_rule;
    update guided_tour set name = 'Changed';
    create table members.t1 (id bigint generated always as identity, client_id bigint);
    insert into members.t1 (client_id) select generate_series(1, 1000)`,
  )
  const second = await reuse(first)
  expect(await oidOf(second)).toBe(oid)
  expect(nameOf(second)).not.toBe(nameOf(first))
  await expect(execute(first.url, 'select 1')).rejects.toThrow('does not exist')
  expect(await readMigrated(second.url)).toEqual(migrated)
  const { rows } = await execute(second.url, `insert into client (name) values ('Own') returning client_id`)
  expect(rows).toEqual([{ client_id: '1' }])
  await second.drop()
})

test.each([
  'alter table client add column extra text',
  'create function extra() returns int language sql return 1',
  'create schema extra',
  'alter table app_user disable trigger user',
  'create index extra on client (name)',
])('a database with another schema is not used again: %s', async change => {
  const first = await createTestDatabase()
  const oid = await oidOf(first)
  await execute(first.url, change)
  const second = await reuse(first)
  expect(await oidOf(second)).not.toBe(oid)
  await second.drop()
})

test('a database that was emptied refuses connections under its old name, also from a test that keeps connecting', async () => {
  const first = await createTestDatabase()
  let isOver = false
  const connecting = (async () => {
    while (!isOver) await execute(first.url, 'select pg_sleep(0.2)').catch(() => {})
  })()
  const second = await reuse(first)
  isOver = true
  await connecting
  await expect(execute(first.url, 'select 1')).rejects.toThrow('does not exist')
  await second.drop()
})

/** A renamed database keeps it. */
async function oidOf({ url }: TestDatabase): Promise<number> {
  const { rows } = await execute(url, 'select oid from pg_database where datname = current_database()')
  return Number(rows[0]?.oid)
}
