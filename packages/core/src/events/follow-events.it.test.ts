import { suppressedBy } from '../audience/blacklists/suppression.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addCampaign, createTestTenant, type TestTenant } from '../test/tenant.ts'
import { appendEvents } from './append-events.ts'
import type { NewEvent } from './event.ts'
import { followEvents } from './follow-events.ts'
import { recountSoftBounces } from '../audience/soft-bounces.ts'
import { followAll } from '../test/follow-all.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test', 'ben@gmx.test', 'cat@gmx.test'])
})
afterAll(() => database.drop())
beforeEach(clean)

describe('followEvents', () => {
  it('applies hard bounces, complaints, and opens and clicks of people to the member', async () => {
    await append(
      { member_id: 1, type: 'bounce', hard: true, ts: day(1) },
      { member_id: 2, type: 'complaint', ts: day(2), email: 'Ben@gmx.test' },
      { member_id: 3, type: 'open', verdict: 'human', ts: day(3) },
      { member_id: 3, type: 'open', verdict: 'apple_mpp', ts: day(4) },
      { member_id: 3, type: 'click', verdict: 'scanner', ts: day(5) },
    )
    expect(await followAll(tenant.db)).toBe(5)
    expect(await members()).toMatchObject([
      { hardbounced_at: day(1), complained_at: null },
      { hardbounced_at: null, complained_at: day(2) },
      { last_opened_at: day(3), last_clicked_at: null },
    ])
    expect(await suppressed()).toEqual([
      { client_id: tenant.clientId, name: 'Complaints', kind: 'client', value: 'ben@gmx.test', count: 1 },
    ])
  })

  it('complaint: suppresses the address for its client only', async () => {
    const other = await createTestTenant(database.db, ['ben@gmx.test'])
    await append({ member_id: 2, type: 'complaint', email: 'ben@gmx.test' })
    await append({ member_id: 3, type: 'complaint', email: 'BEN@gmx.test' })
    await followAll(tenant.db)
    expect(await suppressed()).toMatchObject([
      { client_id: tenant.clientId, value: 'ben@gmx.test', count: 1 },
    ])
    const email = sql`'ben@gmx.test'::text`
    const own = await suppressedBy(tenant.db, tenant.clientId, [], email)
    const foreign = await suppressedBy(tenant.db, other.clientId, [], email)
    const { rows } = await sql`select ${own} as own, ${foreign} as foreign`.execute(tenant.db)
    expect(rows).toEqual([{ own: 'blacklist_client', foreign: null }])
  })

  it('complaint: notifies superadmins once of an implausible number', async () => {
    const { campaignId } = await addCampaign(tenant, { valid: 3 })
    const complaints = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => ({
        member_id: from + at,
        campagne_id: campaignId,
        type: 'complaint' as const,
        email: `p${from + at}@gmx.test`,
      }))
    const alarms = () =>
      tenant.db
        .selectFrom('notification')
        .select(['permission', 'kind', 'details'])
        .where('code', '=', 'complaints_implausible')
        .execute()
    await append(...complaints(1, 9))
    await followAll(tenant.db)
    expect(await alarms()).toEqual([])
    await append(...complaints(10, 10))
    await followAll(tenant.db)
    await append(...complaints(11, 12))
    await followAll(tenant.db)
    expect(await alarms()).toEqual([
      {
        permission: 'superadmin',
        kind: 'danger',
        details: { client: expect.any(String), campaign: expect.any(String), complaints: 10, accepted: 0 },
      },
    ])
  })

  it('does not miss events that commit late', async () => {
    const late = await database.pool.connect()
    await late.query('begin')
    await late.query(
      `insert into event (client_id, type, member_table_id, member_id, hard) values ($1, 'bounce', $2, 1, true)`,
      [tenant.clientId, tenant.memberTableId],
    )
    await append({ member_id: 2, type: 'bounce', hard: true })
    await followEvents(tenant.db)
    await late.query('commit')
    late.release()
    await followAll(tenant.db)
    expect((await members()).map(member => member.hardbounced_at !== null)).toEqual([true, true, false])
  })

  it('marks an address as hard bounced after five soft-bounced mails, unless one was accepted in between', async () => {
    const bounces = (member_id: number, days: number[], fields: { class?: string } = {}) =>
      days.map(
        at =>
          ({
            member_id,
            type: 'bounce',
            hard: false,
            class: 'quota',
            ts: day(at),
            campagne_id: at,
            ...fields,
          }) as const,
      )
    const { campaignId } = await addCampaign(tenant, { valid: 3 })
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
      values (${tenant.clientId}, ${campaignId}, 2, 'ben@gmx.test', 'sent', ${day(6)})`.execute(tenant.db)
    await append(
      ...bounces(1, [9, 8, 7, 5, 4]),
      ...bounces(2, [9, 8, 7, 5, 4]),
      ...bounces(3, [9, 8, 7, 5, 4], { class: 'reputation' }),
    )
    await followAll(tenant.db)
    expect(await members()).toMatchObject([
      { softbounce_count: 5, hardbounced_at: expect.any(String) },
      { softbounce_count: 2, hardbounced_at: null },
      { softbounce_count: 0, hardbounced_at: null },
    ])
    await append(...bounces(2, [3, 3, 3, 3]))
    await followAll(tenant.db)
    expect((await members())[1]).toMatchObject({ softbounce_count: 3, hardbounced_at: null })
  })

  it('does not count soft bounces that are 30 days old or were followed by an accepted mail', async () => {
    const bounce = { type: 'bounce', hard: false, class: 'quota' } as const
    const { campaignId } = await addCampaign(tenant, { valid: 3 })
    const forgiven = [6, 5, 4, 3, 2].map(ago => ({ ...bounce, member_id: 3, ts: day(ago), campagne_id: ago }))
    await append(
      { ...bounce, member_id: 1, ts: day(29), campagne_id: 101 },
      { ...bounce, member_id: 1, ts: day(2), campagne_id: 102 },
      { ...bounce, member_id: 2, ts: day(3), campagne_id: 101 },
      ...forgiven,
    )
    await followAll(tenant.db)
    await sql`
      update ${sql.id('members', `t${tenant.memberTableId}`)} set hardbounced_at = null`.execute(tenant.db)
    const counts = async () => (await members()).map(member => member.softbounce_count)
    expect(await counts()).toEqual([2, 1, 5])
    await sql`update event set ts = ts - interval '2 days' where campagne_id = 101 and member_id = 1`.execute(
      tenant.db,
    )
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
      values (${tenant.clientId}, ${campaignId}, 2, 'ben@gmx.test', 'sent', ${day(1)})`.execute(tenant.db)
    await recountSoftBounces(tenant.db)
    expect(await counts()).toEqual([1, 0, 5])
    expect((await members())[2]).toMatchObject({ hardbounced_at: null })
  })

  it('is independent of order, duplicates, delays and concurrent followers', async () => {
    const event = record({
      member_id: integer({ min: 1, max: 3 }),
      type: constantFrom('open', 'click', 'bounce', 'complaint'),
      verdict: constantFrom('human', 'machine'),
      ts: integer({ min: 1, max: 20 }).map(day),
      isDoubled: boolean(),
      followAfter: boolean(),
    })
    await assert(
      asyncProperty(array(event, { maxLength: 15 }), async given => {
        await clean()
        for (const { isDoubled, followAfter, ...one } of given) {
          const made = { ...one, type: one.type, hard: one.type === 'bounce' } as const
          await append(...(isDoubled ? [made, made] : [made]))
          if (followAfter) await Promise.all([followEvents(tenant.db), followEvents(tenant.db)])
        }
        await followAll(tenant.db)
        expect(await members()).toMatchObject(naiveMembers(given))
      }),
      { numRuns: 15 },
    )
  })
})

/** Expected state, computed event by event. */
function naiveMembers(given: readonly { member_id: number; type: string; verdict: string; ts: string }[]) {
  return [1, 2, 3].map(id => {
    const own = given.filter(event => event.member_id === id)
    const times = (fits: (event: (typeof own)[number]) => boolean) =>
      own
        .filter(fits)
        .map(event => event.ts)
        .toSorted()
    const isHuman = (event: { verdict: string }) => event.verdict === 'human'
    return {
      hardbounced_at: times(event => event.type === 'bounce').at(0) ?? null,
      complained_at: times(event => event.type === 'complaint').at(0) ?? null,
      last_opened_at: times(event => isHuman(event) && event.type === 'open').at(-1) ?? null,
      last_clicked_at: times(event => isHuman(event) && event.type === 'click').at(-1) ?? null,
    }
  })
}

type Given = Omit<Partial<NewEvent>, 'ts'> & { member_id: number; type: NewEvent['type']; ts?: string }

function append(...events: Given[]): Promise<void> {
  return appendEvents(
    database.pool,
    events.map(event => ({
      client_id: tenant.clientId,
      member_table_id: tenant.memberTableId,
      campagne_id: 1,
      ...event,
      ts: new Date(event.ts ?? Date.now()),
    })),
  )
}

async function members() {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.id('members', `t${tenant.memberTableId}`)} order by member_id`.execute(tenant.db)
  return rows
}

async function clean(): Promise<void> {
  await sql`delete from event`.execute(tenant.db)
  await sql`delete from blacklist`.execute(tenant.db)
  await sql`
    update ${sql.id('members', `t${tenant.memberTableId}`)}
    set hardbounced_at = null, complained_at = null, last_opened_at = null, last_clicked_at = null,
      softbounce_count = 0`.execute(tenant.db)
}

/** ISO time so many days ago; constant within a test run. */
function day(ago: number): string {
  return new Date(START - ago * 86_400_000).toISOString()
}

const START = Date.now()

async function suppressed() {
  return tenant.db
    .selectFrom('blacklist_entry as e')
    .innerJoin('blacklist as b', join =>
      join.onRef('b.client_id', '=', 'e.client_id').onRef('b.blacklist_id', '=', 'e.blacklist_id'),
    )
    .select(['e.client_id', 'b.name', 'b.kind', 'e.value', 'b.count'])
    .orderBy('e.value')
    .execute()
}
