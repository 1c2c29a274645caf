import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedServer } from '../embedded-server.ts'
import { lockFile } from '../folder-lock.ts'
import { migrate } from '../migrate.ts'
import { clearLeftovers } from '../server-cluster.ts'
import { throwAwaySettings } from '../server-settings.ts'
import { dropDatabase, execute } from './on-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a user who may create databases, the migrated template database, and the beginning of all names. */
    emmaTestServer: { url: string; template: string; prefix: string }
  }
}

const FOLDER_PREFIX = 'emma-test-database-'

/**
 * Vitest's global set-up of the integration project: one PostgreSQL for the run, with a migrated template database.
 * Embedded and without durability, or the server named in EMMA_TEST_DATABASE_URL (a user who may create databases).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `emma_test_${process.pid}_`
  const template = `${prefix}template`
  const server = await startTestServer(prefix)
  try {
    await createTemplate(server.url, template)
    project.provide('emmaTestServer', { url: server.url, template, prefix })
    return () => server.stop()
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function startTestServer(prefix: string): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['EMMA_TEST_DATABASE_URL']
  if (given) return { url: given, stop: () => dropDatabases(given, prefix) }
  await removeOldFolders()
  return startThrowAwayServer()
}

/**
 * Starts a server in the system's temporary folder, which `stop` removes.
 * @param binaries folder of other PostgreSQL programs than the embedded ones
 */
export async function startThrowAwayServer(
  binaries?: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), FOLDER_PREFIX))
  // The database's user must reach it if this runs as root; otherwise the database would be elsewhere, on a disk.
  chmodSync(folder, 0o755)
  const server = await startEmbeddedServer({
    folder: join(folder, 'postgres'),
    secret: 'test',
    settings: throwAwaySettings(),
    ...(binaries && { binaries }),
  })
  // Not a superuser, like the program: a migration that needs more privileges fails here too.
  await execute(server.superuserUrl, 'alter role emma createdb')
  // What empties a database after a test may leave out its foreign keys and triggers.
  await execute(server.superuserUrl, 'grant set on parameter session_replication_role to emma')
  return {
    url: server.url,
    async stop() {
      await server.stop()
      removeFolder(folder)
    },
  }
}

/** Killed test runs could not clean up: stops their servers and removes their folders. */
async function removeOldFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter(entry => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(realpathSync(tmpdir()), name)
    try {
      // Another run may have created it just now, and not locked it yet.
      if (Date.now() - statSync(folder).mtimeMs < 60_000) continue
      const lock = lockFile(join(folder, 'postgres', 'lock'))
      if (!lock) continue
      await clearLeftovers(join(realpathSync(join(folder, 'postgres')), 'cluster'))
      lock.release()
      removeFolder(folder)
    } catch {
      // Belongs to another user, or is being created.
    }
  }
}

/** The database may be elsewhere, behind a link (see embedded-server). */
function removeFolder(folder: string): void {
  rmSync(realpathSync(join(folder, 'postgres')), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

async function createTemplate(serverUrl: string, template: string): Promise<void> {
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  await execute(serverUrl, `create database ${template} template template0 encoding 'UTF8'`)
  await migrate(url.href)
  // Closed to connections: PostgreSQL copies a database only while nobody is connected.
  await execute(serverUrl, `alter database ${template} with is_template true allow_connections false`)
}

/** Those of this run. Test files leave theirs emptied, to be used again. */
async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  const { rows } = await execute(
    serverUrl,
    `select datname, datistemplate from pg_database where starts_with(datname, '${prefix}')`,
  )
  for (const { datname, datistemplate } of rows) {
    if (datistemplate) await execute(serverUrl, `alter database ${datname} with is_template false`)
    await dropDatabase(serverUrl, datname)
  }
}
