import { MOST_SEND_ONCE_KEYS } from '@emma/contract/actions/campaigns.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addCampaign, createTestTenant, type TestTenant } from '../test/tenant.ts'
import { listSendOnceKeys } from './list-send-once-keys.ts'

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  tenant = await createTestTenant(database.db, ['ann@example.test'])
})
afterAll(() => database.drop())

interface Times {
  created_at?: string
  started_at?: string
  deleted_at?: string
}

async function addKey(key: string, times: Times = {}, of = tenant): Promise<void> {
  const { campaignId } = await addCampaign(of, { send_once_key: key })
  await database.db
    .updateTable('campaign')
    .set({ created_at: '2026-01-01T00:00:00Z', ...times })
    .where('campagne_id', '=', campaignId)
    .execute()
}

const list = (search: string | null = null) => listSendOnceKeys(database.db, tenant.clientId, search)

test('keys are listed once, the last used first, with the number of their campaigns', async () => {
  await addCampaign(tenant)
  await addKey('summer', { started_at: '2026-06-01T08:00:00Z' })
  await addKey('welcome-gift', { started_at: '2026-05-01T08:00:00Z' })
  await addKey('welcome-gift', { started_at: '2026-07-01T08:00:00Z' })
  await addKey('planned', { created_at: '2026-02-01T08:00:00Z' })
  expect(await list()).toEqual([
    { key: 'welcome-gift', campaigns: 2, last_used_at: '2026-07-01T08:00:00.000Z' },
    { key: 'summer', campaigns: 1, last_used_at: '2026-06-01T08:00:00.000Z' },
    { key: 'planned', campaigns: 1, last_used_at: '2026-02-01T08:00:00.000Z' },
  ])
})

test('a recurring campaign offers its key before its first run', async () => {
  const { clientId, listId, messageId, domainId } = tenant
  await sql`
    insert into recurring (client_id, name, send_once_key, schedule, created_at, deleted_at, list_id, message_id,
      domain_id, fromadr)
    select ${clientId}, key, key, '{}', '2026-03-01T00:00:00Z', deleted_at::timestamptz, ${listId}, ${messageId},
      ${domainId}, 'news@sender.test'
    from (values ('weekly', null), ('deleted', '2026-03-02')) as r (key, deleted_at)`.execute(database.db)
  expect(await list()).toEqual([{ key: 'weekly', campaigns: 0, last_used_at: '2026-03-01T00:00:00.000Z' }])
  await addKey('weekly', { started_at: '2026-03-09T08:00:00Z' })
  expect(await list()).toEqual([{ key: 'weekly', campaigns: 1, last_used_at: '2026-03-09T08:00:00.000Z' }])
})

test('deleted campaigns are left out, unless they were sent', async () => {
  await addKey('deleted draft', { deleted_at: '2026-03-01' })
  await addKey('deleted later', { started_at: '2026-02-01', deleted_at: '2026-03-01' })
  expect((await list()).map(({ key }) => key)).toEqual(['deleted later'])
})

test('keys are found by a part of them, in upper or lower case', async () => {
  await addKey('Welcome_gift')
  await addKey('welcome-back')
  await addKey('100 %')
  const keys = async (search: string) => (await list(search)).map(({ key }) => key)
  expect(await keys('welCome')).toEqual(['Welcome_gift', 'welcome-back'])
  expect(await keys('e_g')).toEqual(['Welcome_gift'])
  expect(await keys('%')).toEqual(['100 %'])
  expect(await keys('other')).toEqual([])
})

test('keys of other clients are not listed, and no more than the limit', async () => {
  await addKey('theirs', {}, await createTestTenant(database.db, ['bob@example.test']))
  expect(await list()).toEqual([])
  for (let n = 0; n <= MOST_SEND_ONCE_KEYS; n++)
    await addKey(`key ${n}`, { created_at: `2026-01-01T00:00:${String(n).padStart(2, '0')}Z` })
  const keys = await list()
  expect(keys).toHaveLength(MOST_SEND_ONCE_KEYS)
  expect(keys[0]?.key).toBe(`key ${MOST_SEND_ONCE_KEYS}`)
})
