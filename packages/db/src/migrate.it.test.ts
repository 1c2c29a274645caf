import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, readMigrationState } from './migrate.ts'
import { createTestDatabase, type TestDatabase } from './test/database.ts'

let database: TestDatabase
let directory: string
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'emma-migrations-'))
  database = await createTestDatabase()
  // Another history than EMMA's own, in its own schema.
  await database.pool.query('create schema other')
  const url = new URL(database.url)
  url.searchParams.set('options', '-c search_path=other')
  database.url = url.href
})
afterEach(async () => {
  await database.drop()
  rmSync(directory, { recursive: true })
})

test('two programs at once: each migration is applied once', async () => {
  write('0001-first.sql', 'create table first (id int); select pg_sleep(0.2);')
  write('0002-second.sql', 'create table second (id int);')
  const applied = await Promise.all([apply(), apply(), apply()])
  expect(applied.flat().toSorted()).toEqual(['0001-first.sql', '0002-second.sql'])
})

test('a later start applies only new migrations', async () => {
  write('0001-first.sql', 'create table first (id int)')
  await apply()
  write('0002-second.sql', 'alter table first add name text')
  expect(await readMigrationState(database.url, directory)).toEqual({
    applied: ['0001-first.sql'],
    pending: ['0002-second.sql'],
  })
  expect(await apply()).toEqual(['0002-second.sql'])
})

test('a failed migration is rolled back, and earlier ones stay', async () => {
  write('0001-first.sql', 'create table first (id int)')
  write('0002-broken.sql', 'create table half (id int);\ncreate table half (id int);')
  await expect(apply()).rejects.toThrow(
    '0002-broken.sql failed and was rolled back: relation "half" already exists',
  )
  expect(await tables()).toEqual(['first', 'schema_migration'])
  write('0002-broken.sql', 'create table half (id int)')
  expect(await apply()).toEqual(['0002-broken.sql'])
})

test('an SQL error is reported with its line', async () => {
  write('0001-first.sql', 'create table first (id int);\n\nselect nonsense from first;')
  await expect(apply()).rejects.toThrow('column "nonsense" does not exist (line 3)')
})

test('an applied file that was changed is rejected; different line ends are no change', async () => {
  write('0001-first.sql', 'create table first (\nid int)')
  await apply()
  write('0001-first.sql', 'create table first (\r\nid int)')
  expect(await apply()).toEqual([])
  write('0001-first.sql', 'create table first (\nid bigint)')
  await expect(apply()).rejects.toThrow('0001-first.sql was changed after it had been applied')
})

test('a database of a newer program is rejected', async () => {
  write('0001-first.sql', 'select 1')
  write('0002-second.sql', 'select 1')
  await apply()
  rmSync(join(directory, '0002-second.sql'))
  await expect(apply()).rejects.toThrow('0002-second.sql, which this program does not know')
})

test('a new file numbered before an applied one is rejected', async () => {
  write('0002-second.sql', 'select 1')
  await apply()
  write('0001-first.sql', 'select 1')
  await expect(apply()).rejects.toThrow('Give it a higher number')
})

test.each([
  [['0001-first.sql', '0001-again.sql'], 'have the same number'],
  [['first.sql'], 'must be named like'],
])('the files %j are rejected', async (names, complaint) => {
  for (const name of names) write(name, 'select 1')
  await expect(apply()).rejects.toThrow(complaint)
})

function apply(): Promise<string[]> {
  return migrate(database.url, { directory })
}

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

async function tables(): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select table_name from information_schema.tables where table_schema = 'other' order by table_name`,
  )
  return rows.map(row => row.table_name)
}
