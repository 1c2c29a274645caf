import { addTestTenant } from '@emma/core/test/campaign.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { recountAudience } from './recount-audience.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a segment is recounted only after its datasource has changed', async () => {
  const { db, clientId, memberTableId, listId } = await addTestTenant(database.db)
  const { signal } = new AbortController()
  const logger = createLogger('jobs', 'silent')
  const counted = async (ago: string, statsAgo: string) => {
    await sql`update list set count = 4711, counted_at = now() - ${ago}::interval where list_id = ${listId}`.execute(
      db,
    )
    await sql`
      update member_table set stats_at = now() - ${statsAgo}::interval
      where member_table_id = ${memberTableId}`.execute(db)
    await recountAudience(null, { db, pool: database.pool, signal, logger })
    const { count } = await db
      .selectFrom('list')
      .select('count')
      .where('client_id', '=', clientId)
      .where('list_id', '=', listId)
      .executeTakeFirstOrThrow()
    return count === 4711 ? 'kept' : 'counted'
  }
  expect(await counted('5 minutes', '6 minutes')).toBe('kept')
  expect(await counted('5 minutes', '1 minute')).toBe('counted')
  expect(await counted('61 minutes', '9 minutes')).toBe('counted')
})
