import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '@emma/db/migrate.ts'
import { startThrowAwayServer } from '@emma/db/test/server.ts'
import { Client, DatabaseError, type QueryConfig } from 'pg'

/**
 * `node scripts/check-statements.ts FOLDER`: every statement the integration tests sent (see packages/db/src/test/statements.ts), prepared
 * by the oldest PostgreSQL EMMA promises to run on. Parse analysis finds syntax, functions and types that a version lacks.
 * What the embedded version cannot prepare in a migrated, empty database either is no statement of this kind (COPY, SET,
 * the members of a datasource) and is left to the tests that run there (test-pg15.ts).
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Which folder?')
const binaries = process.env['EMMA_PG15'] ?? '/usr/lib/postgresql/15/bin'

const statements = new Set(
  readdirSync(folder).flatMap(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as string[]),
)
const newest = await prepareAll(undefined)
const oldest = await prepareAll(binaries)
const broken = [...statements].filter(text => newest.get(text) === null && oldest.get(text) !== null)
const prepared = [...newest.values()].filter(fault => fault === null).length
for (const text of broken) console.error(`${oldest.get(text)}\n  ${text.slice(0, 2000)}\n`)
console.log(`${statements.size} statements, ${prepared} prepared, ${broken.length} refused by PostgreSQL 15`)
if (prepared === 0) console.error('Nothing was heard.')
process.exitCode = broken.length === 0 && prepared > 0 ? 0 : 1

/** What each statement fails with; null for one that can be prepared. */
async function prepareAll(programs: string | undefined): Promise<Map<string, string | null>> {
  const server = await startThrowAwayServer(programs)
  const client = new Client({ connectionString: server.url })
  try {
    await migrate(server.url)
    await client.connect()
    const faults = new Map<string, string | null>()
    for (const text of statements) faults.set(text, await prepare(client, text))
    return faults
  } finally {
    await client.end()
    await server.stop()
  }
}

async function prepare(client: Client, text: string): Promise<string | null> {
  try {
    // The extended protocol takes one statement: nothing after a semicolon is carried out.
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
