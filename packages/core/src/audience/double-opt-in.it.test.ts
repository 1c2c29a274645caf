import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestAudience, createTestDatasource, type TestAudience } from '../test/audience.ts'
import { type Datasource, membersTable, readDatasource } from './datasources/datasource.ts'
import { confirmRequest, findConfirmation, renewRequest, requestConfirmation } from './double-opt-in.ts'
import { eraseMember } from './members/erase-member.ts'
import { readDoiReport } from '../reports/read-doi-report.ts'
import { memberActivity } from './members/member-activity.ts'
import { remindUnconfirmed } from './remind-unconfirmed.ts'
import { createMember, deleteMember, unsubscribeMember } from './members/write-member.ts'

let audience: TestAudience
let source: Datasource
beforeAll(async () => {
  audience = await createTestAudience()
  source = await readDatasource(audience.database.db, audience.scope, await createTestDatasource(audience))
})
afterAll(() => audience.database.drop())

const proof = {
  source: 'form',
  lang: 'de',
  consent: { text: 'I want the newsletter', version: '3' },
  page: 'https://shop.example/sign-up',
  ip: '192.0.2.7',
  userAgent: 'Browser/1.0',
} as const

async function addMember(email: string): Promise<number> {
  const { member_id } = await createMember(audience.database.db, audience.actor, source, { email })
  return member_id
}

function request(memberId: number, more: { isNew?: boolean } = {}) {
  return requestConfirmation(audience.database.db, { table: source, memberId, ...proof, ...more })
}

/** Gives the queued mail of a member the campaign that the engine would send it with; returns its link. */
async function sendQueued(memberId: number) {
  const { db } = audience.database
  const { client_id: clientId } = source
  const { campagne_id: campaignId } = await db
    .insertInto('campaign')
    .values({ client_id: clientId, name: 'Confirmation', ctype: 6 })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('process_mail')
    .set({ campagne_id: campaignId })
    .where('client_id', '=', clientId)
    .where('member_id', '=', memberId)
    .where('process', '=', 'doi_request')
    .where('campagne_id', 'is', null)
    .execute()
  return { clientId, campaignId, memberId, ip: '198.51.100.9', userAgent: 'Phone/2.0' }
}

async function readMember(memberId: number) {
  const { rows } = await sql<Record<string, unknown>>`
    select doi_state, host(doi_ip) as doi_ip, doi_at is not null as has_time, dateunjoin is null as is_subscribed
    from ${membersTable(source.member_table_id)} where member_id = ${memberId}`.execute(audience.database.db)
  return rows[0]
}

async function countRequests(memberId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from process_mail where member_id = ${memberId} and process = 'doi_request'`.execute(
    audience.database.db,
  )
  return rows[0]?.count ?? 0
}

/** Moves the requests of a member into the past. */
function age(memberId: number, interval: string) {
  return sql`
    update doi_request set requested_at = requested_at - ${interval}::interval,
      expires_at = expires_at - ${interval}::interval
    where member_id = ${memberId}`.execute(audience.database.db)
}

test('R276 a new member is pending until its link is used, once, with proof of both', async () => {
  const memberId = await addMember('new@shop.test')
  expect(await request(memberId, { isNew: true })).toBe('requested')
  expect(await readMember(memberId)).toMatchObject({ doi_state: 'pending', has_time: false })

  const link = await sendQueued(memberId)
  expect(await findConfirmation(audience.database.db, link)).toMatchObject({
    state: 'open',
    email: 'new@shop.test',
    lang: 'de',
    client: 'Own',
  })
  expect(await readMember(memberId)).toMatchObject({ doi_state: 'pending' })
  expect(await confirmRequest(audience.database.db, link)).toBe('open')
  expect(await readMember(memberId)).toEqual({
    doi_state: 'confirmed',
    doi_ip: '198.51.100.9',
    has_time: true,
    is_subscribed: true,
  })
  expect(await confirmRequest(audience.database.db, link)).toBe('used')
  const stored = await audience.database.db
    .selectFrom('doi_request')
    .selectAll()
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  expect(stored).toMatchObject({
    source: 'form',
    consent_text: 'I want the newsletter',
    consent_version: '3',
    page_url: 'https://shop.example/sign-up',
    requested_ip: '192.0.2.7',
    requested_agent: 'Browser/1.0',
    confirmed_ip: '198.51.100.9',
    confirmed_agent: 'Phone/2.0',
  })
  expect(await request(memberId)).toBe('confirmed')
})

test('R276 a link expires after 14 days, and a link of another tenant or mail is unknown', async () => {
  const memberId = await addMember('late@shop.test')
  await request(memberId, { isNew: true })
  const link = await sendQueued(memberId)
  const foreign = { ...link, clientId: audience.foreign.clientId }
  expect(await confirmRequest(audience.database.db, foreign)).toBe('unknown')
  expect(await confirmRequest(audience.database.db, { ...link, campaignId: 999_999 })).toBe('unknown')
  await age(memberId, '14 days')
  expect(await confirmRequest(audience.database.db, link)).toBe('expired')
  expect(await readMember(memberId)).toMatchObject({ doi_state: 'pending' })
})

test('no second mail within an hour, also for two requests at once, and five in 14 days', async () => {
  const memberId = await addMember('eager@shop.test')
  const both = await Promise.all([request(memberId, { isNew: true }), request(memberId)])
  expect(both.toSorted()).toEqual(['recent', 'requested'])
  const first = await sendQueued(memberId)
  for (let count = 2; count <= 5; count++) {
    await age(memberId, '61 minutes')
    expect(await request(memberId)).toBe('requested')
  }
  await age(memberId, '61 minutes')
  expect(await request(memberId)).toBe('recent')
  expect(await countRequests(memberId)).toBe(5)
  expect(await confirmRequest(audience.database.db, first)).toBe('open')
  expect(await countRequests(memberId)).toBe(5)
})

test('a subscribed member stays mailable while asked, and one who left returns only with the link', async () => {
  const member = await addMember('customer@shop.test')
  expect(await request(member)).toBe('requested')
  expect(await readMember(member)).toMatchObject({ doi_state: 'none', is_subscribed: true })

  const left = await addMember('left@shop.test')
  await unsubscribeMember(audience.database.db, audience.actor, source, left)
  expect(await request(left)).toBe('requested')
  expect(await readMember(left)).toMatchObject({ is_subscribed: false })
  expect(await confirmRequest(audience.database.db, await sendQueued(left))).toBe('open')
  expect(await readMember(left)).toMatchObject({ doi_state: 'confirmed', is_subscribed: true })
  const { rows } = await sql<{ type: string }>`
    select type::text from event where member_id = ${left} order by ts`.execute(audience.database.db)
  expect(rows.map(row => row.type)).toEqual(['join', 'unsubscribe', 'join'])
})

test('links of deleted and erased members are unknown, and erasure keeps the count without the person', async () => {
  const deleted = await addMember('deleted@shop.test')
  await request(deleted, { isNew: true })
  const link = await sendQueued(deleted)
  await deleteMember(audience.database.db, audience.actor, source, deleted, { revision: null })
  expect(await confirmRequest(audience.database.db, link)).toBe('unknown')

  const erased = await addMember('erased@shop.test')
  await request(erased, { isNew: true })
  const erasedLink = await sendQueued(erased)
  await eraseMember(audience.database.db, audience.actor, source, erased)
  expect(await findConfirmation(audience.database.db, erasedLink)).toBeNull()
  const row = await audience.database.db
    .selectFrom('doi_request')
    .select(['email', 'requested_ip', 'requested_agent', 'page_url'])
    .where('member_id', '=', erased)
    .executeTakeFirst()
  expect(row).toEqual({
    email: 'erased@erased.invalid',
    requested_ip: null,
    requested_agent: null,
    page_url: null,
  })
})

test('the activity of a member shows each request with its proof', async () => {
  const memberId = await addMember('proof@shop.test')
  await request(memberId, { isNew: true })
  await confirmRequest(audience.database.db, await sendQueued(memberId))
  const { data } = await memberActivity(audience.database.db, source, memberId, { limit: 25, offset: 0 })
  const shown = data.filter(({ type }) => type.startsWith('doi_'))
  expect(shown).toMatchObject([
    { type: 'doi_confirmed', source: 'form', ip: '198.51.100.9' },
    { type: 'doi_request', source: 'form', ip: '192.0.2.7' },
  ])
  expect(shown[1]).toMatchObject({
    details: { page: 'https://shop.example/sign-up', consent: 'I want the newsletter', consent_version: '3' },
  })
})

test('an expired link is replaced by a new one with the same consent, an open one is not', async () => {
  const memberId = await addMember('renewed@shop.test')
  await request(memberId, { isNew: true })
  const link = await sendQueued(memberId)
  await renewRequest(audience.database.db, link)
  expect(await countRequests(memberId)).toBe(1)
  await age(memberId, '15 days')
  await renewRequest(audience.database.db, link)
  await renewRequest(audience.database.db, link)
  expect(await countRequests(memberId)).toBe(2)
  const next = await sendQueued(memberId)
  expect(await confirmRequest(audience.database.db, next)).toBe('open')
})

test('a reminder is sent once, when it is due and the request is open', async () => {
  const { db } = audience.database
  await db.updateTable('member_table').set({ doi_reminder_days: 3 }).execute()
  const [due, early, done] = [
    await addMember('due@shop.test'),
    await addMember('early@shop.test'),
    await addMember('done@shop.test'),
  ]
  for (const memberId of [due, early, done]) await request(memberId, { isNew: true })
  await confirmRequest(db, await sendQueued(done))
  await age(due, '3 days')
  await age(done, '3 days')
  await remindUnconfirmed(db)
  await remindUnconfirmed(db)
  expect(await Promise.all([due, early, done].map(countRequests))).toEqual([2, 1, 1])
})

test('a sign-up is reminded of once, and never if the person left, bounced, complained, confirmed or is suppressed', async () => {
  const { db } = audience.database
  await db.updateTable('member_table').set({ doi_reminder_days: 3 }).execute()
  const { blacklist_id } = await db
    .insertInto('blacklist')
    .values({ client_id: source.client_id, name: 'Own', kind: 'client', match: 'email' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('blacklist_entry')
    .values({ client_id: source.client_id, blacklist_id, value: 'reminder-suppressed@shop.test' })
    .execute()
  const changes = {
    waiting: sql`updated_at = now()`,
    left: sql`dateunjoin = now()`,
    bounced: sql`hardbounced_at = now()`,
    complained: sql`complained_at = now()`,
    imported: sql`doi_state = 'confirmed'`,
    moved: sql`email = 'other@shop.test'`,
    suppressed: sql`updated_at = now()`,
  }
  const ids = new Map<string, number>()
  for (const [name, change] of Object.entries(changes)) {
    const memberId = await addMember(`reminder-${name}@shop.test`)
    ids.set(name, memberId)
    await request(memberId, { isNew: true })
    await sql`update ${membersTable(source.member_table_id)} set ${change} where member_id = ${memberId}`.execute(
      db,
    )
    await age(memberId, '3 days')
  }
  const waiting = ids.get('waiting') ?? 0
  await request(waiting)
  await age(waiting, '3 days')
  const late = await addMember('expiring@shop.test')
  await request(late, { isNew: true })
  await age(late, '13 days 1 hour')
  const counted = async () =>
    Object.fromEntries(await Promise.all([...ids].map(async ([n, id]) => [n, await countRequests(id)])))
  const before = await counted()
  for (const _ of [1, 2]) await remindUnconfirmed(db)
  expect(await counted()).toEqual({ ...before, waiting: 3 })
  expect(await countRequests(late)).toBe(1)
})

test('the mailbox that a link was sent to cannot confirm the address that the member has meanwhile', async () => {
  const memberId = await addMember('typed-wrong@shop.test')
  await request(memberId, { isNew: true })
  const link = await sendQueued(memberId)
  await sql`update ${membersTable(source.member_table_id)} set email = 'right@shop.test'
    where member_id = ${memberId}`.execute(audience.database.db)
  expect(await confirmRequest(audience.database.db, link)).toBe('unknown')
  expect(await readMember(memberId)).toMatchObject({ doi_state: 'pending' })
})

test('R177 the report counts requests by day, source and form of one client', async () => {
  const { db } = audience.database
  const base = { limit: 25, offset: 0 }
  const { data: bySource, total } = await readDoiReport(db, audience.clientId, { ...base, group: 'source' })
  const { rows } = await sql<{ requested: number; confirmed: number; expired: number }>`
    select count(*) as requested, count(confirmed_at) as confirmed,
      count(*) filter (where confirmed_at is null and closed_at is null and expires_at <= now()) as expired
    from doi_request where requested_at > now() - interval '30 days'`.execute(db)
  expect(total).toBe(1)
  expect(bySource).toEqual([{ date: null, source: 'form', form_id: null, sent: 0, rate: 0, ...rows[0] }])
  expect(rows[0]?.expired).toBeGreaterThan(0)
  const { data: byDay } = await readDoiReport(db, audience.clientId, { ...base, group: 'date' })
  expect(byDay.reduce((sum, { requested }) => sum + requested, 0)).toBe(rows[0]?.requested)
  expect(byDay.every(({ date }, at) => at === 0 || (date ?? '') < (byDay[at - 1]?.date ?? ''))).toBe(true)
  const past = { ...base, group: 'form', start_date: '2001-01-01', end_date: '2001-01-31' } as const
  expect(await readDoiReport(db, audience.clientId, past)).toMatchObject({ data: [], total: 0 })
  const { data: foreign } = await readDoiReport(db, audience.foreign.clientId, { ...base, group: 'date' })
  expect(foreign).toEqual([])
})
