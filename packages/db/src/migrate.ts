import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError } from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url))

export type MigrateOptions = {
  /** Folder of the numbered files; default: EMMA's own. */
  directory?: string
  /** Called with a line per step. */
  log?: (line: string) => void
}

/** Thrown if the database and the migration files contradict each other; the message says how, and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** Key of the advisory lock ("EMMA" on a telephone keypad) with which one program migrates while others wait. */
const MIGRATION_LOCK = 3662

/**
 * Migrates the database to the latest version: `NNNN-name.sql` in order, each in its own transaction, recorded with
 * its checksum. Safe if several programs start at once.
 * @returns the names of the files applied now
 * @throws MigrationError if an applied file was changed or is missing, or a new file is numbered before an applied
 * one
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { directory = MIGRATIONS, log = () => {} } = options
  const files = await readMigrations(directory)
  return withClient(url, async client => {
    await takeLock(client, log)
    await createHistory(client)
    const pending = pendingMigrations(files, await readHistory(client))
    for (const file of pending) {
      await apply(client, file)
      log(`Database: applied ${file.name}`)
    }
    return pending.map(file => file.name)
  })
}

export type MigrationState = { applied: string[]; pending: string[] }

/**
 * Returns what `migrate` would do, without changes.
 * @throws MigrationError like `migrate`
 */
export async function readMigrationState(url: string, directory = MIGRATIONS): Promise<MigrationState> {
  const files = await readMigrations(directory)
  return withClient(url, async client => {
    const known = await client.query(`select to_regclass('schema_migration') as found`)
    const history = known.rows[0]?.found === null ? [] : await readHistory(client)
    const pending = pendingMigrations(files, history)
    return { applied: history.map(row => row.name), pending: pending.map(file => file.name) }
  })
}

type Migration = { name: string; checksum: string; text: string }
type Applied = { name: string; checksum: string }

/** No statement timeout: building an index on a large table may take long. */
async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'emma migrate',
    connectionTimeoutMillis: 10_000,
  })
  // A lost connection fails its statement as well; this listener prevents the event from ending the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter(name => name.endsWith('.sql')).toSorted()
  names.forEach((name, index) => {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name))
      throw new MigrationError(`The migration ${name} must be named like 0001-what-it-does.sql.`)
    const previous = names[index - 1]
    if (previous?.slice(0, 4) === name.slice(0, 4))
      throw new MigrationError(`The migrations ${previous} and ${name} have the same number.`)
  })
  return Promise.all(
    names.map(async name => {
      // A checkout on Windows may change the line ends, which does not count.
      const text = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** A session-level lock, which spans all transactions and is released with the connection. */
async function takeLock(client: Client, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK])
  if (rows[0]?.taken === true) return
  log('Database: another program is migrating it, waiting for it to finish')
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
}

async function createHistory(client: Client): Promise<void> {
  await client.query(`
    create table if not exists schema_migration (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
}

async function readHistory(client: Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>('select name, checksum from schema_migration order by name')
  return rows
}

/** Compares files and history: returns the files to apply, or throws. */
function pendingMigrations(files: Migration[], history: Applied[]): Migration[] {
  for (const applied of history) {
    const file = files.find(candidate => candidate.name === applied.name)
    if (!file)
      throw new MigrationError(
        `The database has the migration ${applied.name}, which this program does not know: the database belongs to ` +
          `a newer EMMA (start that one), or the file was deleted or renamed (bring it back).`,
      )
    if (file.checksum !== applied.checksum)
      throw new MigrationError(
        `The migration ${applied.name} was changed after it had been applied to this database. ` +
          `Bring the file back as it was, and put the change into a new migration.`,
      )
  }
  const newest = history.at(-1)?.name ?? ''
  const pending = files.filter(file => !history.some(applied => applied.name === file.name))
  const late = pending.find(file => file.name < newest)
  if (late)
    throw new MigrationError(
      `The migration ${late.name} comes before ${newest}, which has been applied already. Give it a higher number.`,
    )
  return pending
}

async function apply(client: Client, file: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(file.text)
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
      file.name,
      file.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new MigrationError(
      `The migration ${file.name} failed and was rolled back: ${placeOf(error, file)}`,
      {
        cause: error,
      },
    )
  }
}

/** PostgreSQL reports the position as a character count; people need the line. */
function placeOf(error: unknown, file: Migration): string {
  if (!(error instanceof DatabaseError)) return String(error)
  if (!error.position) return error.message
  const line = file.text.slice(0, Number(error.position)).split('\n').length
  return `${error.message} (line ${line})`
}
