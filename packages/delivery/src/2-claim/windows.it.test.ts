import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { listRunning } from '../engine/running-campaigns.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { testExpansion } from '../test/engine.ts'
import { claimDue } from './claim-due.ts'
import { deleteOldBuckets, refundTokens } from './rate-limits.ts'

const LEASE = '00000000-0000-4000-8000-000000000001'

let database: TestDatabase
let tenant: TestTenant

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: 120 }, (_, n) => `ok-${n}@gmx.test`),
  )
  await sql`insert into engine (lease) values (${LEASE})`.execute(database.db)
  const campaign = await addCampaign(tenant, { window_mails: 30, window_minutes: 60 })
  await expandCampaign(tenant.db, campaign, testExpansion)
})
afterEach(() => database.drop())

describe('send windows', () => {
  it('are sent on time', async () => {
    expect(await claimed()).toBe(30)
    for (let window = 0; window < 3; window++) {
      expect(await claimed(30)).toBe(0)
      // Slightly late, like a busy engine.
      expect(await claimed(30.01)).toBe(30)
    }
    expect(await claimed(60)).toBe(0)
  })

  it('that were missed are sent one by one, the first at once and each other an interval later', async () => {
    expect(await claimed()).toBe(30)
    expect(await claimed(200)).toBe(30)
    expect(await claimed()).toBe(0)
    await deleteOldBuckets(tenant.db)
    expect(await claimed(59)).toBe(0)
    expect(await claimed(1)).toBe(30)
    expect(await claimed(59)).toBe(0)
    expect(await claimed(1)).toBe(30)
  })

  it('stay an interval apart after a short pause too', async () => {
    expect(await claimed()).toBe(30)
    // The second was due 50 minutes ago, the third is due in ten.
    expect(await claimed(110)).toBe(30)
    expect(await claimed(11)).toBe(0)
    expect(await claimed(49)).toBe(30)
  })

  it('begin with their first message, however long nothing was due before', async () => {
    await sql`update delivery set due_at = due_at + interval '50 minutes'`.execute(tenant.db)
    expect(await claimed()).toBe(0)
    expect(await claimed(50)).toBe(30)
    expect(await claimed(30)).toBe(0)
    expect(await claimed(30)).toBe(30)
  })

  it('are not used up by messages that were not sent, or will be sent again', async () => {
    expect(await claimed()).toBe(30)
    const [running] = await listRunning(tenant.db, LEASE)
    await sql`update delivery set state = 'pending' where state = 'claimed' and member_id <= 7`.execute(
      tenant.db,
    )
    await refundTokens(tenant.db, running?.buckets ?? [], { unsent: 3, deferred: 4 })
    expect(await claimed()).toBe(7)
    expect(await claimed(61)).toBe(30)
    // Nothing was sent: the window has not begun.
    await sql`update delivery set state = 'pending' where state = 'claimed' and member_id > 30`.execute(
      tenant.db,
    )
    await refundTokens(tenant.db, running?.buckets ?? [], { unsent: 30, deferred: 0 })
    expect(await claimed(10)).toBe(30)
    expect(await claimed(59)).toBe(0)
    expect(await claimed(2)).toBe(30)
  })
})

/** Advances the clock by some minutes and claims everything it gets. */
async function claimed(minutes = 0): Promise<number> {
  await sql`update delivery set due_at = due_at - make_interval(secs => ${minutes * 60})`.execute(tenant.db)
  await sql`update send_pace set refilled_at = refilled_at - make_interval(secs => ${minutes * 60})`.execute(
    tenant.db,
  )
  const running = await listRunning(tenant.db, LEASE)
  const quotas = running.map(({ clientId, campaignId, buckets }) => ({
    clientId,
    campaignId,
    limit: 1_000,
    buckets,
    receivers: [],
    closed: [],
  }))
  return (await claimDue(tenant.db, LEASE, quotas)).rows.length
}
