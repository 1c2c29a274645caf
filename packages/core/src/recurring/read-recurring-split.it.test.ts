import type { recurring } from '@emma/contract/resources/recurring.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import { type Split, split } from '@emma/contract/split.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { readSplitReport } from '../reports/read-split-report.ts'
import { addTestTenant, testContext, type TestTenant } from '../test/campaign.ts'
import { readRecurringSplit } from './read-recurring-split.ts'
import { recurringOperations } from './recurring-operations.ts'
import { runNow } from './run-now.ts'

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

const period = { start_date: '2026-01-01', end_date: '2026-12-31' }
const now = new Date('2026-02-01T12:00:00Z')
const testOf = (subject: string, more: Partial<Split> = {}) =>
  split.parse({ variants: [{ subject }], winner_by: 'opens', ...more })

function add(fields: Patch<typeof recurring>) {
  const { db, actor, clientId, listId, messageId, domainId, mailclassId } = tenant
  return recurringOperations.create(db, actor, clientId, {
    name: 'Morning news',
    list_id: listId,
    message_id: messageId,
    domain_id: domainId,
    mailclass_id: mailclassId,
    fromadr: 'news@sender.test',
    schedule: { rrule: 'FREQ=DAILY', tz: 'Europe/Berlin', start: '2026-01-01', end: null, time: '09:00' },
    ...fields,
  })
}

/** A run at this time: `size` members get each variant, of whom the first ones open it. */
async function run(id: number, time: string, size: number, openers: readonly [a: number, b: number]) {
  const { db, actor, scope, clientId } = tenant
  const { campagne_id: campaignId } = await runNow(db, actor, scope, id, new Date(time), testContext)
  await sql`update campaign set started_at = ${time} where campagne_id = ${campaignId}`.execute(db)
  // A part of the members waited for the winner, and one bounced.
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, variant)
    select ${clientId}, ${campaignId}, n, 'a' || n || '@example.test',
      case when n % 10 = 0 then 'rejected' else 'sent' end::delivery_state,
      case when n <= ${2 * size} then n % 2 end
    from generate_series(1, ${3 * size}::int) as n`.execute(db)
  for (const [variant, count] of openers.entries())
    await sql`
      insert into event (client_id, campagne_id, member_id, type, ts, verdict)
      select ${clientId}, ${campaignId}, member_id, 'open', ${time}, 'human' from (
        select member_id from delivery
        where campagne_id = ${campaignId} and variant = ${variant} and state = 'sent'
        order by member_id limit ${count}) as opener`.execute(db)
  return campaignOperations.find(db, actor, scope, campaignId)
}

const read = (id: number, of = period) =>
  readRecurringSplit(database.db, { clientId: tenant.clientId, recurringId: id }, of, now)

test('the figures of each variant are those of the runs together, with their intervals', async () => {
  const { db } = database
  const { recurring_id: id } = await add({ split: testOf('B') })
  expect(await read(id)).toEqual({ report: null })
  const runs = [
    await run(id, '2026-01-10T08:00:00Z', 100, [10, 30]),
    await run(id, '2026-01-11T08:00:00Z', 200, [20, 50]),
  ]
  const apart = await Promise.all(runs.map(campaign => readSplitReport(db, campaign)))
  const sum = (variant: number, figure: 'recipients' | 'delivered' | 'opened' | 'clicked') =>
    apart
      .flatMap(({ parts }) => parts.filter(part => part.part === 'variant' && part.variant === variant))
      .reduce((all, part) => all + part[figure], 0)
  const { report } = await read(id)
  expect(report).toMatchObject({ runs: 2, other_runs: 0, by: 'opens', variants: [{}, { subject: 'B' }] })
  expect(report?.parts).toHaveLength(2)
  for (const [variant, part] of report?.parts.entries() ?? [])
    expect(part).toMatchObject({
      part: 'variant',
      variant,
      recipients: 300,
      delivered: sum(variant, 'delivered'),
      opened: sum(variant, 'opened'),
      clicked: 0,
    })
  expect(report?.parts.map(({ opened }) => opened)).toEqual([30, 80])
  const [control, other] = report?.compared ?? []
  expect(other).toMatchObject({ n: sum(1, 'delivered'), x: 80 })
  // More is known than by either run alone.
  const width = (of?: { low: number | null; high: number | null } | null) => (of?.high ?? 0) - (of?.low ?? 0)
  expect(control?.difference).toBeNull()
  expect(other?.difference?.low).toBeGreaterThan(0)
  for (const { compared } of apart)
    expect(width(other?.difference)).toBeLessThan(width(compared[1]?.difference))
})

test('runs with other variants, of other periods and without a test are not added', async () => {
  const { db, actor, scope } = tenant
  const { recurring_id: id } = await add({ split: testOf('Earlier B') })
  const patch = (next: Split | null) =>
    recurringOperations.patch(db, actor, scope, id, { split: next }, { revision: null })
  await run(id, '2026-01-10T08:00:00Z', 10, [1, 2])
  await patch(testOf('B', { sample_percent: 50, winner_by: 'conversions', goal_list_id: tenant.listId }))
  await run(id, '2026-01-11T08:00:00Z', 10, [2, 3])
  await patch(testOf('B', { winner_by: 'clicks' }))
  await run(id, '2026-01-12T08:00:00Z', 10, [4, 5])
  await patch(null)
  await run(id, '2026-01-13T08:00:00Z', 10, [9, 9])
  expect((await read(id)).report).toMatchObject({
    runs: 2,
    other_runs: 1,
    by: 'clicks',
    parts: [
      { recipients: 20, opened: 6 },
      { recipients: 20, opened: 8 },
    ],
  })
  expect((await read(id, { ...period, end_date: '2026-01-10' })).report).toMatchObject({
    runs: 1,
    other_runs: 0,
    parts: [{ opened: 1 }, { opened: 2 }],
  })
  await expect(read(id, { start_date: '2020-01-01', end_date: '2026-01-01' })).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('an hourly campaign: all runs of the period are added', async () => {
  const { db, clientId } = tenant
  const { recurring_id: id } = await add({ split: testOf('B') })
  const first = await run(id, '2026-01-01T00:00:00Z', 1, [1, 1])
  const runs = 31 * 24
  await sql`
    insert into campaign (client_id, name, valid, ctype, recurring_id, message_id, subject, fromadr, fromname, reply_to,
      split, started_at)
    select client_id, name, valid, ctype, recurring_id, message_id, subject, fromadr, fromname, reply_to, split,
      started_at + make_interval(hours => n)
    from campaign, generate_series(1, ${runs - 1}::int) as n where campagne_id = ${first.campagne_id}`.execute(
    db,
  )
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, variant)
    select ${clientId}, campagne_id, 1 + v, 'a@example.test', 'sent', v
    from campaign, generate_series(0, 1) as v
    where recurring_id = ${id} and campagne_id <> ${first.campagne_id}`.execute(db)
  expect((await read(id)).report).toMatchObject({
    runs,
    other_runs: 0,
    parts: [{ recipients: runs }, { recipients: runs }],
  })
})
