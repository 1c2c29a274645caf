import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { transaction } from './connection.ts'
import { type Push, publish, type SubscribeOptions, subscribe } from './notify.ts'
import { createTestDatabase, type TestDatabase } from './test/database.ts'

let database: TestDatabase
let heard: Push[]
beforeEach(async () => {
  database = await createTestDatabase()
  heard = []
})
afterEach(() => database.drop())

test('a push arrives at every subscriber', async () => {
  await listen()
  const others: Push[] = []
  const second = await subscribe(database.url, push => others.push(push))
  onTestFinished(() => second.stop())
  const push = { client_id: 7, user_id: 3, type: 'upload', data: { progress: 0.5 } }
  await publish(database.db, push)
  await expect.poll(() => [heard, others]).toEqual([[push], [push]])
})

test('long pushes and non-ASCII characters arrive complete and in order', async () => {
  await listen()
  const pushes = ['ü€😀"\\'.repeat(5_000), 'short', 'x'.repeat(40_000)].map(data => ({
    client_id: null,
    type: 'news',
    data,
  }))
  for (const push of pushes) await publish(database.db, push)
  await expect.poll(() => heard).toEqual(pushes)
})

test('a rolled back push is never sent', async () => {
  await listen()
  const attempt = transaction(database.db, async tx => {
    await publish(tx, { client_id: 1, type: 'undone', data: null })
    throw new Error('no')
  })
  await expect(attempt).rejects.toThrow('no')
  await publish(database.db, { client_id: 1, type: 'done', data: null })
  await expect.poll(() => heard.map(push => push.type)).toEqual(['done'])
})

test('a broken connection is reopened, and the gap is reported', async () => {
  let gaps = 0
  await listen({ onGap: () => gaps++ })
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'emma push' and datname = current_database()`,
  )
  await expect.poll(() => gaps).toBe(1)
  await publish(database.db, { client_id: 1, type: 'after', data: null })
  await expect.poll(() => heard.map(push => push.type)).toEqual(['after'])
})

async function listen(options: SubscribeOptions = {}): Promise<void> {
  const subscription = await subscribe(database.url, push => heard.push(push), options)
  onTestFinished(() => subscription.stop())
}
