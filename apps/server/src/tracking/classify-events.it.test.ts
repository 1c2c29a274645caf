import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { VerifiedEvent } from './tracking-event.ts'
import { createEventClassifier } from './classify-events.ts'

const HIT = Date.parse('2026-11-20T12:00:00Z')

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test'])
})
afterAll(() => database.drop())

it.each([
  ['a minute after acceptance', 'sent', -70, -60, 'human'],
  ['a moment after acceptance', 'sent', -70, -0.1, 'machine'],
  ['a moment after sending, without reply yet', 'claimed', -0.1, null, 'machine'],
  ['before its outcome was recorded', 'sent', -60, 300, 'human'],
  ['before the known attempt', 'sent', 60, 61, 'human'],
] as const)('classifies a message that is opened %s', async (_, state, claimed, recorded, verdict) => {
  const campaign = await addCampaign(tenant)
  const at = (seconds: number | null) => seconds && new Date(HIT + seconds * 1000)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, claimed_at, recorded_at)
    values (${tenant.clientId}, ${campaign.campaignId}, 1, 'ann@gmx.test', ${state}, ${at(claimed)}, ${at(recorded)})`.execute(
    database.db,
  )
  const hit: VerifiedEvent = {
    type: 'open',
    token: { kind: 'campaign', ...campaign, memberId: 1 },
    at: HIT,
    linkIndex: null,
    ip: '192.0.2.1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Thunderbird/145.0',
    method: 'GET',
    isAhead: false,
    isForwarded: false,
  }
  const [event] = await createEventClassifier(database.pool)([hit], [])
  expect(event?.verdict).toBe(verdict)
})
