import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let ours: TestClient
let theirs: TestClient
let token: string

beforeAll(async () => {
  app = await startTestApp()
  const superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  token = (await app.logIn({ clients: [ours.clientId] })).token
  await app.db.updateTable('campaign').set({ valid: 5, started_at: '2026-05-04T08:00:00Z' }).execute()
  const recipient = {
    client_id: ours.clientId,
    campagne_id: Number(ours.ids.campaign),
    provider_id: 0,
  }
  const busy = {
    smtp_code: 451,
    enhanced: '4.7.1',
    class: 'rate',
    reply: '451 4.7.1 <secret@example.test> later',
  }
  await app.db
    .insertInto('delivery')
    .values([
      ...[1, 2, 3].map(member_id => ({
        ...recipient,
        member_id,
        email: `secret-${member_id}@example.test`,
        state: 'sent' as const,
        claimed_at: `2026-05-04T08:0${member_id}:00Z`,
        recorded_at: `2026-05-04T08:0${member_id}:02Z`,
      })),
      {
        ...recipient,
        member_id: 4,
        email: 'secret-4@example.test',
        state: 'rejected' as const,
        hard: true,
        smtp_code: 550,
        enhanced: '5.1.1',
        class: 'bad-mailbox',
        recorded_at: '2026-05-04T08:03:30Z',
      },
      { ...recipient, ...busy, member_id: 5, email: 'secret-5@example.test', state: 'deferred' as const },
      { ...recipient, member_id: 6, email: 'secret-6@example.test', state: 'pending' as const },
      { ...recipient, member_id: 7, email: 'secret-7@example.test', state: 'skipped' as const },
      { ...recipient, member_id: -1, email: 'seed@example.test', state: 'pending' as const },
    ])
    .execute()
  await app.db
    .insertInto('event')
    .values({
      client_id: ours.clientId,
      campagne_id: Number(ours.ids.campaign),
      type: 'deferred',
      member_id: 5,
      email: 'secret-5@example.test',
      ts: '2026-05-04T08:02:10Z',
    })
    .execute()
})
afterAll(() => app.close())

const stats = (id: unknown, rest = '') => `/mtastats/${Number(id)}${rest}`

test('R242 the queue, the last hour by minute, providers and reasons of a campaign', async () => {
  const answer = await app.call('GET', stats(ours.ids.campaign), { token })
  expect(answer).toMatchObject({
    status: 200,
    json: {
      queue: { waiting: 1, deferred: 1, in_flight: 0, unknown: 0 },
      accepted: 3,
      rejected: 1,
      avg_s: 2,
      expires_at: null,
      providers: [{ provider_id: 0, waiting: 1, deferred: 1, accepted: 3, rejected: 1 }],
      reasons: [
        { smtp_code: 451, enhanced: '4.7.1', class: 'rate', hard: false, count: 1 },
        { smtp_code: 550, enhanced: '5.1.1', class: 'bad-mailbox', hard: true, count: 1 },
      ],
    },
  })
  const minutes = answer.json.minutes as {
    ts: string
    accepted: number
    rejected: number
    deferred: number
  }[]
  // It is paused: the hour ends with the last reply.
  expect(minutes).toHaveLength(60)
  expect(minutes.at(-1)).toMatchObject({ accepted: 1, rejected: 1, deferred: 0 })
  expect(new Date(minutes.at(-1)?.ts ?? '').toISOString()).toBe('2026-05-04T08:03:00.000Z')
  expect(minutes.at(-2)).toMatchObject({ accepted: 1, rejected: 0, deferred: 1 })
  expect(JSON.stringify(answer.json)).not.toContain('secret')
})

test('R242 a running campaign shows the hour up to now', async () => {
  await app.db
    .updateTable('campaign')
    .set({ valid: 2 })
    .where('campagne_id', '=', Number(ours.ids.campaign))
    .execute()
  const { json } = await app.call('GET', stats(ours.ids.campaign), { token })
  const last = (json.minutes as { ts: string }[]).at(-1)
  expect(Date.now() - Date.parse(last?.ts ?? '')).toBeLessThan(120_000)
})

test('R025 a link opens the figures of one campaign, until it is taken back', async () => {
  expect(await app.call('GET', stats(theirs.ids.campaign), { token })).toMatchObject({ status: 404 })
  const made = await app.call('POST', stats(ours.ids.campaign, '/share'), { token, body: {} })
  const open = (id: unknown, secret: unknown) =>
    app.call('GET', stats(id, `/shared?secret=${String(secret)}`))
  expect(await open(ours.ids.campaign, made.json.secret)).toMatchObject({
    status: 200,
    json: { accepted: 3, expires_at: expect.any(String) },
  })
  for (const [id, secret] of [
    [ours.ids.campaign, 'x'.repeat(32)],
    [theirs.ids.campaign, made.json.secret],
  ])
    expect(await open(id, secret)).toMatchObject({ status: 404 })
  await app.call('DELETE', stats(ours.ids.campaign, `/share/${Number(made.json.share_id)}`), { token })
  expect(await open(ours.ids.campaign, made.json.secret)).toMatchObject({ status: 404 })
})
