import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDatasource } from '@emma/core/audience/datasources/datasource.ts'
import { insertColumns, writeSchema } from '@emma/core/audience/datasources/write-schema.ts'
import { eraseConfirmed } from '@emma/core/audience/preferences/data-request.ts'
import { fixedColumns } from '@emma/core/audience/members/member-columns.ts'
import { memberActivity } from '@emma/core/audience/members/member-activity.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { memberColumn } from '@emma/contract/resources/membertable.ts'
import { transaction } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { expandProcessMails, listProcessMails } from '@emma/delivery/1-expand/expand-process-mails.ts'
import { readRecipients } from '@emma/delivery/2-claim/read-recipients.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import { signToken } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestTracking, type TestTracking, trackingKey } from '../test/tracking-server.ts'

let database: TestDatabase
let tenant: TestTenant
let campaign: { clientId: number; campaignId: number }
let tracking: TestTracking
const folder = mkdtempSync(join(tmpdir(), 'emma-preferences-'))

const people = { ann: 1, ben: 2, cat: 3, dan: 4, eve: 5, fay: 6 }

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Object.keys(people).map(name => `${name}@gmx.test`),
  )
  campaign = await addCampaign(tenant)
  await expandCampaign(tenant.db, campaign, testExpansion)
  // The test's datasource has no records of its fixed columns.
  await insertColumns(tenant.db, await datasource(), fixedColumns)
  const source = await datasource()
  const topics = [
    { column_name: 'offers', label: 'Offers', topic: { de: '<b>Angebote', en: 'Offers' } },
    { column_name: 'events', label: 'Events', topic: { en: 'Events' } },
    { column_name: 'is_vip', label: 'VIP', topic: null },
  ].map(column => memberColumn.parse({ ...column, data_type: 'bool' }))
  await transaction(tenant.db, tx => writeSchema(tx, source, [...source.columns, ...topics], []))
  tracking = await openTestTracking(database, folder)
})
afterAll(async () => {
  await tracking.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})
beforeEach(() => sql`delete from webform_attempt`.execute(tenant.db))

function datasource() {
  return readDatasource(tenant.db, { clientIds: [tenant.clientId] }, tenant.memberTableId)
}

function pageOf(memberId: number): string {
  const token = signToken(trackingKey, { kind: 'campaign', ...campaign, memberId }, 'page')
  return `/u/${token}/preferences`
}

function get(url: string) {
  return tracking.app.inject({ method: 'GET', url })
}

function post(url: string, values: Record<string, string> | [string, string][]) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Phone/2.0' }
  return tracking.app.inject({ method: 'POST', url, headers, payload: String(new URLSearchParams(values)) })
}

async function readMember(memberId: number) {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.id('members', `t${tenant.memberTableId}`)} where member_id = ${memberId}`.execute(
    tenant.db,
  )
  return rows[0]
}

/** Mails of requests by address, with the paths of their links, as the engine would send them. */
async function sentRequests(memberId: number): Promise<{ email: string; link: string; skip: unknown }[]> {
  for (const group of await listProcessMails(tenant.db))
    await expandProcessMails(tenant.db, group, () => 'http://localhost')
  const { rows } = await sql<{ campaignId: number; email: string }>`
    select p.campagne_id as "campaignId", d.email from process_mail as p
    join delivery as d on d.client_id = p.client_id and d.campagne_id = p.campagne_id and d.member_id = p.member_id
    where p.member_id = ${memberId} and p.process = 'data_request' order by p.process_mail_id`.execute(
    tenant.db,
  )
  return Promise.all(
    rows.map(async ({ campaignId, email }) => {
      const { clientId } = tenant
      const token = signToken(trackingKey, { kind: 'doi', clientId, campaignId, memberId }, 'page')
      const mail = {
        memberTableId: tenant.memberTableId,
        blacklistIds: [],
        columns: ['email'],
        process: 'data_request',
      } as const
      const row = { clientId, campaignId, memberId, email, providerId: 0, attempts: 1 }
      const [recipient] = await readRecipients(tenant.db, clientId, mail, [row])
      return {
        email,
        link: `/u/${token}/confirm`,
        skip: recipient && 'skip' in recipient ? recipient.skip : null,
      }
    }),
  )
}

async function requestOf(memberId: number, values: Record<string, string>) {
  const answer = await post(pageOf(memberId), values)
  expect(answer.statusCode).toBe(200)
  const mails = await sentRequests(memberId)
  return { answer, mail: mails.at(-1) ?? { email: '', link: '', skip: null } }
}

async function typesOf(memberId: number): Promise<string[]> {
  const { data } = await memberActivity(tenant.db, await datasource(), memberId, { limit: 100, offset: 0 })
  return data.map(({ type }) => type)
}

it('topics and language are chosen by the person, shown in it, and logged; other columns are out of reach', async () => {
  const url = pageOf(people.ann)
  const table = tenant.memberTableId
  expect((await get(url)).body).toMatch(/value="\d+\.offers"> Offers/)
  const saved = await post(url, [
    ['action', 'save'],
    ['list', String(table)],
    ['language', 'de'],
    ['shown', `${table}.offers`],
    ['shown', `${table}.is_vip`],
    ['shown', `${table}.email`],
    ['shown', '999.events'],
    ['topic', `${table}.offers`],
    ['topic', `${table}.is_vip`],
    ['topic', `${table}.events`],
  ])
  expect(saved.body).toContain('<html lang="de">')
  expect(saved.body).toMatch(/value="\d+\.offers" checked> &lt;b&gt;Angebote/)
  expect(await readMember(people.ann)).toMatchObject({
    offers: true,
    events: null,
    is_vip: null,
    email: 'ann@gmx.test',
    dateunjoin: null,
  })
  expect((await get(url)).body).toContain('<html lang="de">')
  expect(await typesOf(people.ann)).toContain('edit')
  const { rows } = await sql<{ changes: unknown }>`
    select changes from change_log where object = 'member' and object_id = ${people.ann}`.execute(tenant.db)
  expect(rows).toEqual([{ changes: { offers: [null, true] } }])
})

it('a new address is used once its owner confirms, with history and choices, and links to the old one end', async () => {
  await sql`
    insert into contact_frequency (client_id, address, period_hours)
    values (${tenant.clientId}, 'ben@gmx.test', 168)`.execute(tenant.db)
  const { answer, mail } = await requestOf(people.ben, { action: 'address', email: ' new@gmx.test ' })
  expect(answer.body).toContain('new@gmx.test')
  expect(mail).toMatchObject({ email: 'new@gmx.test', skip: null })
  const erasure = await requestOf(people.ben, { action: 'erasure' })
  for (const _ of [1, 2]) expect((await get(mail.link)).body).toContain('Confirm new address')
  expect(await readMember(people.ben)).toMatchObject({ email: 'ben@gmx.test' })
  expect((await post(mail.link, { action: 'address' })).body).toContain('Address changed')
  expect(await readMember(people.ben)).toMatchObject({ email: 'new@gmx.test' })
  expect((await post(mail.link, { action: 'address' })).body).toContain('This link was used')
  expect((await post(erasure.mail.link, {})).statusCode).toBe(404)
  const { rows } = await sql`select address from contact_frequency`.execute(tenant.db)
  expect(rows).toEqual([{ address: 'new@gmx.test' }])
  expect(await typesOf(people.ben)).toEqual(
    expect.arrayContaining(['address_request', 'address_confirmed', 'edit', 'pending']),
  )
})

it('an address in use gets the same answer and mail, and stays with its owner', async () => {
  const free = await requestOf(people.cat, { action: 'address', email: 'free@gmx.test' })
  const taken = await requestOf(people.cat, { action: 'address', email: 'dan@gmx.test' })
  expect(taken.mail.email).toBe('dan@gmx.test')
  expect(taken.answer.body).toBe(free.answer.body.replaceAll('free@', 'dan@'))
  expect((await post(taken.mail.link, {})).body).toContain('Address not changed')
  expect(await readMember(people.cat)).toMatchObject({ email: 'cat@gmx.test' })
  expect(await readMember(people.dan)).toMatchObject({ email: 'dan@gmx.test' })
})

it('faulty addresses are shown again as text, and no mail is queued for them', async () => {
  for (const email of [
    '',
    'nobody',
    '"><script>@',
    'a@b.test\r\nBcc: c@d.test',
    `${'x'.repeat(400)}@b.test`,
  ]) {
    const answer = await post(pageOf(people.dan), { action: 'address', email })
    expect(answer.body).toContain('Please enter a valid email address.')
    expect(answer.body).not.toContain('<script')
  }
  expect(await sentRequests(people.dan)).toEqual([])
})

it('a copy of the data is downloaded once, by the link in the mailbox alone', async () => {
  const { mail } = await requestOf(people.dan, { action: 'export' })
  expect(mail.email).toBe('dan@gmx.test')
  expect((await get(mail.link)).body).toContain('Copy of your data')
  const copy = await post(mail.link, { action: 'export' })
  expect(copy.headers).toMatchObject({
    'content-disposition': 'attachment; filename="data.json"',
    'cache-control': 'no-store, private',
  })
  expect(copy.json()).toMatchObject({
    email: 'dan@gmx.test',
    preferences: { frequency: 'all', paused_until: null, language: null },
    datasources: [{ data: { email: 'dan@gmx.test' }, activity: expect.any(Array) }],
  })
  expect(copy.body).not.toContain('cat@gmx.test')
  expect((await post(mail.link, { action: 'export' })).body).toContain('This link was used')
})

it('an erasure is done after the confirmation, also of people who complained, and their links end', async () => {
  await sql`
    update ${sql.id('members', `t${tenant.memberTableId}`)} set complained_at = now()
    where member_id = ${people.eve}`.execute(tenant.db)
  const { mail } = await requestOf(people.eve, { action: 'erasure' })
  expect(mail.skip).toBeNull()
  await get(mail.link)
  await eraseConfirmed(tenant.db)
  expect(await readMember(people.eve)).toBeDefined()
  expect((await post(mail.link, { action: 'erasure' })).body).toContain('Your data is being erased')
  expect((await post(mail.link, { action: 'erasure' })).body).toContain('This link was used')
  await eraseConfirmed(tenant.db)
  expect(await readMember(people.eve)).toBeUndefined()
  for (const url of [mail.link, pageOf(people.eve)]) expect((await get(url)).statusCode).toBe(404)
  const { rows } = await sql`select from doi_request where email = 'eve@gmx.test'`.execute(tenant.db)
  expect(rows).toEqual([])
  await eraseConfirmed(tenant.db)
})

it('an expired link does nothing, and a link does only what it was sent for', async () => {
  const { mail } = await requestOf(people.fay, { action: 'address', email: 'later@gmx.test' })
  await sql`update doi_request set expires_at = now() where email = 'later@gmx.test'`.execute(tenant.db)
  expect((await get(mail.link)).body).toContain('This link has expired')
  expect((await post(mail.link, { action: 'renew' })).body).toContain('This link has expired')
  const copy = await requestOf(people.fay, { action: 'export' })
  expect((await post(copy.mail.link, { action: 'erasure' })).headers['content-type']).toContain('json')
  await eraseConfirmed(tenant.db)
  expect(await readMember(people.fay)).toMatchObject({ email: 'fay@gmx.test' })
})

it('two confirmations at once change once; requests and changes are limited, unsubscribing is not', async () => {
  const { mail } = await requestOf(people.fay, { action: 'address', email: 'twice@gmx.test' })
  const answers = await Promise.all([post(mail.link, {}), post(mail.link, {})])
  const outcomes = answers.map(({ body }) => /Address changed|link was used/.exec(body)?.[0])
  expect(new Set(outcomes)).toEqual(new Set(['Address changed', 'link was used']))
  const before = (await sentRequests(people.fay)).length
  for (let n = 0; n < 8; n += 1)
    await post(pageOf(people.fay), { action: 'address', email: `other${n}@gmx.test` })
  expect((await sentRequests(people.fay)).length - before).toBe(5)
  for (let n = 0; n < 25; n += 1) await post(pageOf(people.fay), { action: 'none' })
  expect((await post(pageOf(people.fay), { action: 'export' })).body).toContain('Too many attempts')
  await post(pageOf(people.fay), { action: 'unsubscribe' })
  expect((await readMember(people.fay))?.['dateunjoin']).not.toBeNull()
})
