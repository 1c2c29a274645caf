import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimDue } from '../2-claim/claim-due.ts'
import { takeEngineLease } from '../2-claim/engine-lease.ts'
import { recoverDeadEngines } from '../5-record/recover-dead-engines.ts'
import { createRecorder } from './recorder.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger } from '../test/engine.ts'

/** As many outcomes as go into the ledger at once. */
const MEMBERS = 1_000

let database: TestDatabase
let tenant: TestTenant

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `ok-${n}@gmx.test`),
  )
})
afterEach(() => database.drop())

test('mails that came back and began once more are unknown when their engine dies', async () => {
  const { db, pool } = database
  const campaign = await addCampaign(tenant, { valid: 2 })
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state)
    select client_id, ${campaign.campaignId}::bigint, member_id, email, 'pending'
    from ${sql.id('members', `t${tenant.memberTableId}`)}`.execute(db)
  const lease = await takeEngineLease(pool)
  const recorder = createRecorder(database, lease.id, {
    error: (fields, text) => console.error(text, fields),
  })
  const claim = async () =>
    (await claimDue(db, lease.id, [{ ...campaign, limit: MEMBERS, buckets: [], receivers: [], closed: [] }]))
      .rows
  const returned = { kind: 'returned', text: 'No connection' } as const

  const first = await claim()
  await Promise.all(first.map(row => recorder.begin(row)))
  await Promise.all(
    first.map(row => recorder.settle({ row, outcome: returned, retryScale: 1, resendUnknown: false })),
  )
  await recorder.drained()
  expect(await countLedger(db, campaign.campaignId)).toEqual({ pending: MEMBERS })
  const second = await claim()
  expect(new Set(await Promise.all(second.map(row => recorder.begin(row))))).toEqual(new Set([true]))

  // From here on they are on the wire.
  await lease.release()
  await expect.poll(() => recoverDeadEngines(db)).toEqual([{ ...campaign, count: MEMBERS }])
  expect(await countLedger(db, campaign.campaignId)).toEqual({ unknown: MEMBERS })
})
