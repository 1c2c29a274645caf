import { campaignState, campaignType } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTestCampaign, addTestTenant, testMessages, type TestTenant } from '../test/campaign.ts'
import { lastResults } from './last-results.ts'

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

test('R127 the last campaign of a template, with the figures recounted from its rows', async () => {
  const { db, actor, clientId, messageId } = tenant
  const { message_id: unsent } = await testMessages.create(db, actor, clientId, { name: 'Unsent' })
  await addSent('2026-01-01T08:00:00Z', 9)
  const last = await addSent('2026-02-01T08:00:00Z', 4)
  await addSent('2026-03-01T08:00:00Z', 2, { ctype: campaignType.test })
  await addSent('2026-03-02T08:00:00Z', 2, { deleted_at: '2026-03-03T08:00:00Z' })
  await addTestCampaign(tenant)
  await sql`
    insert into event (client_id, campagne_id, type, member_id, verdict) values
      (${clientId}, ${last}, 'open', 1, 'human'), (${clientId}, ${last}, 'open', 1, 'human'),
      (${clientId}, ${last}, 'open', 2, 'human'), (${clientId}, ${last}, 'open', 3, 'machine'),
      (${clientId}, ${last}, 'click', 2, 'human'), (${clientId}, ${last}, 'bounce', 4, null)`.execute(db)
  expect(await lastResults(db, clientId, [messageId, unsent, 987_654])).toEqual([
    {
      message_id: messageId,
      campagne_id: last,
      name: expect.any(String),
      started_at: expect.stringContaining('2026-02-01'),
      nb_send: 4,
      nb_delivered: 3,
      nb_open: 2,
      nb_click: 1,
    },
  ])
  expect(await lastResults(db, clientId + 1, [messageId])).toEqual([])
})

async function addSent(
  started: string,
  mails: number,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { db, clientId } = tenant
  const { campagne_id: id } = await addTestCampaign(tenant, campaignState.finished)
  await db
    .updateTable('campaign')
    .set({ ...fields, started_at: started })
    .where('campagne_id', '=', id)
    .execute()
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state)
    select ${clientId}, ${id}, n, 'a' || n || '@example.test', 'sent' from generate_series(1, ${mails}::int) n`.execute(
    db,
  )
  return id
}
