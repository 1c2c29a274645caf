import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedServer } from '../embedded-server.ts'
import { lockFile } from '../folder-lock.ts'
import { migrate } from '../migrate.ts'
import { clearLeftovers } from '../server-cluster.ts'
import { throwAwaySettings } from '../server-settings.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a user who may create databases, and the migrated database on it that test databases are copies of. */
    emmaTestServer: { url: string; template: string }
  }
}

const FOLDER_PREFIX = 'emma-test-database-'

/**
 * Vitest's global set-up of the integration project: one PostgreSQL for the run, with a migrated template database.
 * Its own, embedded and without durability, or the server named in EMMA_TEST_DATABASE_URL (a user who may create
 * databases).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer()
  const template = `emma_template_${process.pid}`
  try {
    await createTemplate(server.url, template)
    project.provide('emmaTestServer', { url: server.url, template })
    return async () => {
      await dropTemplate(server.url, template)
      await server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['EMMA_TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  await removeOldFolders()
  return startThrowAwayServer()
}

/**
 * A server that lives in the system's temporary folder and is removed by `stop`.
 *
 * @param binaries folder of other PostgreSQL programs than the embedded ones
 */
export async function startThrowAwayServer(
  binaries?: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), FOLDER_PREFIX))
  const server = await startEmbeddedServer({
    folder: join(folder, 'postgres'),
    secret: 'test',
    settings: throwAwaySettings(),
    ...(binaries && { binaries }),
  })
  // No superuser, like the program: a migration that needs more rights than it will have fails here already.
  await execute(server.superuserUrl, 'alter role emma createdb')
  return {
    url: server.url,
    async stop() {
      await server.stop()
      removeFolder(folder)
    },
  }
}

/** Test runs that were killed could not clean up: their servers are stopped and their folders removed. */
async function removeOldFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter(entry => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(realpathSync(tmpdir()), name)
    try {
      // Another run may have made it just now, and take its lock a moment later.
      if (Date.now() - statSync(folder).mtimeMs < 60_000) continue
      const lock = lockFile(join(folder, 'postgres', 'lock'))
      if (!lock) continue
      await clearLeftovers(join(realpathSync(join(folder, 'postgres')), 'cluster'))
      lock.release()
      removeFolder(folder)
    } catch {
      // Another user's, or being made right now: not ours to remove.
    }
  }
}

/** The database may live elsewhere, behind a link (see embedded-server). */
function removeFolder(folder: string): void {
  rmSync(realpathSync(join(folder, 'postgres')), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

async function createTemplate(serverUrl: string, template: string): Promise<void> {
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  await execute(serverUrl, `create database ${template} template template0 encoding 'UTF8'`)
  await migrate(url.href)
  // Closed to connections: PostgreSQL copies a database only while nobody is in it.
  await execute(serverUrl, `alter database ${template} with is_template true allow_connections false`)
}

async function dropTemplate(serverUrl: string, template: string): Promise<void> {
  await execute(serverUrl, `alter database ${template} with is_template false`)
  await execute(serverUrl, `drop database ${template}`)
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
