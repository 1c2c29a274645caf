import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addRecord, addTestClient, type TestClient } from '../../test/fixtures.ts'
import { type Ask, startTestApp, type TestApp } from '../../test/app.ts'

/** The door of programs: key, limits, idempotency, rendering. What is sent is tested with the engine. */

let app: TestApp
let superadmin: string
let client: TestClient
let id: number
let key: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  client = await addTestClient(app, superadmin)
  id = client.ids.transactionalcampaign ?? 0
  await app.call('PATCH', `/emma/message/${client.ids.message}`, {
    token: superadmin,
    body: { subject: 'Order {{ data.number }}', body_long: '<p>For {{ member.name }} &lt;3</p>' },
  })
  key = await makeKey(id)
})
afterAll(() => app.close())

async function makeKey(of: number): Promise<string> {
  const made = await app.call('POST', `/transactionalcampaign/${of}/rotate-key`, { token: superadmin })
  return String(made.json.key)
}

const mail = { email: 'customer@example.test', name: 'Ms Größe', data: { number: 'A-1' } }
const send = (body: unknown = mail, ask: Ask = {}, of = id) =>
  app.call('POST', `/transactionalcampaign/${of}/send`, { token: key, body, ...ask })

async function queued(): Promise<number> {
  const { rows } = await app.pool.query<{ count: number }>(
    'select count(*)::int as count from transactional_mail',
  )
  return rows[0]?.count ?? 0
}

describe('R234 the key of a transactional email', () => {
  test('sends, and is not stored', async () => {
    const sent = await send()
    expect(sent).toMatchObject({ status: 202, json: { message_id: expect.any(Number), is_repeated: false } })
    const { rows } = await app.pool.query<{ row: string }>(
      'select transactional::text as row from transactional',
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(key)
  })

  test('is good for nothing else', async () => {
    const other = await addRecord(app, superadmin, transactionalcampaign, client)
    expect((await send(mail, {}, other)).status).toBe(404)
    const paths = [
      `/transactionalcampaign/${id}`,
      '/transactionalcampaign/',
      `/transactionalcampaign/${id}/mail/`,
      '/emma/campaign/',
      '/transactional-report/',
    ]
    const writes = [`/transactionalcampaign/${id}/rotate-key`, '/transactionalcampaign/', '/emma/campaign/']
    const answers = await Promise.all([
      ...paths.map(path => app.call('GET', path, { token: key })),
      ...writes.map(path => app.call('POST', path, { token: key })),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
  })

  test('ends with its successor, and with its transactional email', async () => {
    const mine = await addRecord(app, superadmin, transactionalcampaign, client)
    const first = await makeKey(mine)
    const second = await makeKey(mine)
    expect((await send(mail, { token: first }, mine)).status).toBe(401)
    expect((await send(mail, { token: second }, mine)).status).toBe(202)
    await app.call('DELETE', `/transactionalcampaign/${mine}`, { token: superadmin })
    expect((await send(mail, { token: second }, mine)).status).toBe(401)
  })

  test('users with the permission send, too; others do not', async () => {
    const of = { clients: [client.clientId] }
    const may = await app.logIn({ ...of, permissions: ['EmmaTransactional:post'] })
    const mayNot = await app.logIn({ ...of, permissions: ['EmmaTransactional:get'] })
    expect((await send(mail, { token: may.token })).status).toBe(202)
    expect((await send(mail, { token: mayNot.token })).status).toBe(403)
    const stranger = await addTestClient(app, superadmin)
    const foreign = await app.logIn({ clients: [stranger.clientId] })
    expect((await send(mail, { token: foreign.token })).status).toBe(404)
  })
})

describe('calls', () => {
  test('the header Idempotency-Key repeats the answer, and refuses another body', async () => {
    const headers = { 'idempotency-key': 'order-1' }
    const first = await send(mail, { headers })
    const again = await send(mail, { headers })
    expect(again).toMatchObject({ status: 202, json: { ...first.json, is_repeated: true } })
    const other = await send({ ...mail, name: 'Somebody else' }, { headers })
    expect(other).toMatchObject({ status: 409, error: { reason: 'refusal.idempotency_key' } })
    expect((await send(mail, { headers: { 'idempotency-key': 'x'.repeat(300) } })).status).toBe(422)
  })

  test('what is faulty is named, and nothing is queued', async () => {
    const before = await queued()
    const faulty = await send({ email: 'nobody', data: { numbr: 3 }, subjct: 'x' })
    expect(faulty.status).toBe(422)
    const data = await send({ ...mail, data: { number: 7 } })
    expect(data.error.fields).toMatchObject([{ field: 'data.number', code: 'field.text' }])
    const late = await send({ ...mail, send_at: '2099-01-01T00:00:00Z' })
    expect(late.error.fields).toMatchObject([{ field: 'send_at' }])
    const member = await send({ ...mail, member_id: 1 })
    expect(member.error.fields).toMatchObject([{ field: 'member_id' }])
    const huge = await send({ ...mail, data: { number: 'x'.repeat(5_000_000) } })
    expect(huge.error.fields).toMatchObject([{ field: 'data.number' }, { field: 'data' }])
    const file = { filename: 'a.pdf', content_type: 'application/pdf', content: 'A'.repeat(4_000_000) }
    const heavy = await send({ ...mail, attachments: [file, file] })
    expect(heavy.error.fields).toMatchObject([{ field: 'attachments', code: 'field.too_large' }])
    const nested = await send({ ...mail, attachments: [{ ...file, content_type: 'message/rfc822' }] })
    expect(nested.error.fields).toMatchObject([{ field: 'attachments.0.content_type' }])
    const large = await send({ ...mail, data: { number: 'x'.repeat(90_000), more: 'x'.repeat(300_000) } })
    expect(large.status).toBe(422)
    const mails = Array.from({ length: 1001 }, () => mail)
    const batch = await app.call('POST', `/transactionalcampaign/${id}/send-batch`, {
      token: key,
      body: { mails },
    })
    expect(batch.status).toBe(422)
    expect(await queued()).toBe(before)
  })

  test('the rate limit counts emails, tells what is left, and accepts no part of a batch', async () => {
    const limited = await addRecord(app, superadmin, transactionalcampaign, client)
    await app.call('PATCH', `/transactionalcampaign/${limited}`, {
      token: superadmin,
      body: { rate_per_minute: 10 },
    })
    const token = await makeKey(limited)
    const batchOf = (size: number) =>
      app.call('POST', `/transactionalcampaign/${limited}/send-batch`, {
        token,
        body: { mails: Array.from({ length: size }, () => mail) },
      })
    const first = await batchOf(8)
    expect(first.status).toBe(202)
    expect(first.json.mails).toHaveLength(8)
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '2' })
    const before = await queued()
    const over = await batchOf(3)
    expect(over.status).toBe(429)
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    expect(await queued()).toBe(before)
    expect((await batchOf(2)).status).toBe(202)
    expect((await send(mail, { token }, limited)).status).toBe(429)
  })

  test('an email is rendered without being sent, its values escaped', async () => {
    const before = await queued()
    const rendered = await app.call('POST', `/transactionalcampaign/${id}/render`, {
      token: key,
      body: { ...mail, name: '<b>Ms</b>' },
    })
    expect(rendered).toMatchObject({ status: 200, json: { subject: 'Order A-1' } })
    expect(rendered.json.html).toContain('For &lt;b&gt;Ms&lt;/b&gt; &lt;3')
    expect(await queued()).toBe(before)
  })

  test('the log finds an email, and shows it', async () => {
    const email = 'wanted@example.test'
    const { json } = await send({ ...mail, email })
    const found = await app.call('GET', `/transactionalcampaign/${id}/mail/?search=wanted`, {
      token: superadmin,
    })
    expect(found.json.data).toMatchObject([{ message_id: json.message_id, email, state: 'pending' }])
    const path = `/transactionalcampaign/${id}/mail/${String(json.message_id)}`
    const shown = await app.call('GET', path, { token: superadmin })
    expect(shown.json).toMatchObject({ data: { number: 'A-1' }, rendered: { subject: 'Order A-1' } })
    const other = await addRecord(app, superadmin, transactionalcampaign, client)
    const elsewhere = path.replace(`/${id}/`, `/${other}/`)
    expect((await app.call('GET', elsewhere, { token: superadmin })).status).toBe(404)
  })
})
