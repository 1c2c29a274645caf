import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, type Pool } from 'pg'
import { inject } from 'vitest'
import { createPool, createDb, type Db } from '../connection.ts'

export type TestDatabase = { db: Db; pool: Pool; url: string; drop(): Promise<void> }

/**
 * Creates a migrated, empty database for one test file: call it in `beforeAll` (or `beforeEach` if tests must not see
 * each other's rows) and `drop()` it afterwards. Copies the run's template, in a fraction of a second.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(inject('emmaTestServer').template)
}

/** Creates a database without schema, for tests of migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom('template0')
}

async function createFrom(template: string): Promise<TestDatabase> {
  const { url: serverUrl } = inject('emmaTestServer')
  const name = `emma_test_${randomBytes(6).toString('hex')}`
  // Copies files: the default, block by block through the WAL, takes twice as long.
  const copy = `create database ${name} template ${template} strategy file_copy encoding 'UTF8'`
  await onServer(serverUrl, copy)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const pool = createPool(url.href, { applicationName: 'emma test' })
  return {
    url: url.href,
    pool,
    db: createDb(pool),
    async drop() {
      // A failed test may not have released its connection; ending the pool would wait for it forever.
      await Promise.race([pool.end(), sleep(1_000)])
      await dropDatabase(serverUrl, name)
    },
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * FORCE: a connection that the test forgot, or one that is closing, must not fail the clean-up. A running autovacuum
 * belongs to a superuser and cannot be terminated by the tests' user: it finishes in a moment.
 */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      return await onServer(serverUrl, `drop database if exists ${name} with (force)`)
    } catch (error) {
      const isVacuumed = error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE
      if (!isVacuumed || left === 0) throw error
      await sleep(100)
    }
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
