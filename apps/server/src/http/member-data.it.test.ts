import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { permissions } from '@emma/contract/permissions.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uploadFolder } from '../upload-folder.ts'
import { type Ask, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'
import { fillPath, testRoutes } from '../test/routes.ts'

/** Member data needs EmmaMember:get on every path. */

/** Occurs in all data about the member. */
const MARK = 'zaphod'
const email = `${MARK}@example.test`

let app: TestApp
let client: TestClient
let seeing: string
let blind: string

beforeAll(async () => {
  app = await startTestApp()
  const superadmin = await app.logInSuperadmin()
  client = await addTestClient(app, superadmin)
  await addTraces()
  const person = { clients: [client.clientId], administrator: true }
  seeing = (await app.logIn(person)).token
  const others = permissions.filter(permission => permission !== 'EmmaMember:get')
  blind = (await app.logIn({ ...person, permissions: others })).token
})
afterAll(() => app.close())

const members = () => `/v2/emma/client/${client.clientId}/membertable/${client.ids.membertable ?? 0}/member/`

/** Adds a member, ledger row, event, webhook call and upload with the mark. */
async function addTraces(): Promise<void> {
  const { clientId, ids } = client
  const token = await app.logInSuperadmin()
  const member = await app.call('POST', members(), { token, body: { email, source: MARK } })
  ids.member = Number(member.json.member_id)
  await app.call('PATCH', `${members()}${ids.member}`, { token, body: { source: `${MARK} again` } })
  await sql`update campaign set member_table_id = ${ids.membertable}, expanded_at = now(), valid = 6
    where campagne_id = ${ids.campaign}`.execute(app.db)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, skip_reason, reply)
    values (${clientId}, ${ids.campaign}, ${ids.member}, ${email}, 'skipped', 'capping', ${`550 <${email}> unknown`})`.execute(
    app.db,
  )
  await sql`
    insert into event (client_id, type, campagne_id, member_table_id, member_id, email, hard, class, reply)
    values (${clientId}, 'bounce', ${ids.campaign}, ${ids.membertable}, ${ids.member}, ${email}, true, 'bad-mailbox',
      ${`550 <${email}> unknown`})`.execute(app.db)
  const { rows } = await sql<{ message_id: number }>`
    insert into webhook_message (client_id, webhook_id, types, events, event_count, state)
    values (${clientId}, ${ids.webhook}, '{mail.hard_bounced}',
      ${JSON.stringify([{ id: '1', type: 'mail.hard_bounced', timestamp: '2026-01-01T00:00:00Z', data: { email } }])}::jsonb,
      1, 'delivered')
    returning message_id`.execute(app.db)
  ids.webhook_message = rows[0]?.message_id ?? 0
  const mails = await sql<{ mail_id: number }>`
    insert into transactional_mail (client_id, transactional_id, email, data)
    values (${clientId}, ${ids.transactionalcampaign}, ${email}, ${JSON.stringify({ number: MARK })}::jsonb)
    returning mail_id`.execute(app.db)
  ids.transactional_mail = mails.rows[0]?.mail_id ?? 0
  writeFileSync(join(uploadFolder(app.config), 'errors.csv'), `row,email\n1,${email}\n`)
  await sql`update data_upload set sample = ${JSON.stringify([[email]])}::jsonb, error_file = 'errors.csv'
    where id = ${ids.dataupload}`.execute(app.db)
}

/** Bodies of calls that read by POST. */
const bodies: Record<string, () => unknown> = {
  renderUnsaved: () => ({ subject: '{{ member.email }}' }),
  countList: () => ({ list_id: client.ids.list }),
}

/** Logging out ends the session of the test. */
const reading = testRoutes.filter(
  route => route.reads && route.permission !== 'public' && !route.path.includes('logout'),
)

test('no route reveals a member to callers without the permission to read members', async () => {
  const shown: string[] = []
  const leaks: string[] = []
  for (const route of reading) {
    const url = fillPath(route, client)
    const ask = (token: string): Ask =>
      route.method === 'GET' ? { token } : { token, body: bodies[route.action?.name ?? '']?.() ?? {} }
    if ((await app.call(route.method, url, ask(blind))).text.includes(MARK)) leaks.push(route.title)
    if ((await app.call(route.method, url, ask(seeing))).text.includes(MARK)) shown.push(route.title)
  }
  expect(leaks).toEqual([])
  expect(shown).toEqual(
    expect.arrayContaining([
      'GET /dataupload/',
      'GET /dataupload/{record_id}',
      'GET /dataupload/{id}/errors',
      'GET /emma/list/{id}/member/',
      'GET /emma/report/{id}',
      'GET /emma/report/{id}/recipients',
      'GET /emma/report/download/{id}',
      'GET /emma/webhook/{id}/message/{message_id}',
      'GET /v2/emma/client/{client_id}/campaign/{campaign_id}/preblock-reason',
      'GET /v2/audit-log/',
    ]),
  )
})

describe('without EmmaMember:get', () => {
  const call = (method: 'POST' | 'PATCH', path: string, body: object, token = blind) =>
    app.call(method, path, { token, body })

  test('render and test sends use the sample only', async () => {
    const { clientId, ids } = client
    const body = { subject: 'For {{ member.email }}' }
    const render = (member: number, token?: string) =>
      call('POST', `/v2/emma/client/${clientId}/message/${ids.message}/render/${member}`, body, token)
    expect(await render(ids.member ?? 0)).toMatchObject({ status: 403 })
    expect((await render(ids.member ?? 0, seeing)).json.subject).toBe(`For ${email}`)
    expect((await render(0)).json.subject).toContain('alex.sample@')
    const mail = { message_id: ids.message, emails: ['me@example.test'], member_id: ids.member }
    expect(await call('POST', `/v2/emma/client/${clientId}/message:test`, mail)).toMatchObject({
      status: 403,
    })
  })

  test('writes return the key and the revision of a member', async () => {
    const url = `${members()}${client.ids.member}`
    for (const answer of [await call('PATCH', url, {}), await call('POST', `${url}/unsubscribe`, {})]) {
      expect(answer.status).toBe(200)
      expect(Object.keys(answer.json).toSorted((a, b) => a.localeCompare(b))).toEqual([
        'client_id',
        'member_id',
        'member_table_id',
        'revision',
      ])
    }
  })

  test('rules that compare member values are neither counted nor saved', async () => {
    const { clientId, ids } = client
    const guess = { combinator: 'and', rules: [{ field: 'email', operator: 'beginsWith', value: MARK }] }
    const opened = {
      combinator: 'and',
      rules: [
        {
          field: 'opened',
          operator: '=',
          match: { mode: 'atLeast', threshold: 1 },
          value: { combinator: 'and', rules: [{ field: 'device', operator: '=', value: 'mobile' }] },
        },
      ],
    }
    const nested = { combinator: 'or', rules: [opened, { combinator: 'and', not: true, rules: guess.rules }] }
    const muted = { ...guess, rules: [{ ...guess.rules[0], muted: true }] }
    const counts = [
      '/emma/list:count',
      `/v2/emma/client/${clientId}/campaign/list:count`,
      `/v2/emma/client/${clientId}/campaign/${ids.campaign}/list:count`,
    ]
    const refused = { status: 403, error: { error: expect.stringContaining('EmmaMember:get') } }
    for (const path of counts)
      for (const [query, isCounted] of [
        [guess, false],
        [nested, false],
        [opened, true],
        [muted, true],
        [null, true],
      ] as const) {
        const body = { query, member_table_id: ids.membertable, total_only: true }
        expect(await call('POST', path, body)).toMatchObject(isCounted ? { status: 200 } : refused)
        expect(await call('POST', path, body, seeing)).toMatchObject({ status: 200 })
      }

    const target = { member_table_id: ids.membertable, include_unsubscribed: true }
    const segment = { name: 'Guess', ...target, query: guess }
    expect(await call('POST', '/emma/list/', segment)).toMatchObject(refused)
    const saved = await call('POST', '/emma/list/', segment, seeing)
    expect(saved).toMatchObject({ status: 201, json: { count: 1 } })
    const path = `/emma/list/${Number(saved.json.list_id)}`
    const other = { ...guess, rules: [{ ...guess.rules[0], value: 'a' }] }
    expect(await call('PATCH', path, { query: other })).toMatchObject(refused)
    // Segments saved by others keep their count; they can be renamed, and sent back unchanged.
    expect(await call('POST', '/emma/list:count', { list_id: saved.json.list_id })).toMatchObject({
      status: 200,
      json: { total: 1 },
    })
    expect(await call('PATCH', path, { name: 'Guessed', query: guess })).toMatchObject({
      status: 200,
      json: { count: 1 },
    })
    expect(await call('PATCH', path, { query: opened })).toMatchObject({ status: 200, json: { count: 0 } })
  })

  test('webhooks do not report messages and members', async () => {
    const hook = { url: 'https://hooks.example.com/x', client_id: client.clientId }
    for (const events of [['mail.opened'], ['member.changed'], ['campaign.started', 'member.subscribed']])
      expect(await call('POST', '/emma/webhook/', { ...hook, events })).toMatchObject({ status: 403 })
    const own = await call('POST', '/emma/webhook/', { ...hook, events: ['campaign.started'] })
    expect(own.status).toBe(201)
    const path = (id: unknown) => `/emma/webhook/${Number(id)}`
    const more = { events: ['campaign.started', 'mail.clicked'] }
    expect(await call('PATCH', path(own.json.webhook_id), more)).toMatchObject({ status: 403 })
    const elsewhere = { url: 'https://hooks.example.net/y' }
    expect(await call('PATCH', path(client.ids.webhook), elsewhere)).toMatchObject({ status: 403 })
    expect(await call('PATCH', path(client.ids.webhook), { description: 'CRM' })).toMatchObject({
      status: 200,
    })
  })
})

test('an upload needs the permissions of its operations', async () => {
  const { clientId, ids } = client
  const cases = [
    ['insert', 'EmmaMember:post'],
    ['update', 'EmmaMember:patch'],
    ['upsert', 'EmmaMember:patch'],
    ['unsubscribe', 'EmmaMember:patch'],
    ['delete', 'EmmaMember:delete'],
  ] as const
  for (const [mode, permission] of cases) {
    const others = permissions.filter(each => each !== permission)
    const { token } = await app.logIn({ clients: [clientId], permissions: others })
    const refused = { status: 403, error: { error: expect.stringContaining(permission) } }
    const url = `/dataupload/${ids.dataupload}`
    expect(await app.call('PATCH', url, { token, body: { mode } })).toMatchObject(refused)
    await sql`update data_upload set mode = ${mode} where id = ${ids.dataupload}`.execute(app.db)
    expect(await app.call('POST', `${url}/start`, { token, body: {} })).toMatchObject(refused)
    const parts = [
      `--x\r\ncontent-disposition: form-data; name="data"\r\n\r\n${JSON.stringify({ mode, member_table_id: ids.membertable })}\r\n`,
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\na@b.test\n\r\n--x--\r\n',
    ]
    const upload = await app.call('POST', '/v2/dataupload/', {
      token,
      payload: parts.join(''),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(upload).toMatchObject(refused)
  }
})
