import { describeDatabaseError } from '@emma/core/resource/database-error.ts'
import type { Db } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSlowReads, type SlowReads } from './slow-reads.ts'

const LIMITS = { total: 3, perClient: 2, waitingPerClient: 2, waitMs: 10_000, statementTimeoutMs: 10_000 }

let database: TestDatabase
let reads: SlowReads
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
afterEach(() => reads.close())

function start(limits: Partial<typeof LIMITS> = {}): void {
  reads = createSlowReads(database.url, { ...LIMITS, ...limits })
}

/** A read that lasts until it is released. */
function held(client: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let hasBegun = false
  const result = reads.run(client, async () => {
    hasBegun = true
    await promise
    return client
  })
  return { result, letGo: resolve, hasBegun: () => hasBegun }
}

const one = (db: Db) => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows[0]?.one)

describe('slow reads', () => {
  test('of one client wait for each other, but not for those of another client', async () => {
    start()
    const busy = [held('a'), held('a'), held('a')]
    expect(busy.map(read => read.hasBegun())).toEqual([true, true, false])
    expect(await reads.run('b', one)).toBe(1)
    busy[0]?.letGo()
    await busy[0]?.result
    expect(busy[2]?.hasBegun()).toBe(true)
    for (const read of busy) read.letGo()
    expect(await Promise.all(busy.map(read => read.result))).toEqual(['a', 'a', 'a'])
  })

  test('are rejected if too many of the client wait, or one waits too long', async () => {
    start({ waitMs: 50 })
    const busy = [held('a'), held('a')]
    const waiting = [reads.run('a', one), reads.run('a', one)].map(read =>
      read.catch((error: unknown) => error),
    )
    await expect(async () => reads.run('a', one)).rejects.toMatchObject({ code: 'busy' })
    expect(await Promise.all(waiting)).toMatchObject([{ code: 'busy' }, { code: 'busy' }])
    for (const read of busy) read.letGo()
    await Promise.all(busy.map(read => read.result))
    expect(await reads.run('a', one)).toBe(1)
  })

  test('fail with a message if a statement takes too long', async () => {
    start({ statementTimeoutMs: 50 })
    const error = await reads
      .run('a', db => sql`select pg_sleep(20)`.execute(db))
      .catch((thrown: unknown) => thrown)
    expect(describeDatabaseError(error)).toMatchObject({ code: 'too_slow', status: 503 })
    expect(await reads.run('a', one)).toBe(1)
  })
})
