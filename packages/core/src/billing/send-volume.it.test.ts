import type { MonthVolume } from '@emma/contract/actions/send-volume.ts'
import { campaignState, campaignType } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readFigures } from '../reports/read-figures.ts'
import { closeMonths } from './close-months.ts'
import { countSent } from './count-sent.ts'
import { readSendVolume } from './read-send-volume.ts'
import { warnOfLimits } from './warn-of-limit.ts'

let database: TestDatabase
let clientId: number
let members = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  clientId = await addClient('Europe/Berlin')
})
afterAll(() => database.drop())

const tiers = [
  { from: 0, price_per_thousand: 1.5 },
  { from: 2, price_per_thousand: 1000.01 },
]

async function addClient(timezone: string): Promise<number> {
  const { client_id } = await database.db
    .insertInto('client')
    .values({ name: 'Coffee', timezone, created_at: '2025-01-20T12:00:00Z' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  return client_id
}

async function addCampaign(ctype: number = campaignType.regular, owner = clientId): Promise<number> {
  const at = '2025-01-21T12:00:00Z'
  const { campagne_id } = await database.db
    .insertInto('campaign')
    .values({
      client_id: owner,
      name: 'November',
      ctype,
      valid: campaignState.finished,
      expanded_at: at,
      updated_at: at,
      progress_open: false,
    })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  return campagne_id
}

interface Sent {
  at: string
  state?: string
  /** A seed or the recipient of a proof copy. */
  isCopy?: boolean
  owner?: number
}

async function send(campaignId: number, ...mails: Sent[]): Promise<void> {
  for (const { at, state = 'sent', isCopy = false, owner = clientId } of mails) {
    members++
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
      values (${owner}, ${campaignId}, ${isCopy ? -members : members}, 'a@x.test', ${state}::delivery_state,
        ${at})`.execute(database.db)
  }
}

const touch = (campaignId: number) =>
  sql`update campaign set updated_at = now() where campagne_id = ${campaignId}`.execute(database.db)

async function monthsOf(owner = clientId): Promise<Record<string, MonthVolume>> {
  const months = await readSendVolume(database.db, owner, {})
  return Object.fromEntries(months.map(month => [month.invoice_month, month]))
}

async function totals(owner = clientId): Promise<Record<string, number>> {
  const months = await readSendVolume(database.db, owner, {})
  return Object.fromEntries(
    months.filter(({ total }) => total > 0).map(({ invoice_month, total }) => [invoice_month, total]),
  )
}

/** By the wall clock of `Intl`, which knows nothing of PostgreSQL. */
function monthAt(at: string, timeZone: string): string {
  return new Date(at).toLocaleDateString('sv', { timeZone }).slice(0, 7)
}

describe('R045 R185 months', () => {
  test.for([
    // Summer time has ended in Berlin (UTC+1), and begun (UTC+2).
    ['Europe/Berlin', '2025-10-31T22:59:59.999Z', '2025-10-31T23:00:00Z'],
    ['Europe/Berlin', '2025-03-31T21:59:59.999Z', '2025-03-31T22:00:00Z'],
    ['America/Los_Angeles', '2025-11-01T06:59:59.999Z', '2025-11-01T07:00:00Z'],
    ['Asia/Kathmandu', '2025-06-30T18:14:59.999Z', '2025-06-30T18:15:00Z'],
    ['Pacific/Kiritimati', '2025-12-31T09:59:59.999Z', '2025-12-31T10:00:00Z'],
  ] as const)('begin at midnight in %s', async ([zone, before, after]) => {
    clientId = await addClient(zone)
    const campaignId = await addCampaign()
    await send(campaignId, { at: before }, { at: after }, { at: after })
    await countSent(database.db)
    const [first, second] = [monthAt(before, zone), monthAt(after, zone)]
    expect(first).not.toBe(second)
    expect(await totals()).toEqual({ [first]: 1, [second]: 2 })
  })

  test('are all there from the creation of the client until now, newest first', async () => {
    const months = await readSendVolume(database.db, clientId, {})
    expect(months.at(-1)?.invoice_month).toBe('2025-01')
    expect(months[0]?.invoice_month).toBe(monthAt(new Date().toISOString(), 'Europe/Berlin'))
    expect(months.map(({ invoice_month }) => invoice_month)).toEqual(
      months
        .map(({ invoice_month }) => invoice_month)
        .toSorted()
        .toReversed(),
    )
    const period = await readSendVolume(database.db, clientId, { from: '2025-02', to: '2025-04' })
    expect(period.map(({ invoice_month }) => invoice_month)).toEqual(['2025-04', '2025-03', '2025-02'])
  })

  test('begin with the first mail of a client whose mails are older than its record', async () => {
    const campaignId = await addCampaign()
    await send(campaignId, { at: '2024-11-15T12:00:00Z' })
    await countSent(database.db)
    expect((await readSendVolume(database.db, clientId, {})).at(-1)).toMatchObject({
      invoice_month: '2024-11',
      total: 1,
    })
  })
})

describe('R185 counting', () => {
  const at = '2025-11-15T12:00:00Z'

  test('lists mails by the type of their campaign; tests, seeds and placement checks are not billed', async () => {
    const { regular, esp, recurring, transactional, process, test: testType, ipci } = campaignType
    for (const [index, type] of [regular, esp, recurring, transactional, process, testType, ipci].entries())
      await send(await addCampaign(type), ...Array.from({ length: index + 1 }, () => ({ at })))
    const campaignId = await addCampaign()
    await send(campaignId, { at, isCopy: true }, { at, isCopy: true, state: 'rejected' })
    await addTests(at)
    await countSent(database.db)
    expect((await monthsOf())['2025-11']).toMatchObject({
      campaign: 3,
      recurring: 3,
      transactional: 9,
      test: 13 + 2 + 2 + 1,
      total: 15,
      price: null,
      limit: null,
      closed_at: null,
    })
  })

  test('counts what nb_send of the reports counts', async () => {
    const campaignId = await addCampaign()
    const states = ['sent', 'rejected', 'deferred', 'pending', 'claimed', 'skipped', 'unknown', 'cancelled']
    await send(campaignId, ...states.map(state => ({ at, state })), { at: '2025-10-15T12:00:00Z' })
    await countSent(database.db)
    expect(await totals()).toEqual({ '2025-10': 1, '2025-11': 2 })
    const [figures] = await readFigures(database.db, clientId, [campaignId])
    expect(figures?.nb_send).toBe(3)
  })

  test('agrees with a count of all rows, whatever was sent between counts, and by two processes', async () => {
    const zone = 'America/St_Johns'
    clientId = await addClient(zone)
    const campaigns = [await addCampaign(), await addCampaign(campaignType.recurring)]
    const expected: Record<string, number> = {}
    for (let round = 0; round < 6; round++) {
      for (const campaignId of campaigns) {
        const sent = Array.from({ length: 20 }, (_, index) => {
          const minutes = (round * 7919 + index * 104_729 + campaignId * 31) % (500 * 24 * 60)
          return new Date(Date.UTC(2025, 1, 3) + minutes * 60_000).toISOString()
        })
        await send(campaignId, ...sent.map(time => ({ at: time })))
        for (const time of sent) {
          const month = monthAt(time, zone)
          expected[month] = (expected[month] ?? 0) + 1
        }
        await touch(campaignId)
      }
      await Promise.all([countSent(database.db), countSent(database.db)])
      expect(await totals()).toEqual(expected)
    }
  })

  test('counts a campaign again only while it may have sent more', async () => {
    const campaignId = await addCampaign()
    await send(campaignId, { at })
    await countSent(database.db)
    await send(campaignId, { at })
    await countSent(database.db)
    expect(await totals()).toEqual({ '2025-11': 1 })
    await touch(campaignId)
    await countSent(database.db)
    expect(await totals()).toEqual({ '2025-11': 2 })
  })

  test('counts mails whose outcome becomes known after the end of their campaign', async () => {
    const campaignId = await addCampaign()
    const now = new Date().toISOString()
    await send(campaignId, { at: now, state: 'unknown' }, { at: now, state: 'unknown' })
    await countSent(database.db)
    expect(await totals()).toEqual({})
    await sql`
      update delivery set state = 'sent' where campagne_id = ${campaignId}
        and member_id = (select max(member_id) from delivery where campagne_id = ${campaignId})`.execute(
      database.db,
    )
    await countSent(database.db)
    expect(Object.values(await totals())).toEqual([1])
  })

  test('counts each client for itself', async () => {
    const other = await addClient('UTC')
    await send(await addCampaign(), { at })
    await send(await addCampaign(1, other), { at, owner: other }, { at, owner: other })
    await countSent(database.db)
    expect(await totals()).toEqual({ '2025-11': 1 })
    expect(await totals(other)).toEqual({ '2025-11': 2 })
  })

  async function addTests(sentAt: string): Promise<void> {
    const results = ['sent', 'rejected', 'deferred'].map(outcome => ({
      email: 'a@x.test',
      outcome,
      reply: '',
    }))
    await sql`
      insert into test_campaign (client_id, results, sent_at)
      values (${clientId}, ${JSON.stringify(results)}::jsonb, ${sentAt})`.execute(database.db)
    await sql`
      with setting as (
        insert into imap_setting (client_id, provider) values (${clientId}, 'Web')
        returning client_id, setting_id
      ), login as (
        insert into imap_login (client_id, setting_id, email, username)
        select client_id, setting_id, 'a@x.test', 'a' from setting returning client_id, login_id
      ), message as (
        insert into message (client_id, name) values (${clientId}, 'M') returning client_id, message_id
      ), domain as (
        insert into domain (client_id, name) values (${clientId}, ${`d${clientId}.test`})
        returning client_id, domain_id
      ), mailclass as (
        insert into mailclass (client_id, name) values (${clientId}, 'bulk') returning client_id, mailclass_id
      ), ipci as (
        insert into ipci (client_id, name, message_id, domain_id, mailclass_id, login_ids, token)
        select ${clientId}, 'Check', message_id, domain_id, mailclass_id, array[login_id], 'token'
        from message, domain, mailclass, login
        returning client_id, ipci_id
      )
      insert into ipci_result (client_id, ipci_id, login_id, provider, email, outcome, sent_at)
      select ${clientId}, ipci_id, login_id, 'Web', 'a@x.test', 'sent', ${sentAt}::timestamptz
      from ipci, login`.execute(database.db)
  }
})

describe('R045 closing of months', () => {
  const far = new Date('2026-02-10T12:00:00Z')

  test('a month is closed three days after its end by the clock of the client, once', async () => {
    clientId = await addClient('Asia/Tokyo')
    await send(await addCampaign(), { at: '2025-01-25T12:00:00Z' })
    await countSent(database.db)
    // January ends at 15:00 UTC in Tokyo.
    await closeMonths(database.db, new Date('2025-02-03T14:59:59Z'))
    expect((await monthsOf())['2025-01']?.closed_at).toBeNull()
    const both = [1, 2].map(() => closeMonths(database.db, new Date('2025-02-03T15:00:00Z')))
    await Promise.all(both)
    expect((await monthsOf())['2025-01']).toMatchObject({ total: 1, closed_at: expect.any(String) })
    expect((await monthsOf())['2025-02']?.closed_at).toBeNull()
    expect(await closeMonths(database.db, new Date('2025-02-03T15:00:00Z'))).toBe(0)
  })

  test('after a long pause all months are closed in their order, also those without mails', async () => {
    await send(await addCampaign(), { at: '2025-06-15T12:00:00Z' })
    await countSent(database.db)
    await closeMonths(database.db, far)
    const closed = Object.values(await monthsOf()).filter(({ closed_at }) => closed_at !== null)
    expect(closed.map(({ invoice_month }) => invoice_month).toReversed()).toEqual([
      ...Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, '0')}`),
      '2026-01',
    ])
    expect(await totals()).toEqual({ '2025-06': 1 })
  })

  test('a closed month keeps its figures, limit, prices and time zone', async () => {
    const campaignId = await addCampaign()
    await send(campaignId, ...['01', '02', '03'].map(day => ({ at: `2025-06-${day}T12:00:00Z` })))
    await countSent(database.db)
    await setBilling(2, tiers)
    await closeMonths(database.db, far)
    const closed = (await monthsOf())['2025-06']
    // Two emails at 1.50 and one at 1,000.01 per thousand: 1.00301.
    expect(closed).toMatchObject({ total: 3, limit: 2, price: 1, price_tiers: tiers, currency: 'EUR' })
    await setBilling(null, [])
    await sql`update client set timezone = 'Asia/Tokyo' where client_id = ${clientId}`.execute(database.db)
    await send(campaignId, { at: '2025-06-04T12:00:00Z' })
    await touch(campaignId)
    await countSent(database.db)
    await closeMonths(database.db, far)
    expect((await monthsOf())['2025-06']).toEqual(closed)
    // What is known only now counts in no month that is over.
    expect(await totals()).toEqual({ '2025-06': 3 })
  })

  test('after a change of the time zone no mail counts twice or never', async () => {
    const campaignId = await addCampaign()
    // In Berlin the first one is of January, the others of February; in Los Angeles all of them are of January.
    const times = ['2025-01-31T22:30:00Z', '2025-01-31T23:30:00Z', '2025-02-01T07:30:00Z']
    await send(campaignId, ...times.map(at => ({ at })))
    await countSent(database.db)
    await closeMonths(database.db, new Date('2025-02-10T12:00:00Z'))
    await sql`
      update client set timezone = 'America/Los_Angeles' where client_id = ${clientId}`.execute(database.db)
    await touch(campaignId)
    await countSent(database.db)
    expect(await totals()).toEqual({ '2025-01': 1, '2025-02': 2 })
    await closeMonths(database.db, far)
    expect(await totals()).toEqual({ '2025-01': 1, '2025-02': 2 })
  })

  test('a month waits for campaigns that are not counted', async () => {
    const campaignId = await addCampaign()
    await closeMonths(database.db, far)
    expect((await monthsOf())['2025-01']?.closed_at).toBeNull()
    await send(campaignId, { at: '2025-01-25T12:00:00Z' })
    await countSent(database.db)
    await closeMonths(database.db, far)
    expect((await monthsOf())['2025-01']).toMatchObject({ total: 1, closed_at: expect.any(String) })
  })
})

describe('R045 limit', () => {
  test('warns once a month when 90 % is reached', async () => {
    const campaignId = await addCampaign()
    const now = new Date().toISOString()
    await setBilling(10, [])
    await send(campaignId, ...Array.from({ length: 8 }, () => ({ at: now })))
    const warn = async () => {
      await touch(campaignId)
      await countSent(database.db)
      await Promise.all([warnOfLimits(database.db), warnOfLimits(database.db)])
      const { rows } = await sql<{ details: Record<string, unknown>; permission: string }>`
        select details, permission from notification
        where client_id = ${clientId} and code = 'send_quota'`.execute(database.db)
      return rows
    }
    expect(await warn()).toEqual([])
    await send(campaignId, { at: now })
    const [warning, ...others] = await warn()
    expect(others).toEqual([])
    expect(warning).toMatchObject({ permission: 'SendVolume:get', details: { percent: 90, limit: 10 } })
    await send(campaignId, { at: now }, { at: now })
    expect(await warn()).toHaveLength(1)
  })
})

async function setBilling(limit: number | null, prices: readonly object[]): Promise<void> {
  await sql`
    update client set send_volume_limit = ${limit}, price_tiers = ${JSON.stringify(prices)}::jsonb
    where client_id = ${clientId}`.execute(database.db)
}
