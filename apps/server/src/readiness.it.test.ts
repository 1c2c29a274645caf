import { tmpdir } from 'node:os'
import { createPool } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from './config.ts'
import { readReadiness } from './readiness.ts'

const config = loadConfig({ EMMA_DATA: tmpdir(), EMMA_SECRET: 'sixteen letters.' })
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('ready needs a live engine', async () => {
  expect(await readReadiness(database.pool, config)).toMatchObject({
    ready: false,
    checks: { database: 'ok' },
  })
  await database.pool.query(`insert into role_heartbeat (node, role, pid) values ('here', 'engine', 1)`)
  expect(await readReadiness(database.pool, config)).toEqual({
    ready: true,
    checks: { database: 'ok', engine: 'ok', disk: 'ok' },
  })
  await database.pool.query(`update role_heartbeat set seen_at = now() - interval '1 minute'`)
  expect(await readReadiness(database.pool, config)).toMatchObject({ ready: false })
})

test('an unavailable database is reported without its address', async () => {
  const pool = createPool('postgres://nobody:secret@127.0.0.1:1/none')
  onTestFinished(() => pool.end())
  const { ready, checks } = await readReadiness(pool, config)
  expect({ ready, database: checks.database }).toEqual({ ready: false, database: 'does not answer' })
})
