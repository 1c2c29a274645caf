import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { appendEvents } from '../../events/append-events.ts'
import type { NewEvent } from '../../events/event.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { followAll } from '../../test/follow-all.ts'
import { type Datasource, readDatasource } from '../datasources/datasource.ts'
import { eraseMember } from '../members/erase-member.ts'
import { createMember, deleteMember } from '../members/write-member.ts'
import { countHours } from './count-hours.ts'
import { deleteOldHours } from './delete-old-hours.ts'
import { readHours } from './read-hours.ts'

let audience: TestAudience
let source: Datasource
let member: number

beforeAll(async () => {
  audience = await createTestAudience()
  const columns = [{ column_name: 'timezone', data_type: 'string' as const }]
  source = await readDatasource(
    audience.database.db,
    audience.scope,
    await createTestDatasource(audience, columns),
  )
})
afterAll(() => audience.database.drop())
beforeEach(async () => {
  member = await add('America/New_York')
})

it('learns human opens and clicks by the hour of the member’s time zone, each hour once', async () => {
  await happens(
    { ts: at('2026-07-01T12:05Z'), type: 'open', verdict: 'human' },
    { ts: at('2026-07-01T12:50Z'), type: 'click', verdict: 'human' },
    { ts: at('2026-07-01T13:10Z'), type: 'open', verdict: 'apple_mpp' },
    { ts: at('2026-07-01T14:10Z'), type: 'click', verdict: 'scanner' },
  )
  expect(await weights()).toEqual({ 8: 1 })
  // The same hour again, in another batch; and another one.
  await happens({ ts: at('2026-07-01T12:58Z'), type: 'open', verdict: 'human' })
  expect(await weights()).toEqual({ 8: 1 })
  await happens({ ts: at('2026-07-01T20:58Z'), type: 'open', verdict: 'human' })
  expect(await weights()).toEqual({ 8: expect.closeTo(1, 2), 16: 1 })
})

it('follows daylight saving time, so that a habit stays at its hour', async () => {
  await happens({ ts: at('2026-07-01T12:05Z'), type: 'open', verdict: 'human' })
  await happens({ ts: at('2026-12-01T13:05Z'), type: 'open', verdict: 'human' })
  expect(Object.keys(await weights())).toEqual(['8'])
})

it('counts an open half after 90 days', async () => {
  await happens({ ts: at('2026-01-01T10:00Z'), type: 'open', verdict: 'human' })
  await happens({ ts: at('2026-04-01T15:00Z'), type: 'open', verdict: 'human' })
  const learned = await weights()
  expect(learned[5]).toBeCloseTo(0.5, 2)
  expect(learned[11]).toBe(1)
})

it('takes the client’s time zone for members without one that is known', async () => {
  member = await add('Nowhere/Land')
  await sql`update client set timezone = 'Asia/Tokyo'`.execute(audience.database.db)
  await happens({ ts: at('2026-07-01T12:05Z'), type: 'open', verdict: 'human' })
  expect(await weights()).toEqual({ 21: 1 })
})

it('the best hour weighs its neighbors, over midnight too', async () => {
  const best = async (hours: Record<number, number>) => {
    const values = Array.from({ length: 24 }, (_, hour) => hours[hour] ?? 0)
    const { rows } = await sql<{ best: number }>`select best_hour(${values}::real[]) as best`.execute(
      audience.database.db,
    )
    return rows[0]?.best
  }
  expect(await best({ 3: 4 })).toBe(3)
  expect(await best({ 12: 4, 19: 3, 20: 3 })).toBe(19)
  expect(await best({ 12: 4, 23: 3, 0: 3.1 })).toBe(0)
})

it('counts the members of a segment by best hour, without excluded segments and other clients', async () => {
  const { db } = audience.database
  for (const day of [1, 2, 3]) await happens({ ts: hoursAgo(24 * day), type: 'open', verdict: 'human' })
  const segment = async (name: string, query: unknown) => {
    const { list_id } = await db
      .insertInto('list')
      .values({
        client_id: audience.clientId,
        name,
        member_table_id: source.member_table_id,
        query: query === null ? null : JSON.stringify(query),
      })
      .returning('list_id')
      .executeTakeFirstOrThrow()
    return list_id
  }
  const all = await segment('All', null)
  const question = { list_id: all, excludes: [], min_observations: 3 }
  const counted = await countHours(db, audience.scope, question)
  expect(counted.by_hour.reduce((sum, count) => sum + count)).toBe(0)
  await happens({ ts: hoursAgo(1), type: 'click', verdict: 'human' })
  const known = await countHours(db, audience.scope, question)
  expect(known.by_hour.reduce((sum, count) => sum + count)).toBe(1)
  expect(known.total).toBe(counted.total)
  expect(await countHours(db, audience.scope, { ...question, excludes: [all] })).toMatchObject({ total: 0 })
  await expect(countHours(db, audience.foreign.scope, question)).rejects.toMatchObject({ code: 'not_found' })
})

it('are deleted with the member, and a year after its last open or click', async () => {
  const { db } = audience.database
  const { actor } = audience
  await happens({ ts: hoursAgo(1), type: 'open', verdict: 'human' })
  await deleteMember(db, actor, source, member, { revision: null })
  expect(await readHours(db, source, member)).toBeNull()
  member = await add('UTC')
  await happens({ ts: hoursAgo(1), type: 'open', verdict: 'human' })
  await eraseMember(db, actor, source, member)
  expect(await readHours(db, source, member)).toBeNull()
  member = await add('UTC')
  await happens({ ts: hoursAgo(361 * 24), type: 'open', verdict: 'human' })
  expect(await readHours(db, source, member)).not.toBeNull()
  await deleteOldHours(db)
  expect(await readHours(db, source, member)).toBeNull()
})

let count = 0
async function add(timezone: string): Promise<number> {
  const { database, actor } = audience
  const email = `hours${++count}@x.example`
  return Number((await createMember(database.db, actor, source, { email, timezone })).member_id)
}

async function happens(...events: Pick<NewEvent, 'ts' | 'type' | 'verdict'>[]): Promise<void> {
  const { db, pool } = audience.database
  const ofMember = {
    client_id: audience.clientId,
    campagne_id: null,
    member_table_id: source.member_table_id,
    member_id: member,
  }
  await appendEvents(
    pool,
    events.map(event => ({ ...ofMember, ...event })),
  )
  await followAll(db)
}

/** Hours of the day with their weights. */
async function weights(): Promise<Record<number, number>> {
  const learned = (await readHours(audience.database.db, source, member)) ?? []
  return Object.fromEntries([...learned.entries()].filter(([, weight]) => weight > 0))
}

function at(time: string): Date {
  return new Date(time)
}

function hoursAgo(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000)
}
