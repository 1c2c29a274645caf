import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError } from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url))

export type MigrateOptions = {
  /** Folder of the numbered files; EMMA's own by default. */
  directory?: string
  /** Told of each step, in words. */
  log?: (line: string) => void
}

/** The database and the migration files contradict each other; the message says how, and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** "EMMA" on a telephone keypad: the advisory lock that lets one program migrate while others wait. */
const MIGRATION_LOCK = 3662

/**
 * Brings the database to the newest migration: `NNNN-name.sql` in order, each in a transaction of its own, recorded
 * with its checksum. Safe when several programs start at once: one works, the others wait and find it done.
 *
 * @returns the names of the files applied now
 * @throws MigrationError when an applied file was changed, is missing, or a file turns up behind an applied one
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
 * What `migrate` would find, without changing anything.
 *
 * @throws MigrationError as `migrate` does
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

/** No statement timeout here: building an index on a grown table may take its time. */
async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'emma migrate',
    connectionTimeoutMillis: 10_000,
  })
  // A connection that breaks fails its statement as well; this keeps the event from ending the process.
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
      // A checkout on Windows may turn the line ends; that is not a change.
      const text = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Session-wide, so that it holds over all the transactions and falls with the connection. */
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

/** Compares files and history: the files still to apply, or what is wrong. */
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

/** PostgreSQL gives the place as a character count; people want the line. */
function placeOf(error: unknown, file: Migration): string {
  if (!(error instanceof DatabaseError)) return String(error)
  if (!error.position) return error.message
  const line = file.text.slice(0, Number(error.position)).split('\n').length
  return `${error.message} (line ${line})`
}
