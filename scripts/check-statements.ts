import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@emma/db/migrate.ts'
import { platformTables } from '@emma/db/platform-tables.ts'
import { startThrowAwayServer } from '@emma/db/test/server.ts'
import { Client, DatabaseError, type QueryConfig } from 'pg'
import { mayLockRepeatedly } from './repeated-locks.ts'
import { findTenantJoinFaults, type TenantTables } from './tenant-joins.ts'

/**
 * `node scripts/check-statements.ts FOLDER`: every statement the integration tests sent (see packages/db/src/test/statements.ts), prepared
 * by the oldest PostgreSQL EMMA promises to run on. Parse analysis finds syntax, functions and types that a version lacks.
 * What the embedded version cannot prepare in a migrated, empty database either is no statement of this kind (COPY, SET,
 * the members of a datasource) and is left to the tests that run there (test-pg15.ts).
 *
 * Refuses joins of tenant tables without client_id (tenant-joins.ts), except in migrations, which change all tenants, and
 * limits that may not hold (repeated-locks.ts).
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Which folder?')
const binaries = process.env['EMMA_PG15'] ?? '/usr/lib/postgresql/15/bin'

const statements = new Set(
  readdirSync(folder).flatMap(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as string[]),
)
const { faults: newest, tables } = await prepareAll(undefined)
const { faults: oldest } = await prepareAll(binaries)
const broken = [...statements].filter(text => newest.get(text) === null && oldest.get(text) !== null)
const prepared = [...newest.values()].filter(fault => fault === null).length
for (const text of broken) console.error(`${oldest.get(text)}\n  ${text.slice(0, 2000)}\n`)
console.log(`${statements.size} statements, ${prepared} prepared, ${broken.length} refused by PostgreSQL 15`)
if (prepared === 0) console.error('Nothing was heard.')
const unscoped = await joinsWithoutClient(tables)
const unbounded = await repeatedLocks()
process.exitCode = broken.length === 0 && prepared > 0 && unscoped === 0 && unbounded === 0 ? 0 : 1

/** Prints the statements that join tenant tables without client_id; returns their number. */
async function joinsWithoutClient(known: TenantTables): Promise<number> {
  const folderOfMigrations = fileURLToPath(new URL('../packages/db/migrations/', import.meta.url))
  const migrations = readdirSync(folderOfMigrations).map(file =>
    readFileSync(join(folderOfMigrations, file), 'utf8'),
  )
  let count = 0
  for (const text of statements) {
    const faults = await findTenantJoinFaults(text, known)
    if (faults.length === 0 || migrations.some(migration => migration.includes(text))) continue
    count++
    console.error(`${faults.join('\n')}\n  ${text.slice(0, 2000)}\n`)
  }
  console.log(`${count} statements join tables of tenants without client_id`)
  return count
}

/** Prints the statements whose limit may not hold; returns their number. */
async function repeatedLocks(): Promise<number> {
  let count = 0
  for (const text of statements) {
    if (!(await mayLockRepeatedly(text))) continue
    count++
    console.error(`locks limited rows in FROM, which may run repeatedly\n  ${text.slice(0, 2000)}\n`)
  }
  console.log(`${count} statements lock limited rows in FROM`)
  return count
}

interface Prepared {
  /** Error of each statement; null for one that can be prepared. */
  faults: Map<string, string | null>
  tables: TenantTables
}

async function prepareAll(programs: string | undefined): Promise<Prepared> {
  const server = await startThrowAwayServer(programs)
  const client = new Client({ connectionString: server.url })
  try {
    await migrate(server.url)
    await client.connect()
    const faults = new Map<string, string | null>()
    for (const text of statements) faults.set(text, await prepare(client, text))
    return { faults, tables: await readTenantTables(client) }
  } finally {
    await client.end()
    await server.stop()
  }
}

async function readTenantTables(client: Client): Promise<TenantTables> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = 'public' group by 1`,
  )
  const tables = rows.filter(
    ({ name, columns }) => columns.includes('client_id') && !platformTables.has(name),
  )
  return new Map(tables.map(({ name, columns }) => [name, new Set(columns)]))
}

async function prepare(client: Client, text: string): Promise<string | null> {
  try {
    // The extended protocol accepts one statement: nothing after a semicolon is executed.
    const only: QueryConfig & { queryMode: 'extended' } = {
      text: `prepare heard as ${text}`,
      queryMode: 'extended',
    }
    await client.query(only)
    await client.query('deallocate heard')
    return null
  } catch (error) {
    if (error instanceof DatabaseError) return error.message
    throw error
  }
}
