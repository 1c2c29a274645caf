import { readFileSync } from 'node:fs'
import { EmmaError } from '@emma/contract/errors.ts'
import { createSchema } from '@emma/contract/resource-schemas.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { findProcessMail } from '@emma/core/content/process-mail.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '@emma/core/test/audience.ts'
import { confirmRequest } from '@emma/core/audience/double-opt-in.ts'
import { membersTable, readDatasource } from '@emma/core/audience/datasources/datasource.ts'
import { readFrequency, setFrequency } from '@emma/core/audience/contact-frequency.ts'
import { memberActivity } from '@emma/core/audience/members/member-activity.ts'
import { exportPerson } from '@emma/core/audience/preferences/export-person.ts'
import { listConsentVersions } from '@emma/core/audience/web-forms/consent-versions.ts'
import { webformOperations } from '@emma/core/audience/web-forms/webform-operations.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProcessPages } from '../process-pages.ts'
import { mountWebForms } from './mount-web-forms.ts'

let audience: TestAudience
let app: FastifyInstance
let table: number
let domainId: number
let clock = Date.parse('2026-03-01T12:00:00Z')
let visitors = 0

const forms = webformOperations('http://localhost')

beforeAll(async () => {
  audience = await createTestAudience()
  const { db } = audience.database
  table = await createTestDatasource(audience, [
    { column_name: 'firstname', label: 'First name', data_type: 'string', length: 40 },
    { column_name: 'points', label: 'Points', data_type: 'int' },
    { column_name: 'campaign', label: 'Campaign', data_type: 'string' },
    {
      column_name: 'offers',
      label: 'Offers',
      data_type: 'bool',
      topic: { de: '<b>Angebote', en: 'Our offers' },
    },
  ])
  domainId = (
    await db
      .insertInto('domain')
      .values({ client_id: audience.clientId, name: 'sender.test' })
      .returning('domain_id')
      .executeTakeFirstOrThrow()
  ).domain_id
  app = fastify({ trustProxy: true })
  const pages = createProcessPages(db)
  const config = { deriveKey: () => Buffer.alloc(32, 3) }
  const logger = pino({ level: 'silent' })
  mountWebForms({ app, config, db, logger, pages, answerMs: 1, now: () => clock })
})
afterAll(async () => {
  await app.close()
  await audience.database.drop()
})

const fields = [
  { column: 'email', label: {}, required: true, hidden: false, default: null, prefill: true, step: 1 },
  {
    column: 'firstname',
    label: { de: 'Vorname' },
    required: true,
    hidden: false,
    default: null,
    prefill: true,
    step: 1,
  },
  { column: 'points', label: {}, required: false, hidden: false, default: null, prefill: false, step: 1 },
  { column: 'campaign', label: {}, required: false, hidden: true, default: 'web', prefill: false, step: 1 },
]

function createForm(more: object = {}) {
  const { database, actor, clientId } = audience
  const consent = { en: 'I agree to the [terms](https://shop.example/terms)' }
  const input = { name: 'Sign-up', member_table_id: table, domain_id: domainId, fields, consent, ...more }
  return forms.create(database.db, actor, clientId, input)
}

type Form = Awaited<ReturnType<typeof createForm>>

/** Sends a form as a new visitor who took ten seconds. */
async function submit(form: Form, values: Record<string, string>, options: InjectOptions = {}) {
  visitors += 1
  const start = await startOf(form)
  clock += 10_000
  const body = { _start: start, _consent: '1', email: '', firstname: 'Ann', ...values }
  return app.inject({
    method: 'POST',
    url: `/f/${form.hash}`,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `198.51.${visitors >> 8}.${visitors & 255}`,
    },
    payload: JSON.stringify(body),
    ...options,
  })
}

async function startOf(form: Form): Promise<string> {
  const { body } = await app.inject({ url: `/f/${form.hash}` })
  return /name="_start" value="([^"]+)"/.exec(body)?.[1] ?? ''
}

async function memberOf(email: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select member_id, firstname, points, campaign, offers, source, doi_state, dateunjoin
    from ${membersTable(table)} where lower(email) = ${email}`.execute(audience.database.db)
  return rows[0]
}

async function requestsOf(memberId: unknown) {
  const { rows } = await sql<Record<string, unknown>>`
    select doi_request_id, consent_text, consent_version, page_url, host(requested_ip) as ip, requested_agent, form_id
    from doi_request where member_id = ${memberId}`.execute(audience.database.db)
  return rows
}

/** Opens the link of the member's mail that was queued last. */
async function confirm(memberId: number) {
  const { db } = audience.database
  const { campagne_id: campaignId } = await db
    .insertInto('campaign')
    .values({ client_id: audience.clientId, name: 'Confirmation', ctype: 6 })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  await sql`update process_mail set campagne_id = ${campaignId}
    where member_id = ${memberId} and process = 'doi_request' and campagne_id is null`.execute(db)
  const clientId = audience.clientId
  return confirmRequest(db, { clientId, campaignId, memberId, ip: '192.0.2.1', userAgent: null })
}

test('R237 the page has labels, the consent with its link, and values of the URL where the form allows it', async () => {
  const form = await createForm()
  const { body, headers } = await app.inject({
    url: `/f/${form.hash}?firstname=%22%3E%3Cscript%3E&points=5&lang=de`,
  })
  expect(body).toContain('<label for="f-firstname">Vorname')
  expect(body).toContain('value="&#34;&#62;&#60;script&#62;"')
  expect(body).toContain('<a href="https://shop.example/terms"')
  expect(body).toContain('autocomplete="given-name"')
  expect(body).not.toContain('value="5"')
  expect(body).not.toContain('name="campaign"')
  expect(String(headers['content-security-policy'])).toContain("script-src 'self'")
  expect(headers['set-cookie']).toBeUndefined()
})

test('R237 a submission without script stores a pending member with the proof', async () => {
  const form = await createForm()
  const start = await startOf(form)
  clock += 5000
  const answer = await app.inject({
    method: 'POST',
    url: `/f/${form.hash}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Browser/1',
      referer: 'https://shop.example/join?mail=secret',
    },
    payload: new URLSearchParams({
      _start: start,
      _consent: '1',
      email: 'Plain@Example.test',
      firstname: 'Ann',
      points: '7',
    }).toString(),
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('If this address is not subscribed yet')
  const member = await memberOf('plain@example.test')
  expect(member).toMatchObject({
    firstname: 'Ann',
    points: 7,
    campaign: 'web',
    source: 'Sign-up',
    doi_state: 'pending',
  })
  expect(await requestsOf(member?.['member_id'])).toMatchObject([
    {
      consent_version: '1',
      page_url: 'https://shop.example/join',
      ip: '127.0.0.1',
      requested_agent: 'Browser/1',
      form_id: form.webform_id,
    },
  ])
})

test('R237 errors stand at the fields, and everything typed is kept', async () => {
  const form = await createForm()
  const payload = new URLSearchParams({
    _start: await startOf(form),
    email: 'nobody',
    firstname: 'Zoë <b>',
    points: 'x',
  })
  const answer = await app.inject({
    method: 'POST',
    url: `/f/${form.hash}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: payload.toString(),
  })
  expect(answer.statusCode).toBe(422)
  expect(answer.body).toContain('Zoë &#60;b&#62;')
  expect(answer.body).toMatch(/id="f-email-error">Please enter a valid email address/)
  expect(answer.body).toMatch(/id="f-points-error">Please enter a number/)
  expect(answer.body).toMatch(/id="f-consent-error">Please agree/)
  const json = await submit(form, { email: 'nobody' })
  expect(json.json()).toMatchObject({ errors: { email: 'Please enter a valid email address.' } })
})

test('R237 unknown fields are refused by name, and hidden ones cannot be set', async () => {
  const form = await createForm()
  for (const name of [
    'campaign',
    'doi_state',
    'member_id',
    'offers',
    '_frequency',
    'pmt_ids',
    '__proto__x',
  ]) {
    const answer = await submit(form, { email: 'unknown@example.test', [name]: 'x' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().notice).toContain(name)
  }
  expect(await memberOf('unknown@example.test')).toBeUndefined()
})

test('web forms: a filled honeypot gets the same answer, and nothing is stored', async () => {
  const form = await createForm()
  const bot = await submit(form, { email: 'bot@example.test', website: 'https://spam.example' })
  const person = await submit(form, { email: 'person@example.test' })
  expect(await memberOf('bot@example.test')).toBeUndefined()
  expect(bot.json()).toEqual(person.json())
})

test('web forms: a start time is required, of this form, and at least two seconds old', async () => {
  const form = await createForm()
  const other = await startOf(await createForm())
  for (const _start of ['', 'x', other, `${clock.toString(36)}.AAAAAAAAAAAAAAAAAAAAAA`]) {
    const answer = await submit(form, { email: 'early@example.test', _start })
    expect(answer.json()).toMatchObject({ notice: 'Please check your entries and send them once more.' })
  }
  const now = await startOf(form)
  const early = await app.inject({
    method: 'POST',
    url: `/f/${form.hash}`,
    headers: { 'content-type': 'application/json' },
    payload: { _start: now, _consent: '1', email: 'early@example.test', firstname: 'Ann' },
  })
  expect(early.statusCode).toBe(422)
  expect(await memberOf('early@example.test')).toBeUndefined()
})

test('web forms: one address submits six times an hour without proof of work, and more often with one each', async () => {
  const form = await createForm()
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.5' }
  for (let n = 0; n < 6; n += 1)
    expect((await submit(form, { email: `many${n}@example.test` }, { headers })).statusCode).toBe(200)
  expect((await submit(form, { email: 'many6@example.test' }, { headers })).statusCode).toBe(429)
  const { challenge } = (await app.inject({ url: `/f/${form.hash}/data` })).json()
  const solution = await solveChallenge({ challenge, deriveKey })
  const _proof = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  const proven = await submit(form, { email: 'many7@example.test', _proof }, { headers })
  expect(proven.statusCode).toBe(200)
  const again = await submit(form, { email: 'many8@example.test', _proof }, { headers })
  expect(again.statusCode).toBe(429)
})

test('web forms: the limit of the form holds for all visitors together', async () => {
  const form = await createForm({ rate_limit: 2 })
  const codes = []
  for (let n = 0; n < 3; n += 1)
    codes.push((await submit(form, { email: `all${n}@example.test` })).statusCode)
  expect(codes).toEqual([200, 200, 429])
})

test('web forms: two submissions at once send one confirmation, and the answers are equal', async () => {
  const form = await createForm()
  const answers = await Promise.all([1, 2, 3].map(() => submit(form, { email: 'twice@example.test' })))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  const member = await memberOf('twice@example.test')
  expect(await requestsOf(member?.['member_id'])).toHaveLength(1)
})

test('web forms: new, pending, confirmed, unsubscribed and suppressed addresses get the same answer', async () => {
  const form = await createForm()
  const { db } = audience.database
  const first = await submit(form, { email: 'known@example.test' })
  const member = await memberOf('known@example.test')
  const pending = await submit(form, { email: 'known@example.test' })
  expect(await confirm(Number(member?.['member_id']))).toBe('open')
  const confirmed = await submit(form, { email: 'KNOWN@example.test', firstname: 'Stranger' })
  expect(await memberOf('known@example.test')).toMatchObject({ firstname: 'Ann', doi_state: 'confirmed' })
  await sql`update ${membersTable(table)} set dateunjoin = now() where email = 'known@example.test'`.execute(
    db,
  )
  const left = await submit(form, { email: 'known@example.test', firstname: 'Again' })
  expect(await memberOf('known@example.test')).toMatchObject({
    firstname: 'Ann',
    dateunjoin: expect.anything(),
  })
  const { blacklist_id } = await db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: 'Own', kind: 'client', match: 'email' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('blacklist_entry')
    .values({ client_id: audience.clientId, blacklist_id, value: 'gone@example.test' })
    .execute()
  const suppressed = await submit(form, { email: 'gone@example.test' })
  expect(await memberOf('gone@example.test')).toBeUndefined()
  const answers = [first, pending, confirmed, left, suppressed]
  expect(answers.map(answer => [answer.statusCode, answer.body])).toEqual(
    answers.map(() => [200, first.body]),
  )
})

test('web forms: values of somebody who left are written when the link is used', async () => {
  const form = await createForm()
  const { db } = audience.database
  await sql`insert into ${membersTable(table)} (client_id, email, firstname, dateunjoin, points)
    values (${audience.clientId}, 'back@example.test', 'Old', now(), 3)`.execute(db)
  await submit(form, { email: 'back@example.test', firstname: 'New' })
  const before = await memberOf('back@example.test')
  expect(before).toMatchObject({ firstname: 'Old', points: 3 })
  expect(await confirm(Number(before?.['member_id']))).toBe('open')
  expect(await memberOf('back@example.test')).toMatchObject({
    firstname: 'New',
    points: 3,
    dateunjoin: null,
    doi_state: 'confirmed',
  })
})

test('web forms: without double opt-in a new member is subscribed, and existing ones keep their values', async () => {
  const form = await createForm({ doi: false })
  await submit(form, { email: 'direct@example.test' })
  expect(await memberOf('direct@example.test')).toMatchObject({ doi_state: 'none', firstname: 'Ann' })
  await submit(form, { email: 'direct@example.test', firstname: 'Other' })
  expect(await memberOf('direct@example.test')).toMatchObject({ firstname: 'Ann' })
})

test('web forms: a changed consent text has the next version, and the older one is not accepted', async () => {
  const form = await createForm()
  const { database, actor, scope } = audience
  const change = { consent: { en: 'I agree to the new terms' } }
  const after = await forms.patch(database.db, actor, scope, form.webform_id, change, { revision: null })
  expect(after.consent_version).toBe(2)
  const old = await submit(form, { email: 'version@example.test' })
  expect(old.json().errors).toEqual({ _consent: 'Please agree to this text.' })
  const now = await submit(form, { email: 'version@example.test', _consent: '2' })
  expect(now.statusCode).toBe(200)
  const versions = await database.db
    .selectFrom('webform_consent')
    .select(['version', 'consent'])
    .where('webform_id', '=', form.webform_id)
    .orderBy('version')
    .execute()
  expect(versions).toMatchObject([{ version: 1 }, { version: 2, consent: change.consent }])
})

test('web forms: two changes of the consent at once get a version each', async () => {
  const form = await createForm()
  const { database, actor, scope } = audience
  const change = (en: string) =>
    forms.patch(database.db, actor, scope, form.webform_id, { consent: { en } }, { revision: null })
  const changed = await Promise.all([change('One'), change('Two'), change('Three')])
  expect(new Set(changed.map(({ consent_version }) => consent_version))).toEqual(new Set([2, 3, 4]))
  expect(await listConsentVersions(database.db, form, { limit: 20, offset: 0 })).toMatchObject({ total: 4 })
})

test('R237 topics have the names of the preference page, and are chosen with the confirmation', async () => {
  const offers = {
    column: 'offers',
    label: {},
    required: false,
    hidden: false,
    default: null,
    prefill: false,
    step: 2,
  }
  const form = await createForm({ fields: [...fields, offers] })
  const { body } = await app.inject({ url: `/f/${form.hash}?lang=de` })
  expect(body).toContain('<p class="label" id="f-offers-topics">Themen</p>')
  expect(body).toContain('&#60;b&#62;Angebote')
  await sql`insert into ${membersTable(table)} (client_id, email, dateunjoin)
    values (${audience.clientId}, 'topics@example.test', now())`.execute(audience.database.db)
  await submit(form, { email: 'topics@example.test', offers: 'true' })
  const before = await memberOf('topics@example.test')
  expect(before).toMatchObject({ offers: null })
  await confirm(Number(before?.['member_id']))
  expect(await memberOf('topics@example.test')).toMatchObject({ offers: true })
})

test('R237 the frequency is asked for where the form says so, and applies from the confirmation on', async () => {
  const { db } = audience.database
  const frequencyOf = (email: string) => readFrequency(db, audience.clientId, email)
  const form = await createForm({ frequency: true })
  const { body } = await app.inject({ url: `/f/${form.hash}` })
  expect(body).toContain('value="all" checked> All emails')
  const faulty = await submit(form, { email: 'often@example.test', _frequency: 'daily' })
  expect(faulty.json().errors).toEqual({ _frequency: 'Please choose one of the options.' })
  await submit(form, { email: 'often@example.test', _frequency: 'month' })
  expect(await frequencyOf('often@example.test')).toBe('all')
  await confirm(Number((await memberOf('often@example.test'))?.['member_id']))
  expect(await frequencyOf('often@example.test')).toBe('month')
  await submit(form, { email: 'often@example.test', _frequency: 'all' })
  expect(await frequencyOf('often@example.test')).toBe('month')
})

test('web forms: without double opt-in, nobody sets the frequency of an address that is known already', async () => {
  const { db } = audience.database
  const form = await createForm({ frequency: true, doi: false })
  const other = await createTestDatasource(audience, [], 'Customers of the shop')
  await sql`insert into ${membersTable(other)} (client_id, email)
    values (${audience.clientId}, 'customer@example.test')`.execute(db)
  await setFrequency(db, audience.clientId, 'chosen-week@example.test', 'week')
  const after = async (email: string) => {
    await submit(form, { email, _frequency: 'month' })
    return readFrequency(db, audience.clientId, email)
  }
  expect(await after('fresh@example.test')).toBe('month')
  expect(await after('customer@example.test')).toBe('all')
  expect(await after('chosen-week@example.test')).toBe('week')
})

test('R237 consent versions are listed with their texts and confirmations, and shown in activity and copy', async () => {
  const form = await createForm({ doi: false, consent: { en: 'First text' } })
  const { actor, scope, database } = audience
  const { db } = database
  await submit(form, { email: 'first-text@example.test' })
  for (const consent of [{ en: 'Second text', de: 'Zweiter Text' }, {}])
    await forms.patch(db, actor, scope, form.webform_id, { consent }, { revision: null })
  const listed = await listConsentVersions(db, form, { limit: 20, offset: 0 })
  expect(listed).toMatchObject({
    total: 3,
    data: [
      { version: 3, consent: {}, submissions: 0, confirmed: 0 },
      { version: 2, consent: { en: 'Second text', de: 'Zweiter Text' }, submissions: 0 },
      { version: 1, consent: { en: 'First text' }, submissions: 1, confirmed: 1 },
    ],
  })
  expect((await listConsentVersions(db, form, { limit: 1, offset: 1 })).data).toMatchObject([{ version: 2 }])
  expect(
    await listConsentVersions(
      db,
      { ...form, client_id: audience.foreign.clientId },
      { limit: 20, offset: 0 },
    ),
  ).toEqual({ data: [], total: 0 })
  const source = await readDatasource(db, scope, table)
  const memberId = Number((await memberOf('first-text@example.test'))?.['member_id'])
  const { data } = await memberActivity(db, source, memberId, { limit: 25, offset: 0 })
  const shown = { consent: 'First text', consent_version: 1, form: 'Sign-up', ip: expect.any(String) }
  expect(data).toMatchObject([{ type: 'join', details: shown }])
  const person = {
    table: source,
    memberId,
    campaignId: null,
    email: 'first-text@example.test',
    isSubscribed: true,
  }
  const copy = await exportPerson(db, { ...person, state: 'member' })
  expect(copy.datasources[0]?.activity).toMatchObject([{ type: 'join', details: shown }])
})

test('web forms: bodies that are no forms are refused', async () => {
  const form = await createForm()
  const url = `/f/${form.hash}`
  const json = { 'content-type': 'application/json' }
  const bodies = [
    '[]',
    'null',
    '{"email":{}}',
    '{',
    `{"a":"${'x'.repeat(70_000)}"}`,
    `{${'"a":"",'.repeat(5000)}"b":""}`,
  ]
  for (const payload of bodies)
    expect((await app.inject({ method: 'POST', url, headers: json, payload })).statusCode).toBeOneOf([
      400, 413,
    ])
  const names = Array.from({ length: 200 }, (_, n) => `n${n}=1`).join('&')
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await app.inject({ method: 'POST', url, headers: urlencoded, payload: names })).statusCode).toBe(
    400,
  )
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await app.inject({ method: 'POST', url, headers: multipart, payload: '--x--' })).statusCode).toBe(
    400,
  )
  for (const hash of [
    'x',
    '1-AAAAAAAAAAAAAAAAAAAAAA',
    '../../etc/passwd',
    '%00',
    `zzzzzzzzzzz-${'A'.repeat(22)}`,
  ])
    expect((await app.inject({ url: `/f/${hash}` })).statusCode).toBeOneOf([400, 404])
})

/** Adds a text of the client, not the default of its process. */
async function addText(process: string, lang: string, clientId = audience.clientId): Promise<number> {
  const content = { name: `${process} ${lang}`, subject: 'Own', body_long: `<p>Own ${process}</p>` }
  const text = { client_id: clientId, process, lang, ...content }
  const { pmt_id } = await audience.database.db
    .insertInto('pmt')
    .values(text)
    .returning('pmt_id')
    .executeTakeFirstOrThrow()
  return pmt_id
}

test('R190 R237 a form uses the texts that it chooses, in the language of the person, and other forms do not', async () => {
  const { db } = audience.database
  const welcome = await addText('welcome', 'en')
  const form = await createForm({ doi: false, pmt_ids: [welcome, await addText('page_thanks', 'de')] })
  const queuedFor = async (email: string) => {
    const { rows } = await sql<{ process: string; webform_id: number }>`
      select process, webform_id from process_mail where member_id = ${(await memberOf(email))?.['member_id']}`.execute(
      db,
    )
    return rows
  }
  await submit(form, { email: 'chosen@example.test' })
  expect(await queuedFor('chosen@example.test')).toEqual([
    { process: 'welcome', webform_id: form.webform_id },
  ])
  await submit(await createForm({ doi: false }), { email: 'none@example.test' })
  expect(await queuedFor('none@example.test')).toEqual([])
  const textOf = async (process: 'welcome' | 'page_thanks', lang: 'en' | 'de' | 'es', id = form.webform_id) =>
    (await findProcessMail(db, audience.clientId, process, lang, id)).pmt_id
  expect(await textOf('welcome', 'es')).toBe(welcome)
  const spanish = await addText('welcome', 'es')
  await db.updateTable('pmt').set({ is_default: true }).where('pmt_id', '=', spanish).execute()
  expect([await textOf('welcome', 'es'), await textOf('welcome', 'en')]).toEqual([spanish, welcome])
  expect(await textOf('page_thanks', 'en')).toBeNull()
  expect(
    await findProcessMail(db, audience.foreign.clientId, 'welcome', 'en', form.webform_id),
  ).toMatchObject({
    pmt_id: null,
  })
  await db.updateTable('pmt').set({ active: false }).where('pmt_id', '=', welcome).execute()
  expect(await textOf('welcome', 'en')).toBeNull()
})

test('R190 R237 a form chooses texts of its client, of processes that forms have, one per language', async () => {
  const { database, actor, scope, foreign } = audience
  const chosen = async (...pmt_ids: number[]) => {
    const error: unknown = await createForm({ pmt_ids }).catch((reason: unknown) => reason)
    return error instanceof EmmaError ? error.fields.map(({ field, code }) => `${field} ${code}`) : error
  }
  const doi = await addText('doi_request', 'en')
  expect(await chosen(await addText('doi_request', 'en', foreign.clientId))).toEqual([
    'pmt_ids field.not_there',
  ])
  expect(await chosen(999_999)).toEqual(['pmt_ids field.not_there'])
  expect(await chosen(await addText('page_unsub', 'en'))).toEqual(['pmt_ids field.form_process'])
  expect(await chosen(doi, await addText('doi_request', 'en'))).toEqual(['pmt_ids field.form_process_twice'])
  const form = await createForm({ pmt_ids: [doi] })
  await database.db
    .updateTable('pmt')
    .set({ deleted_at: new Date().toISOString() })
    .where('pmt_id', '=', doi)
    .execute()
  const change = { name: 'Renamed', pmt_ids: [doi] }
  const after = await forms.patch(database.db, actor, scope, form.webform_id, change, { revision: null })
  expect(after).toMatchObject(change)
  expect(
    await findProcessMail(database.db, audience.clientId, 'doi_request', 'en', form.webform_id),
  ).toMatchObject({ pmt_id: null })
})

test('web forms: pages that people are sent to are on plain public hosts, by HTTPS', () => {
  const schema = createSchema(webform)
  const input = { name: 'Sign-up', member_table_id: 1, domain_id: 1, fields }
  const isTaken = (url: string) =>
    schema.safeParse({ ...input, thanks_url: url }).success &&
    schema.safeParse({ ...input, confirmed_url: url }).success
  expect(isTaken('https://shop.example/thanks?from=form#top')).toBe(true)
  for (const url of [
    'http://shop.example/',
    'javascript:alert(1)',
    '//shop.example',
    'https://user@shop.example',
    'https://*',
    "https://a;frame-ancestors'none'.example",
    'https://shop.example,evil.example',
  ])
    expect([url, isTaken(url)]).toEqual([url, false])
})

test('web forms: the redirect is that of the form alone', async () => {
  const form = await createForm({ thanks_url: 'https://shop.example/thanks' })
  const answer = await submit(form, { email: 'redirect@example.test' })
  expect(answer.json()).toEqual({ redirect: 'https://shop.example/thanks' })
})

test('web forms: an inactive or deleted form is gone', async () => {
  const form = await createForm({ active: false })
  for (const path of ['', '/data'])
    expect((await app.inject({ url: `/f/${form.hash}${path}` })).statusCode).toBe(404)
  expect((await submit(form, { email: 'closed@example.test' })).statusCode).toBe(404)
})

test('web forms: figures are counted from visits and submissions', async () => {
  const form = await createForm()
  await app.inject({ method: 'POST', url: `/f/${form.hash}/starts` })
  await submit(form, { email: 'figures@example.test' })
  const member = await memberOf('figures@example.test')
  await confirm(Number(member?.['member_id']))
  const { database, actor, scope } = audience
  const counted = await forms.find(database.db, actor, scope, form.webform_id)
  expect(counted).toMatchObject({ views: 1, starts: 1, submissions: 1, confirmed: 1 })
})

test('web forms: the script that embeds them is below 12 kB', () => {
  const script = readFileSync(new URL('embed.js', import.meta.url))
  expect(script.length).toBeLessThan(12_000)
})
