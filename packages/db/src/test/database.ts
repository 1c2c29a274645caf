import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, type Pool } from 'pg'
import { inject } from 'vitest'
import { createPool, createDb, type Db } from '../connection.ts'
import { emptyDatabase, type Migrated, readMigrated } from './empty-database.ts'

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
      await dropDatabase(name)
  })
}

/** Creates a database without schema, for tests of migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = await copyDatabase('template0')
  return openDatabase(name, () => dropDatabase(name))
}

async function copyDatabase(template: string): Promise<string> {
  const name = newName()
  // Copies files: the default, block by block through the WAL, takes twice as long.
  await onServer(`create database ${name} template ${template} strategy file_copy encoding 'UTF8'`)
  return name
}

/**
 * Keeps an empty database under a new name: who still has the old one gets an error, and does not disturb the next test.
 * @returns false if somebody has connected to it again
 */
async function renameDatabase(name: string): Promise<boolean> {
  const renamed = newName()
  try {
    await onServer(`alter database ${name} rename to ${renamed}`)
  } catch {
    return false
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
  const url = new URL(inject('emmaTestServer').url)
  url.pathname = `/${name}`
  return url.href
}

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * FORCE: a connection that the test forgot, or one that is closing, must not fail the clean-up. A running autovacuum
 * belongs to a superuser and cannot be terminated by the tests' user: it finishes in a moment.
 */
async function dropDatabase(name: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      return await onServer(`drop database if exists ${name} with (force)`)
    } catch (error) {
      const isVacuumed = error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE
      if (!isVacuumed || left === 0) throw error
      await sleep(100)
    }
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('emmaTestServer').url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
