import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { endUpload } from '@emma/core/audience/uploads/run-upload.ts'
import { readUpload } from '@emma/core/audience/uploads/read-upload.ts'
import { transition } from '@emma/core/campaigns/transition.ts'
import { maxFailingDays } from '@emma/core/webhooks/deliver-queue.ts'
import { gatherDeliveries } from '@emma/core/webhooks/gather-deliveries.ts'
import { gatherEvents } from '@emma/core/webhooks/gather-events.ts'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { createLogger } from '../logger.ts'
import { startWebhooks } from './webhook-loop.ts'
import { createSender, type SenderOptions } from './webhook-send.ts'
import { fault } from '@emma/contract/faults.ts'

/** A client with a campaign and an upload. */
interface TestClient {
  clientId: number
  campaignId: number
}

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

let app: TestApp
let token: string
let ours: TestClient
let theirs: TestClient
let receiver: Server
let origin: string
let received: Received[] = []
let running: { stop(): Promise<void> } | null = null

beforeAll(async () => {
  app = await startTestApp({ EMMA_WEBHOOK_LOOPBACK: 'true' })
  token = await app.logInSuperadmin()
  ours = await addClient('Ours')
  theirs = await addClient('Theirs')
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => (body += String(chunk)))
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({ path, headers: request.headers, body })
      if (path === '/hang') return
      if (path === '/redirect') return response.writeHead(302, { location: '/taken' }).end()
      if (path === '/gone') return response.writeHead(410).end('gone')
      if (path === '/busy') return response.writeHead(429, { 'retry-after': '600' }).end()
      if (path === '/endless') return response.writeHead(200).write('x'.repeat(100_000))
      if (path === '/fail') return response.writeHead(500).end('out of \u0000order')
      response.end('thanks')
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
})
afterEach(async () => {
  await running?.stop()
  running = null
  received = []
  await sql`delete from webhook`.execute(app.db)
})
afterAll(async () => {
  receiver.closeAllConnections()
  await new Promise(resolve => receiver.close(resolve))
  await app.close()
})

async function addClient(name: string): Promise<TestClient> {
  const { rows } = await sql<TestClient>`
    with made as (insert into client (name) values (${name}) returning client_id),
    upload as (insert into data_upload (client_id, filename, file) select client_id, 'a.csv', 'a.csv' from made)
    insert into campaign (client_id, name) select client_id, 'News' from made
    returning client_id as "clientId", campagne_id as "campaignId"`.execute(app.db)
  const [tenant] = rows
  if (!tenant) throw new Error('No client was made')
  return tenant
}

function run(options: Partial<SenderOptions> = {}): void {
  running = startWebhooks({
    db: app.db,
    key: app.config.deriveKey('secrets at rest'),
    sender: createSender({ allowLoopback: true, ...options }),
    logger: createLogger('jobs', 'silent'),
  })
}

async function addWebhook(
  path: string,
  events: string[],
  client = ours,
): Promise<{ id: number; secret: string }> {
  const made = await app.call('POST', '/emma/webhook/', {
    token,
    body: { client_id: client.clientId, url: `${origin}${path}`, events },
  })
  expect(made.status).toBe(201)
  return { id: Number(made.json.webhook_id), secret: String(made.json.secret) }
}

async function complain(...members: number[]): Promise<void> {
  await sql`
    insert into event (client_id, type, member_id, email)
    select ${ours.clientId}, 'complaint', id, 'm' || id || '@example.test' from unnest(${members}::int[]) as id`.execute(
    app.db,
  )
}

async function messages(id: number) {
  const { json } = await app.call('GET', `/emma/webhook/${id}/message/`, { token })
  return json.data as {
    message_id: number
    uid: string
    state: string
    attempts: number
    next_at: string
    last: Record<string, unknown> | null
  }[]
}

/**
 * Collects until the webhook's calls contain that many events. An open transaction holds back later events, also in
 * other tests' databases on the same server.
 */
async function gathered(id: number, events: number): Promise<void> {
  const count = async () => {
    await gatherEvents(app.db)
    const { rows } = await sql<{ events: number }>`
      select coalesce(sum(event_count), 0)::int as events from webhook_message where webhook_id = ${id}`.execute(
      app.db,
    )
    return rows[0]?.events
  }
  await expect.poll(count).toBe(events)
}

/** The webhook's calls once the first one has been attempted. */
async function tried(id: number) {
  await expect.poll(async () => (await messages(id)).at(-1)?.last).toBeTruthy()
  return messages(id)
}

/** Once another attempt has ended: it counts from its start. */
async function triedAgain(id: number, before: Awaited<ReturnType<typeof messages>>[number] | undefined) {
  await expect.poll(async () => (await messages(id))[0]?.last?.started_at).not.toBe(before?.last?.started_at)
  expect((await messages(id))[0]?.attempts).toBe(2)
}

const find = (id: number) => app.call('GET', `/emma/webhook/${id}`, { token })

test('events arrive signed in one call, at subscribed webhooks only', async () => {
  const { id, secret } = await addWebhook('/ok', ['mail.complained'])
  const { id: other } = await addWebhook('/other', ['mail.opened'])
  await complain(1, 2, 3)
  run()
  await tried(id)
  expect(received).toHaveLength(1)
  const { headers, body } = received[0] as Received
  const sent = new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(sent).toMatchObject({
    type: 'events',
    client_id: ours.clientId,
    data: [1, 2, 3].map(member_id => ({
      type: 'mail.complained',
      data: { member_id, email: `m${member_id}@example.test` },
    })),
  })
  expect((await messages(id))[0]).toMatchObject({
    uid: headers['webhook-id'],
    state: 'delivered',
    attempts: 1,
    last: { status: 200, answer: 'thanks', error: null },
  })
  expect(await messages(other)).toEqual([])
  expect((await find(id)).json).toMatchObject({ failing_since: null, last_success_at: expect.any(String) })
})

test('the secret is shown once and stored encrypted; after a rotation both sign for a day', async () => {
  const { id, secret } = await addWebhook('/ok', ['mail.complained'])
  expect((await find(id)).json.secret).toBeNull()
  const stored = await app.db
    .selectFrom('webhook')
    .select('secret')
    .where('webhook_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(stored.secret.toString('latin1')).not.toContain(secret.slice(6))
  const rotated = await app.call('POST', `/emma/webhook/${id}/rotate`, { token })
  expect(rotated.json.secret).not.toBe(secret)
  const callAndVerify = async (by: unknown) => {
    received = []
    await app.call('POST', `/emma/webhook/${id}/test`, { token })
    const { headers, body } = received[0] as Received
    return new Webhook(String(by)).verify(body, headers as Record<string, string>)
  }
  await expect(callAndVerify(secret)).resolves.toBeTruthy()
  await expect(callAndVerify(rotated.json.secret)).resolves.toBeTruthy()
  await sql`update webhook set previous_until = now() - interval '1 second'`.execute(app.db)
  await expect(callAndVerify(secret)).rejects.toThrow('No matching signature')
  await expect(callAndVerify(rotated.json.secret)).resolves.toBeTruthy()
})

test.each([
  ['/fail', { status: 500, answer: 'out of order', error: null }],
  ['/hang', { status: null, answer: null, error: 'timeout' }],
  ['/redirect', { status: 302, error: null }],
])('%s: retried later with the same id', async (path, attempt) => {
  const { id } = await addWebhook(path, ['mail.complained'])
  await complain(1)
  // The others may be slow on a busy machine.
  run(path === '/hang' ? { timeout: 500 } : {})
  const [call] = await tried(id)
  expect(call).toMatchObject({ state: 'pending', attempts: 1, last: attempt })
  const begun = Date.parse(String(call?.last?.started_at))
  expect(Date.parse(call?.next_at ?? '') - begun).toBeGreaterThan(4_000)
  expect((await find(id)).json.failing_since).not.toBeNull()
  await sql`update webhook_message set next_at = now()`.execute(app.db)
  await triedAgain(id, call)
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([call?.uid]))
  expect(received.map(each => each.path)).not.toContain('/taken')
})

test('a receiver that hangs does not delay the others', async () => {
  const { id: hanging } = await addWebhook('/hang', ['mail.complained'])
  const { id: good } = await addWebhook('/ok', ['mail.complained'])
  await complain(1)
  run({ timeout: 20_000 })
  expect((await tried(good))[0]?.state).toBe('delivered')
  expect((await messages(hanging))[0]).toMatchObject({ state: 'pending', last: null })
  receiver.closeAllConnections()
})

test('an endless response is cut off, and Retry-After is respected', async () => {
  const { id: endless } = await addWebhook('/endless', ['mail.complained'])
  const { id: busy } = await addWebhook('/busy', ['mail.complained'])
  await complain(1)
  run({ timeout: 5_000 })
  const [call] = await tried(endless)
  expect(call).toMatchObject({ state: 'delivered', last: { answer: 'x'.repeat(1_000) } })
  const [asked] = await tried(busy)
  expect(Date.parse(asked?.next_at ?? '')).toBeGreaterThan(Date.now() + 500_000)
  receiver.closeAllConnections()
})

test('the eighth failure is the last, and a replay restarts the attempts', async () => {
  const { id } = await addWebhook('/fail', ['mail.complained'])
  await complain(1)
  await gathered(id, 1)
  await sql`update webhook_message set attempts = 7`.execute(app.db)
  run()
  const [given] = await tried(id)
  expect(given).toMatchObject({ state: 'failed', attempts: 8 })
  await app.call('PATCH', `/emma/webhook/${id}`, { token, body: { url: `${origin}/ok` } })
  const replayed = await app.call('POST', `/emma/webhook/${id}/message/${given?.message_id}/replay`, {
    token,
  })
  expect(replayed.json).toEqual({ replayed: 1 })
  await expect.poll(async () => (await messages(id))[0]?.state).toBe('delivered')
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const span = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() }
  const replay = (body: unknown) => app.call('POST', `/emma/webhook/${id}/replay`, { token, body })
  expect((await replay(span)).json).toEqual({ replayed: 0 })
  expect((await replay({ ...span, only_failed: false })).json).toEqual({ replayed: 1 })
  await expect.poll(() => received.filter(each => each.path === '/ok')).toHaveLength(2)
})

test('days of failures, or 410, deactivate it and notify users who can reactivate it', async () => {
  const { id: failing } = await addWebhook('/fail', ['mail.complained'])
  const { id: gone } = await addWebhook('/gone', ['mail.complained'])
  await sql`update webhook set failing_since = now() - make_interval(days => ${maxFailingDays}, secs => 1)
    where webhook_id = ${failing}`.execute(app.db)
  await complain(1)
  run()
  await tried(failing)
  await tried(gone)
  expect((await find(failing)).json).toMatchObject({ active: false, disabled_reason: 'failing' })
  expect((await find(gone)).json).toMatchObject({ active: false, disabled_reason: 'gone' })
  const told = await app.db
    .selectFrom('notification')
    .select(['client_id', 'permission', 'code', 'path'])
    .orderBy('code')
    .execute()
  expect(told).toEqual([
    {
      client_id: ours.clientId,
      permission: 'Webhook:patch',
      code: 'webhook_failing',
      path: `/settings/webhooks/edit/${failing}`,
    },
    {
      client_id: ours.clientId,
      permission: 'Webhook:patch',
      code: 'webhook_gone',
      path: `/settings/webhooks/edit/${gone}`,
    },
  ])
  const [waiting] = await messages(failing)
  const refused = await app.call('POST', `/emma/webhook/${failing}/message/${waiting?.message_id}/replay`, {
    token,
  })
  expect(refused).toMatchObject({ status: 409, json: { code: 'wrong_state' } })
  const on = await app.call('PATCH', `/emma/webhook/${failing}`, { token, body: { active: true } })
  expect(on.json).toMatchObject({ active: true, disabled_reason: null, failing_since: null })
})

test('private addresses are rejected when saved, and when a name resolves to one at call time', async () => {
  const save = (url: string) =>
    app.call('POST', '/emma/webhook/', {
      token,
      body: { client_id: ours.clientId, url, events: ['mail.opened'] },
    })
  expect(await save('https://10.0.0.1/')).toMatchObject({ status: 422, json: { fields: [{ field: 'url' }] } })
  expect(await save('https://169.254.169.254/')).toMatchObject({ status: 422 })
  const { id } = await addWebhook('/ok', ['mail.complained'])
  const { port } = receiver.address() as AddressInfo
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  await sql`update webhook set url = ${`http://rebound.example.com:${port}/ok`}`.execute(app.db)
  await complain(1)
  run({ allowLoopback: false, resolve })
  const [call] = await tried(id)
  expect(call).toMatchObject({ state: 'pending', last: { status: null, error: 'refused_address' } })
  expect(asked).toContain('rebound.example.com')
  await sql`update webhook set url = ${`${origin}/ok`}`.execute(app.db)
  await sql`update webhook_message set next_at = now()`.execute(app.db)
  await triedAgain(id, call)
  expect((await messages(id))[0]?.last).toMatchObject({ error: 'refused_address' })
  expect(received).toEqual([])
})

test('reports events since its activation, including late ones, each once', async () => {
  await complain(1)
  const { id } = await addWebhook('/ok', ['mail.complained'])
  const late = await app.pool.connect()
  await late.query('begin')
  await late.query(`insert into event (client_id, type, member_id) values ($1, 'complaint', 2)`, [
    ours.clientId,
  ])
  await complain(3)
  await gatherEvents(app.db)
  await late.query('commit')
  late.release()
  await gathered(id, 2)
  await gatherEvents(app.db)
  run()
  await expect.poll(() => membersOf(received)).toHaveLength(2)
  expect(membersOf(received).toSorted((a, b) => a - b)).toEqual([2, 3])
  expect(await messages(id)).not.toEqual([])
})

function membersOf(calls: Received[]): number[] {
  return calls.flatMap(({ body }) =>
    JSON.parse(body).data.map((event: { data: { member_id: number } }) => event.data.member_id),
  )
}

test('thousands of events need few calls', async () => {
  const { id } = await addWebhook('/ok', ['mail.complained'])
  await complain(...Array.from({ length: 1_200 }, (_, index) => index + 1))
  await gathered(id, 1_200)
  const { rows } = await sql<{ event_count: number }>`
    select event_count from webhook_message where webhook_id = ${id} order by event_count desc`.execute(
    app.db,
  )
  expect(rows.map(row => row.event_count)).toEqual([500, 500, 200])
})

test('accepted messages are read from the ledger, each once', async () => {
  const { id } = await addWebhook('/ok', ['mail.delivered'])
  await sql`update webhook set activated_at = now() - interval '1 hour'`.execute(app.db)
  await sql`update campaign set valid = 2 where campagne_id = ${ours.campaignId}`.execute(app.db)
  await sql`delete from webhook_ledger_cursor`.execute(app.db)
  const deliver = (member: number, state: string, secondsAgo: number) =>
    sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at, smtp_code)
    values (${ours.clientId}, ${ours.campaignId}, ${member}, 'a@example.test', ${state}::delivery_state,
      now() - make_interval(secs => ${secondsAgo}), 250)`.execute(app.db)
  await deliver(1, 'sent', 60)
  await deliver(2, 'rejected', 60)
  await deliver(3, 'sent', 0)
  await gatherDeliveries(app.db)
  await gatherDeliveries(app.db)
  const { rows } = await sql<{ events: { data: { member_id: number } }[] }>`
    select events from webhook_message where webhook_id = ${id}`.execute(app.db)
  expect(rows.flatMap(row => row.events.map(event => event.data.member_id))).toEqual([1])
  await sql`delete from delivery where client_id = ${ours.clientId}`.execute(app.db)
})

test('events of an A/B test name the variant of their recipient: of the sample, or the winner', async () => {
  const { id } = await addWebhook('/ok', ['mail.delivered', 'mail.clicked', 'member.unsubscribed'])
  await sql`update webhook set activated_at = now() - interval '1 hour'`.execute(app.db)
  await sql`delete from webhook_ledger_cursor`.execute(app.db)
  const plain = await addClient('Without a test')
  const { rows: campaigns } = await sql<{ id: number }>`
    insert into campaign (client_id, name, valid, split, split_winner)
    values (${ours.clientId}, 'Tested', 2, '{"variants": [{"subject": "Other"}]}', 1), (${ours.clientId}, 'Plain', 2, null, null)
    returning campagne_id as id`.execute(app.db)
  const [tested, untested] = campaigns.map(campaign => campaign.id)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at, variant)
    select ${ours.clientId}, campaign, member, 'a@example.test', 'sent', now() - interval '1 minute', variant
    from (values (${tested}::bigint, 1, 0), (${tested}, 2, 1), (${tested}, 3, null), (${untested}, 1, null))
      as sent (campaign, member, variant)`.execute(app.db)
  // The same keys of another client are not looked at.
  await sql`
    insert into event (client_id, campagne_id, type, member_id)
    values (${ours.clientId}, ${tested}, 'click', 1), (${ours.clientId}, ${tested}, 'unsubscribe', 3),
      (${ours.clientId}, ${untested}, 'click', 1), (${ours.clientId}, ${tested}, 'click', 99),
      (${plain.clientId}, ${plain.campaignId}, 'click', 1)`.execute(app.db)
  await gatherDeliveries(app.db)
  await gathered(id, 8)
  const { rows } = await sql<{ events: { type: string; data: Record<string, unknown> }[] }>`
    select events from webhook_message where webhook_id = ${id}`.execute(app.db)
  const named = rows
    .flatMap(row => row.events)
    .map(({ type, data }) => [type, data.campaign_id, data.member_id, data.variant])
  expect(named).toHaveLength(8)
  expect(named).toEqual(
    expect.arrayContaining([
      ['mail.delivered', tested, 1, 'A'],
      ['mail.delivered', tested, 2, 'B'],
      ['mail.delivered', tested, 3, 'B'],
      ['mail.delivered', untested, 1, undefined],
      ['mail.clicked', tested, 1, 'A'],
      ['mail.clicked', untested, 1, undefined],
      ['mail.clicked', tested, 99, undefined],
      ['member.unsubscribed', tested, 3, 'B'],
    ]),
  )
  await sql`delete from delivery where client_id = ${ours.clientId}`.execute(app.db)
})

test('campaigns and imports report their state changes', async () => {
  const { id } = await addWebhook('/ok', [
    'campaign.started',
    'campaign.paused',
    'campaign.finished',
    'import.failed',
  ])
  const state = campaignState
  const moves = [state.preparing, state.running, state.paused, state.running, state.finished, state.archived]
  const key = { clientId: ours.clientId, campaignId: ours.campaignId }
  const from = Object.values(state)
  for (const to of [...moves, state.finished]) expect(await transition(app.db, key, { from, to })).toBe(true)
  const uploads = await app.db
    .updateTable('data_upload')
    .set({ status: 1 })
    .returning(['client_id', 'id'])
    .where('client_id', 'in', [ours.clientId, theirs.clientId])
    .execute()
  for (const { client_id, id: uploadId } of uploads)
    await endUpload(
      app.db,
      await readUpload(app.db, { clientIds: [client_id] }, uploadId),
      fault('upload.empty'),
    )
  const { rows } = await sql<{ type: string; resumed: boolean | null; error: string | null }>`
    select types[1] as type, (events -> 0 -> 'data' ->> 'resumed')::boolean as resumed,
      events -> 0 -> 'data' ->> 'error' as error
    from webhook_message where webhook_id = ${id} order by message_id`.execute(app.db)
  expect(rows).toEqual([
    { type: 'campaign.started', resumed: false, error: null },
    { type: 'campaign.paused', resumed: null, error: null },
    { type: 'campaign.started', resumed: true, error: null },
    { type: 'campaign.finished', resumed: null, error: null },
    { type: 'import.failed', resumed: null, error: 'The file is empty.' },
  ])
})

test('log, tests, replays and secrets are inaccessible to other clients', async () => {
  const { id } = await addWebhook('/ok', ['mail.complained'], theirs)
  const tested = await app.call('POST', `/emma/webhook/${id}/test`, { token })
  expect(tested.json).toMatchObject({ ok: true, status: 200 })
  const [call] = await messages(id)
  const { token: stranger } = await app.logIn({ clients: [ours.clientId] })
  const span = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }
  for (const [method, path, body] of [
    ['GET', `/emma/webhook/${id}/message/`, undefined],
    ['GET', `/emma/webhook/${id}/message/${call?.message_id}`, undefined],
    ['POST', `/emma/webhook/${id}/message/${call?.message_id}/replay`, {}],
    ['POST', `/emma/webhook/${id}/replay`, span],
    ['POST', `/emma/webhook/${id}/test`, {}],
    ['POST', `/emma/webhook/${id}/rotate`, {}],
  ] as const)
    expect({ path, status: (await app.call(method, path, { token: stranger, body })).status }).toEqual({
      path,
      status: 404,
    })
  const shown = await app.call('GET', `/emma/webhook/${id}/message/${call?.message_id}`, { token })
  expect(shown.json).toMatchObject({ events: [{ type: 'webhook.test' }], log: [{ status: 200 }] })
})
