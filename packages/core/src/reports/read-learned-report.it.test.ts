import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { appendEvents } from '../events/append-events.ts'
import { addCampaign, createTestTenant, type TestTenant } from '../test/tenant.ts'
import { systemActor } from '../resource/actor.ts'
import { readLearnedReport } from './read-learned-report.ts'

const LEARNED = { control_percent: 20, explore_percent: 10, min_observations: 5 }

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: 40 }, (_, n) => `p${n}@gmx.test`),
  )
})
afterAll(() => database.drop())

it('counts each group within a day after its mail, and compares the learned times with the control group', async () => {
  const key = await addCampaign(tenant, { learned_time: JSON.stringify(LEARNED) })
  // 10 of each group, sent two days ago; members of focus at 8 o'clock in New York, one of them an hour ago.
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, time_group, zone, due_at, recorded_at)
    select ${key.clientId}, ${key.campaignId}, n, 'p' || n || '@gmx.test', 'sent',
      ('{control,control_known,explore,focus}'::time_group[])[1 + n % 4], 'America/New_York', at, at
    from generate_series(1, 40) as n
    cross join lateral (
      select case when n = 3 then now() - interval '1 hour'
        else date_trunc('day', now(), 'America/New_York') - interval '3 days' + interval '8 hours' end as at) as sent`.execute(
    tenant.db,
  )
  const opens = (memberId: number, hours: number, verdict = 'human') => ({
    client_id: key.clientId,
    campagne_id: key.campaignId,
    member_table_id: tenant.memberTableId,
    member_id: memberId,
    type: 'open' as const,
    verdict,
    hours,
  })
  const events = [
    // Focus: 3 (not settled), 7 and 11; 15 too late, 19 by a machine.
    opens(3, 1),
    opens(7, 1),
    opens(11, 23),
    opens(15, 25),
    opens(19, 1, 'apple_mpp'),
    // Control group with enough data: 1.
    opens(1, 2),
  ]
  const { rows } = await sql<{ member_id: number; at: Date }>`
    select member_id, recorded_at as at from delivery where campagne_id = ${key.campaignId}`.execute(
    tenant.db,
  )
  const sentAt = new Map(rows.map(row => [row.member_id, new Date(row.at).getTime()]))
  await appendEvents(
    database.pool,
    events.map(({ hours, ...event }) => ({
      ...event,
      ts: new Date((sentAt.get(event.member_id) ?? 0) + hours * 3_600_000),
    })),
  )
  const report = await read(key.campaignId)
  const figures = Object.fromEntries(report.groups.map(({ group, ...rest }) => [group, rest]))
  expect(figures['focus']).toEqual({ recipients: 10, delivered: 10, settled: 9, opened: 2, clicked: 0 })
  expect(figures['control_known']).toEqual({
    recipients: 10,
    delivered: 10,
    settled: 10,
    opened: 1,
    clicked: 0,
  })
  expect(figures['explore_known']).toMatchObject({ recipients: 0 })
  expect(report.by_hour.focus[8]).toBeGreaterThanOrEqual(9)
  expect(report.by_hour.focus.reduce((sum, count) => sum + count)).toBe(10)
  const known = report.compared.find(({ by, among }) => by === 'opens' && among === 'known')
  expect(known).toMatchObject({ control: { n: 10, x: 1 }, learned: { n: 9, x: 2 } })
  expect(known?.low).toBeLessThan(0)
  expect(known?.high).toBeGreaterThan(0)
})

it('there is none for campaigns without learned times', async () => {
  const { campaignId } = await addCampaign(tenant)
  await expect(read(campaignId)).rejects.toMatchObject({ code: 'not_found' })
})

async function read(campaignId: number) {
  const scope = { clientIds: [tenant.clientId] }
  return readLearnedReport(
    tenant.db,
    await campaignOperations.find(tenant.db, systemActor(tenant.clientId), scope, campaignId),
  )
}
