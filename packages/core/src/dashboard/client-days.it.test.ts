import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDatasource } from '../audience/datasources/datasource.ts'
import { listMembers } from '../audience/members/list-members.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../test/audience.ts'
import { unsubscribeMember, createMember } from '../audience/members/write-member.ts'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { readReport } from '../reports/read-report.ts'
import { readView } from './read-view.ts'

let audience: TestAudience
let tableId: number

beforeAll(async () => {
  audience = await createTestAudience()
  tableId = await createTestDatasource(audience)
})
afterAll(() => audience.database.drop())

const page = { limit: 10, offset: 0, search: null, sort: null, included: [], superadminview: false }

async function moveTo(timezone: string): Promise<void> {
  await sql`update client set timezone = ${timezone} where client_id = ${audience.clientId}`.execute(
    audience.database.db,
  )
}

test.for(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  "dashboards: days are in the client's time zone %s",
  async (zone, { task }) => {
    const { database, actor, scope, clientId } = audience
    await moveTo(zone)
    const source = await readDatasource(database.db, scope, tableId)
    await createMember(database.db, actor, source, { email: `${task.id}@x.example`.toLowerCase() })
    const today = new Date().toLocaleDateString('sv', { timeZone: zone })
    const { rows } = await sql<{ joined: number }>`
    select count(*) as joined from ${sql.id('members', `t${tableId}`)}
    where (datejoin at time zone ${zone})::date = ${today}::date`.execute(database.db)
    const options = { days: zone === 'Pacific/Kiritimati' ? (7 as const) : (14 as const) }
    const view = Object(await readView(database.db, clientId, 'subscribers', options))
    expect(view.days.at(-1)).toEqual({ day: today, joined: rows[0]?.joined, left: 0 })
    const overview = Object(await readView(database.db, clientId, 'overview', options))
    expect(overview.volume.at(-1).day).toBe(today)
  },
)

test("members and campaigns: a day in a filter is in the client's time zone", async () => {
  const { database, actor, scope, clientId } = audience
  await moveTo('Europe/Berlin')
  const source = await readDatasource(database.db, scope, tableId)
  const { member_id } = await createMember(database.db, actor, source, { email: 'night@x.example' })
  await unsubscribeMember(database.db, actor, source, Number(member_id))
  // 1 November, 0:30 in Berlin.
  const night = '2025-10-31T23:30:00Z'
  await sql`update ${sql.id('members', `t${tableId}`)} set dateunjoin = ${night}`.execute(database.db)
  await sql`
    insert into campaign (client_id, name, startdate) values (${clientId}, 'Night', ${night})`.execute(
    database.db,
  )
  const members = async (filters: Record<string, string[]>) =>
    (await listMembers(database.db, source, { ...page, filters })).total
  const campaigns = async (filters: Record<string, string[]>) =>
    (await campaignOperations.list(database.db, actor, scope, { ...page, filters })).total
  const found = await members({ dateunjoinAfter: ['2025-11-01'], dateunjoinBefore: ['2025-11-01'] })
  expect(found).toBeGreaterThan(0)
  expect(await members({ dateunjoinBefore: ['2025-10-31'] })).toBe(0)
  expect(await campaigns({ startdateAfter: ['2025-11-01'], startdateBefore: ['2025-11-01'] })).toBe(1)
  expect(await campaigns({ startdateBefore: ['2025-10-31'] })).toBe(0)
  expect(await campaigns({ startdateAfter: ['2025-10-31T23:30:00Z'] })).toBe(1)
})

test("reports: a bucket of a day begins at midnight in the client's time zone", async () => {
  const { database, actor, scope, clientId } = audience
  await moveTo('America/Los_Angeles')
  const { campagne_id } = await database.db
    .insertInto('campaign')
    .values({ client_id: clientId, name: 'Long', started_at: '2025-10-01', valid: 3 })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into event (client_id, type, campagne_id, member_id, verdict, ts)
    select ${clientId}, 'open', ${campagne_id}, 1, 'human', at
    from unnest('{2025-10-02T06:59:00Z,2025-10-02T07:01:00Z,2025-11-20T08:00:00Z}'::timestamptz[]) as at`.execute(
    database.db,
  )
  const report = Object(await readReport(database.db, actor, scope, campagne_id))
  expect(report.opens_clicks_over_time.map((step: { ts: string }) => step.ts)).toEqual([
    '2025-10-01T07:00:00.000Z',
    '2025-10-02T07:00:00.000Z',
    '2025-11-20T08:00:00.000Z',
  ])
})
