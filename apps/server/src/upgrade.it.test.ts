import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { resources } from '@emma/contract/resource-list.ts'
import { demoClientId } from '@emma/contract/session.ts'
import type { Pool } from '@emma/db/connection.ts'
import { migrate } from '@emma/db/migrate.ts'
import { createEmptyDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './test/app.ts'

const migrations = fileURLToPath(new URL('../../../packages/db/migrations/', import.meta.url))
const releases = fileURLToPath(new URL('test/releases/', import.meta.url))
const released = readdirSync(releases)
  .filter(file => file.endsWith('.sql.gz'))
  .map(file => file.slice(0, 4))

type Row = Record<string, unknown>
type Tables = Map<string, Row[]>

describe.each(released)('a filled database of schema %s, upgraded', number => {
  let database: TestDatabase
  let app: TestApp
  let before: Tables
  let after: Tables

  beforeAll(async () => {
    database = await createEmptyDatabase()
    await migrateUpTo(database.url, number)
    await database.pool.query(gunzipSync(readFileSync(join(releases, `${number}.sql.gz`))).toString())
    before = await readTables(database.pool)
    await migrate(database.url)
    after = await readTables(database.pool)
    app = await startTestApp({}, database)
  })
  afterAll(() => app.close())

  test('had rows in every table', () => {
    expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([])
  })

  test('preserves every row and value', () => {
    for (const [table, rows] of before) {
      const upgraded = after.get(table) ?? []
      const columns = Object.keys(rows[0] ?? {}).filter(column => column in (upgraded[0] ?? {}))
      expect({ table, rows: sorted(upgraded, columns) }).toEqual({ table, rows: sorted(rows, columns) })
    }
  })

  test('generates ids beyond the existing ones', async () => {
    const { rows: generated } = await database.pool.query<{
      table: string
      column: string
      sequence: string
    }>(`
      select c.oid::regclass::text as table, a.attname as column,
        coalesce(pg_get_serial_sequence(c.oid::regclass::text, a.attname),
          substring(pg_get_expr(d.adbin, d.adrelid) from $$nextval\\('(.*?)'$$)) as sequence
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace in ('public'::regnamespace, 'members'::regnamespace)
        and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')`)
    expect(generated.length).toBeGreaterThan(30)
    for (const { table, column, sequence } of generated) {
      const { rows } = await database.pool.query(
        `select nextval($1) > coalesce((select max(${column}) from ${table} where ${column} <> $2), 0) as beyond`,
        [sequence, table === 'client' ? demoClientId : 0],
      )
      expect({ table, column, rows }).toEqual({ table, column, rows: [{ beyond: true }] })
    }
  })

  test('returns the list of every resource', async () => {
    const token = await app.logInSuperadmin()
    for (const { name, paths } of resources) {
      const { status } = await app.call('GET', paths[0].replace('{client_id}', '1'), { token })
      expect({ name, status }).toEqual({ name, status: 200 })
    }
  })

  test('creates, changes and deletes records, and logs it', async () => {
    const { token, userId } = await app.logIn({ clients: [1] })
    const created = await app.call('POST', '/emma/mailclass/', { token, body: { name: 'after_upgrade' } })
    expect(created).toMatchObject({ status: 201 })
    const path = `/emma/mailclass/${Number(created.json.mailclass_id)}`
    expect((await app.call('PATCH', path, { token, body: { description: 'new' } })).status).toBe(200)
    expect((await app.call('DELETE', path, { token })).status).toBe(204)
    const { rows } = await database.pool.query(
      'select action from change_log where user_id = $1 and object_id = $2 order by id',
      [userId, created.json.mailclass_id],
    )
    expect(rows.map(row => row.action)).toEqual(['create', 'update', 'delete'])
  })

  test('accepts members, and pauses the running campaign', async () => {
    const { token } = await app.logIn({ clients: [1] })
    const member = await app.call('POST', '/v2/emma/client/1/membertable/1/member/', {
      token,
      body: { email: 'new@gmail.test', city: 'Wien' },
    })
    expect(member).toMatchObject({ status: 201 })
    const paused = await app.call('POST', '/emma/campaign/1/pause', { token })
    expect(paused).toMatchObject({ status: 200 })
    const { rows } = await database.pool.query(
      `select types from webhook_message where client_id = 1 and 'campaign.paused' = any (types)`,
    )
    expect(rows).toHaveLength(1)
  })
})

async function migrateUpTo(url: string, number: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'emma-released-'))
  for (const file of readdirSync(migrations).filter(name => name.slice(0, 4) <= number))
    copyFileSync(join(migrations, file), join(directory, file))
  await migrate(url, { directory })
  rmSync(directory, { recursive: true })
}

async function readTables(pool: Pool): Promise<Tables> {
  const { rows: names } = await pool.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relname <> 'schema_migration'
      and relnamespace in ('public'::regnamespace, 'members'::regnamespace)`)
  const tables: Tables = new Map()
  for (const { name } of names) {
    const { rows } = await pool.query<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`)
    tables.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return tables
}

/** The rows with these columns only, sorted by value. */
function sorted(rows: Row[], columns: string[]): string[] {
  return rows.map(row => JSON.stringify(columns.map(column => [column, row[column]]))).toSorted()
}
