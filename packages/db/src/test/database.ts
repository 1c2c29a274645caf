import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'
import { inject } from 'vitest'
import { createPool, createDb, type Db } from '../connection.ts'
import { emptyDatabase, type Migrated, readMigrated } from './empty-database.ts'
import { dropDatabase, execute } from './on-server.ts'

export type TestDatabase = { db: Db; pool: Pool; url: string; drop(): Promise<void> }

/** Databases that this process may use again: emptied, and with a name that nobody knows yet. */
const emptied: string[] = []
let migrated: Promise<Migrated> | undefined

/**
 * Creates a migrated, empty database for one test file: call it in `beforeAll` (or `beforeEach` if tests must not see
 * each other's rows) and `drop()` it afterwards. A database that was dropped is emptied and used again: copying the
 * run's template, a thousand files, takes several times as long.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = emptied.pop() ?? (await copyDatabase(inject('emmaTestServer').template))
  migrated ??= readMigrated(urlOf(name))
  const original = await migrated
  return openDatabase(name, async () => {
    if (!(await emptyDatabase(urlOf(name), original)) || !(await renameDatabase(name)))
      await dropDatabase(serverUrl(), name)
  })
}

/** Creates a database without schema, for tests of migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = await copyDatabase('template0')
  return openDatabase(name, () => dropDatabase(serverUrl(), name))
}

async function copyDatabase(template: string): Promise<string> {
  const name = newName()
  // Copies files: the default, block by block through the WAL, takes twice as long.
  await execute(
    serverUrl(),
    `create database ${name} template ${template} strategy file_copy encoding 'UTF8'`,
  )
  return name
}

const OBJECT_IN_USE = '55006'

/**
 * Keeps an empty database under a new name: who still has the old one gets an error, and does not disturb the next test.
 * @returns false if somebody has connected to it again
 */
async function renameDatabase(name: string): Promise<boolean> {
  const renamed = newName()
  try {
    await execute(serverUrl(), `alter database ${name} rename to ${renamed}`)
  } catch (error) {
    if (error instanceof DatabaseError && error.code === OBJECT_IN_USE) return false
    throw error
  }
  emptied.push(renamed)
  return true
}

/** The run's clean-up finds it by its beginning. */
function newName(): string {
  const { prefix } = inject('emmaTestServer')
  return `${prefix}${randomBytes(6).toString('hex')}`
}

function openDatabase(name: string, discard: () => Promise<void>): TestDatabase {
  const url = urlOf(name)
  const pool = createPool(url, { applicationName: 'emma test' })
  return {
    url,
    pool,
    db: createDb(pool),
    async drop() {
      // A failed test may not have released its connection; ending the pool would wait for it forever.
      await Promise.race([pool.end(), sleep(1_000)])
      await discard()
    },
  }
}

function urlOf(name: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

function serverUrl(): string {
  return inject('emmaTestServer').url
}
