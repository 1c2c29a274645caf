import { gzipSync } from 'node:zlib'
import { demoClientId } from '@emma/contract/session.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addRecord, addTestClient, sampleOf, type TestClient } from '../test/fixtures.ts'
import { resources } from '@emma/contract/resource-list.ts'

let app: TestApp
let ours: TestClient
let theirs: TestClient
let superadmin: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
})
afterAll(() => app.close())

const rows = (answer: Answer, part = 'data') => answer.json[part] as Record<string, unknown>[]
const get = (path: string, headers: Record<string, string> = {}) =>
  app.call('GET', path, { token: superadmin, headers })
const campaigns = (query = '') => `/emma/campaign/?client_id=${ours.clientId}&${query}`

describe('lists', () => {
  test('T6 R156 returns all rows without a limit, and at most the limit with one', async () => {
    for (let more = 0; more < 11; more++) await addCampaign({})
    const all = await get(campaigns())
    expect(rows(all).length).toBeGreaterThan(10)
    expect(all.json.pagination).toMatchObject({ limit: 10_000, total: rows(all).length })
    expect(rows(await get(campaigns('limit=3')))).toHaveLength(3)
  })

  test('R156 T4 the first of both sort parameter pairs takes precedence', async () => {
    const first = await get(campaigns('orderby=name&sortkey=campagne_id&sortdesc=true'))
    const plain = await get(campaigns('orderby=name'))
    expect(keys(first)).toEqual(keys(plain))
    expect(keys(first)).not.toEqual(keys(await get(campaigns('sortkey=campagne_id&sortdesc=true'))))
  })

  test('R156 recurring_only returns the runs of recurring campaigns', async () => {
    const id = await addCampaign({})
    await app.db.updateTable('campaign').set({ ctype: 2 }).where('campagne_id', '=', id).execute()
    expect(keys(await get(campaigns('recurring_only=true')))).toEqual([id])
    expect(keys(await get(campaigns('recurring_only=false'))).length).toBeGreaterThan(1)
    expect(keys(await get(campaigns('recurring_only=true&type=1')))).toEqual([])
  })

  test('R170 a day as bound includes the whole day', async () => {
    const id = await addCampaign({ startdate: '2031-05-06T15:00:00Z' })
    const starting = async (query: string) => keys(await get(campaigns(query))).includes(id)
    expect(await starting('startdateBefore=2031-05-06')).toBe(true)
    expect(await starting('startdateBefore=2031-05-05')).toBe(false)
    expect(await starting('startdateAfter=2031-05-06')).toBe(true)
    expect(await starting('startdateAfter=2031-05-07')).toBe(false)
    expect(await starting('startdateBefore=2031-05-06T14:59:59Z')).toBe(false)
  })

  test('R170 repeated values mean any of them, and 0 is a normal key', async () => {
    const both = await get(campaigns('status[]=0&status[]=1'))
    expect(keys(both)).toEqual(keys(await get(campaigns())))
    expect(rows(await get('/emma/provider/?provider_id=0')).map(row => row.name)).toEqual(['other'])
    expect(await get('/emma/provider/?provider_id=')).toMatchObject({ status: 400 })
  })

  test('R149 superadminview returns all clients, for superadmins only', async () => {
    const clients = (answer: Answer) => new Set(rows(answer).map(row => row.client_id))
    expect(clients(await get('/emma/campaign/?superadminview=true')).size).toBeGreaterThan(1)
    const { token } = await app.logIn({ clients: [ours.clientId] })
    const seen = await app.call('GET', '/emma/campaign/?superadminview=true', { token })
    expect([...clients(seen)]).toEqual([ours.clientId])
  })

  test('R165 T7 included records come separately from their references', async () => {
    const answer = await get(
      campaigns(
        'limit=1&explicitly_included[]=mailclass&explicitly_included[]=domain&explicitly_included[]=domain',
      ),
    )
    const [row] = rows(answer)
    const mailclass = rows(answer, 'included').find(each => each.type === 'mailclass')
    expect(row?.relationships).toMatchObject({
      mailclass: { data: { type: 'mailclass', id: ours.ids.mailclass } },
      domain: { data: { type: 'domain', id: ours.ids.domain } },
    })
    expect(mailclass).toMatchObject({ id: ours.ids.mailclass, attributes: { type: 'bulk' } })
    expect(rows(answer, 'included')).toHaveLength(2)
  })
})

describe('single records', () => {
  test('R157 accept their options and reject others by name', async () => {
    const path = `/emma/campaign/${ours.ids.campaign}`
    const options = 'email=a@b.de&end_date=2026-01-31&start_date=2026-01-01&secret=x&test=&unsub=true'
    expect(await get(`${path}?${options}`)).toMatchObject({
      status: 200,
      json: { campagne_id: ours.ids.campaign },
    })
    for (const [query, field] of [
      ['test=perhaps', 'test'],
      ['start_date=yesterday', 'start_date'],
      ['nonsense=1', 'nonsense'],
    ])
      expect(await get(`${path}?${query}`)).toMatchObject({ status: 400, json: { fields: [{ field }] } })
  })
})

describe('JSON:API', () => {
  const accept = { accept: 'application/vnd.api+json' }

  test('R164 T7 T8 contains the same data in JSON:API form', async () => {
    const plain = await get(campaigns('limit=2&explicitly_included[]=mailclass'))
    const answer = await get(campaigns('limit=2&explicitly_included[]=mailclass'), accept)
    expect(answer.headers['content-type']).toBe('application/vnd.api+json')
    const [object] = rows(answer) as unknown as { attributes: object }[]
    const { relationships: _, ...fields } = rows(plain)[0] ?? {}
    expect(object).toEqual({
      type: 'campaign',
      id: String(fields.campagne_id),
      attributes: fields,
      relationships: { mailclass: { data: { type: 'mailclass', id: String(ours.ids.mailclass) } } },
    })
    expect(rows(answer, 'included')).toMatchObject([{ type: 'mailclass', id: String(ours.ids.mailclass) }])
    expect(answer.json.meta).toMatchObject({ pagination: { limit: 2 } })
  })

  test('R164 also for single records, dry runs and errors', async () => {
    const one = await get(`/emma/mailclass/${ours.ids.mailclass}`, accept)
    expect(one.json.data).toMatchObject({
      type: 'mailclass',
      id: String(ours.ids.mailclass),
      attributes: { mailclass_id: ours.ids.mailclass, record_type: 'bulk' },
    })
    const dry = await app.call('DELETE', `/emma/mailclass/${ours.ids.mailclass}?test`, {
      token: superadmin,
      headers: accept,
    })
    expect(dry.json).toMatchObject({ meta: { deletable: false } })
    const wrong = await app.call('PATCH', `/emma/mailclass/${ours.ids.mailclass}`, {
      token: superadmin,
      body: { name: 'two words' },
      headers: accept,
    })
    expect(wrong).toMatchObject({
      status: 422,
      headers: { 'content-type': 'application/vnd.api+json' },
      json: { errors: [{ status: '422', code: 'invalid', source: { pointer: '/data/attributes/name' } }] },
    })
    expect(await get('/emma/mailclass/999999999', accept)).toMatchObject({
      status: 404,
      json: { errors: [{ status: '404', title: 'Not found' }], meta: { error: 'Not found' } },
    })
  })
})

describe('bodies', () => {
  test('R162 T28 a record may be multipart: a gzip file and JSON parts', async () => {
    const parts = [
      [
        'record"; filename="record.json.gz',
        'application/gzip',
        gzipSync(JSON.stringify({ max_mails: 5, name: 'No' })),
      ],
      ['name', 'application/json', Buffer.from('"Multipart"')],
      ['period_hours', 'application/json', Buffer.from('24')],
      ['client_id', 'application/json', Buffer.from(String(ours.clientId))],
    ] as const
    expect(await send('POST', '/emma/capping/', parts)).toMatchObject({
      status: 201,
      json: { name: 'Multipart', max_mails: 5, period_hours: 24 },
    })
    const broken = [['record"; filename="a.gz', 'application/gzip', gzipSync('{}').subarray(0, 15)]] as const
    expect(await send('POST', '/emma/capping/', broken)).toMatchObject({ status: 400 })
    const list = [['record"; filename="a.json', 'application/json', Buffer.from('[1]')]] as const
    expect(await send('POST', '/emma/capping/', list)).toMatchObject({
      status: 422,
      json: { fields: [{ field: 'record' }] },
    })
    const bomb = [
      ['record"; filename="a.gz', 'application/gzip', gzipSync(Buffer.alloc(60_000_000, ' '), { level: 1 })],
    ] as const
    expect(await send('POST', '/emma/capping/', bomb)).toMatchObject({ status: 413 })
  })

  test('R127 templates are found by name, subject and contents, with special characters taken literally', async () => {
    const named = { client_id: ours.clientId, subject: 'Orchard', body_long: null }
    for (const fields of [
      {
        ...named,
        name: 'Jam',
        body_mjml: `<mjml><mj-body><mj-raw>100% quince_paste</mj-raw></mj-body></mjml>`,
      },
      { ...named, name: 'Cider', body_text: '1000 apples' },
    ])
      expect((await app.call('POST', '/emma/message/', { token: superadmin, body: fields })).status).toBe(201)
    const found = async (text: string) => {
      const path = `/emma/message/?client_id=${ours.clientId}&text=${encodeURIComponent(text)}&orderby=name`
      const { json } = await app.call('GET', path, { token: superadmin })
      const { data } = json as { data: { name: string }[] }
      return data.map(({ name }) => name)
    }
    expect(await found('orchard')).toEqual(['Cider', 'Jam'])
    expect(await found('100% QUINCE_')).toEqual(['Jam'])
    expect(await found('1000')).toEqual(['Cider'])
    expect(await found("100' or true --")).toEqual([])
  })

  test('R169 T18 an empty subject is cleared, an empty name is missing', async () => {
    const message = { client_id: ours.clientId, name: 'No subject', subject: '' }
    expect(await app.call('POST', '/emma/message/', { token: superadmin, body: message })).toMatchObject({
      status: 201,
      json: { subject: '' },
    })
    expect(
      await app.call('POST', '/emma/message/', { token: superadmin, body: { ...message, name: '' } }),
    ).toMatchObject({ status: 422, json: { fields: [{ field: 'name' }] } })
  })
})

describe('paths', () => {
  test('T16 colon verbs are not keys, encoded or not, with or without trailing slash', async () => {
    for (const path of ['report:view', 'report%3Aview', 'report%3aview/'])
      expect(
        await get(`/v2/emma/client/${ours.clientId}/campaign/${ours.ids.campaign}/${path}`),
      ).toMatchObject({ status: 200, json: { campagne_id: ours.ids.campaign } })
    expect(await get('/emma/campaign/report:view')).toMatchObject({ status: 404 })
  })

  test('T1 every path of the API is below /api, even if a screen has the same name', async () => {
    const screen = await app.app.inject({ url: '/dashboard/', headers: { accept: 'application/json' } })
    expect(screen.headers['content-type']).not.toBe('application/json')
    expect(await app.call('GET', '/dashboard/')).toMatchObject({
      status: 401,
      json: { error: 'No token found!' },
    })
  })
})

describe('errors', () => {
  test('T27 R316 a duplicate value is reported with key and value, and without SQL', async () => {
    const domain = { client_id: ours.clientId, name: 'taken.test' }
    expect(await app.call('POST', '/emma/domain/', { token: superadmin, body: domain })).toMatchObject({
      status: 201,
    })
    const again = await app.call('POST', '/emma/domain/', { token: superadmin, body: domain })
    expect(again.status).toBe(409)
    expect(again.json.error).toMatch(/^SQLSTATE\[23505\].* Key \(name\)=\(taken\.test\) already exists\.$/)
    expect(again.text).not.toMatch(/insert|select|constraint|index|relation/i)
  })

  test('names of deleted roles and providers can be reused', async () => {
    for (const [path, key, body] of [
      ['/role/', 'id', { name: 'Once more' }],
      ['/emma/provider/', 'provider_id', { name: 'Once more' }],
    ] as const) {
      const made = await app.call('POST', path, { token: superadmin, body })
      expect(await app.call('POST', path, { token: superadmin, body })).toMatchObject({ status: 409 })
      expect(
        await app.call('DELETE', `${path}${String(made.json[key])}`, { token: superadmin }),
      ).toMatchObject({
        status: 204,
      })
      expect(await app.call('POST', path, { token: superadmin, body })).toMatchObject({ status: 201 })
    }
  })
})

describe('rights', () => {
  test('R136 R151 everybody may read what the console needs at start-up of the own client', async () => {
    const { token } = await app.logIn({ clients: [ours.clientId], permissions: [] })
    const own = await app.call('GET', `/emma/client/${ours.clientId}`, { token })
    expect(own).toMatchObject({
      status: 200,
      json: { client_id: ours.clientId, brand: 'emma', language: 'en' },
    })
    expect(own.json).not.toHaveProperty('contact_email')
    expect(await app.call('GET', `/emma/client/${theirs.clientId}`, { token })).toMatchObject({ status: 404 })
    expect(keys(await app.call('GET', '/emma/client/', { token }), 'client_id')).toEqual([ours.clientId])
  })

  test('R147 administrators assign roles, but none with more permissions than their own', async () => {
    const rights = ['User:post', 'User:get', 'Role:get', 'EmmaCampaign:get']
    const { token, roleId } = await app.logIn({
      clients: [ours.clientId],
      administrator: true,
      permissions: rights,
    })
    const strong = Number(
      (
        await app.call('POST', '/role/', {
          token: superadmin,
          body: { name: 'Strong', permissions: [...rights, 'EmmaClient:delete'] },
        })
      ).json.id,
    )
    const seen = keys(await app.call('GET', '/role/', { token }), 'id')
    expect(seen).toContain(roleId)
    expect(seen).not.toContain(strong)
    expect(await app.call('GET', `/role/${strong}`, { token })).toMatchObject({ status: 404 })
    expect(await app.call('POST', '/role/', { token, body: { name: 'Mine' } })).toMatchObject({ status: 403 })
    const person = { ...sampleOf('user', ours), clients: [ours.clientId] }
    expect(await app.call('POST', '/user/', { token, body: { ...person, roles: [roleId] } })).toMatchObject({
      status: 201,
    })
    const other = { ...sampleOf('user', ours), roles: [strong] }
    // The same answer as for an unknown role, to reveal nothing.
    const missing = { ...other, roles: [987_654] }
    const refused = await app.call('POST', '/user/', { token, body: other })
    expect(refused).toMatchObject({ status: 422, error: { fields: [{ field: 'roles' }] } })
    expect(refused.text.replace(String(strong), '987654')).toBe(
      (await app.call('POST', '/user/', { token, body: missing })).text,
    )
    expect(
      await app.call('POST', '/user/', {
        token,
        body: { ...sampleOf('user', ours), roles: [roleId], superadmin: true },
      }),
    ).toMatchObject({ status: 403 })
  })

  test('R161 a client with campaigns cannot be deleted', async () => {
    expect(
      await app.call('DELETE', `/emma/client/${theirs.clientId}?test`, { token: superadmin }),
    ).toMatchObject({
      json: {
        deletable: false,
        references: expect.arrayContaining([expect.objectContaining({ type: 'campaign' })]),
      },
    })
    expect(await app.call('DELETE', `/emma/client/${theirs.clientId}`, { token: superadmin })).toMatchObject({
      status: 409,
      json: { code: 'in_use' },
    })
  })

  test('R151 the manager of a campaign is a user of its client', async () => {
    const { userId: stranger } = await app.logIn({ clients: [theirs.clientId] })
    const { userId: colleague } = await app.logIn({ clients: [ours.clientId] })
    const write = (manager_id: number) =>
      app.call('PATCH', `/emma/campaign/${ours.ids.campaign}`, { token: superadmin, body: { manager_id } })
    for (const wrong of [stranger, 2_000_000_000])
      expect(await write(wrong)).toMatchObject({ status: 422, json: { fields: [{ field: 'manager_id' }] } })
    expect(await write(colleague)).toMatchObject({ status: 200, json: { manager_id: colleague } })
    const made = { ...sampleOf('campaign', ours), client_id: ours.clientId, manager_id: stranger }
    expect(await app.call('POST', '/emma/campaign/', { token: superadmin, body: made })).toMatchObject({
      status: 422,
    })
  })
})

describe('the demo', () => {
  test('R306 T11 cannot be written in any way', async () => {
    await app.db
      .insertInto('client')
      .values({ client_id: demoClientId, name: 'Demo', is_demo: true })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    const demo: TestClient = { clientId: demoClientId, ids: {} }
    const capping = resources.find(resource => resource.name === 'capping')
    if (!capping) throw new Error('There is no capping')
    const id = await addRecord(app, superadmin, capping, demo)
    const refused = { status: 403, json: { error: 'not supported in demo' } }
    const { token: inDemo } = await app.logIn({ clients: [demoClientId] })
    const body = sampleOf('capping', demo)
    expect(await app.call('POST', '/emma/capping/', { token: inDemo, body })).toMatchObject(refused)
    expect(await app.call('PATCH', `/emma/capping/${id}`, { token: inDemo, body })).toMatchObject(refused)
    expect(await app.call('DELETE', `/emma/capping/${id}`, { token: inDemo })).toMatchObject(refused)
    expect(await app.call('GET', `/emma/capping/${id}`, { token: inDemo })).toMatchObject({ status: 200 })
    // Active in another client, with access to the demo as well.
    const { token: elsewhere } = await app.logIn({ clients: [ours.clientId, demoClientId] })
    for (const [method, path, sent] of [
      ['PATCH', `/emma/capping/${id}`, body],
      ['DELETE', `/emma/capping/${id}`, undefined],
      ['POST', '/emma/capping/', { ...body, client_id: demoClientId }],
    ] as const)
      expect((await app.call(method, path, { token: elsewhere, body: sent })).status).toBeOneOf([403, 404])
    expect(await app.call('PATCH', `/emma/capping/${id}`, { token: superadmin, body: {} })).toMatchObject({
      status: 200,
    })
    expect(await get(`/emma/capping/${id}`)).toMatchObject({ json: { revision: 2 } })
  })
})

function keys(answer: Answer, key = 'campagne_id'): number[] {
  return rows(answer).map(row => Number(row[key]))
}

async function addCampaign(fields: object): Promise<number> {
  const body = { ...sampleOf('campaign', ours), client_id: ours.clientId, ...fields }
  const made = await app.call('POST', '/emma/campaign/', { token: superadmin, body })
  if (made.status !== 201) throw new Error(made.text)
  return Number(made.json.campagne_id)
}

function send(method: 'POST', path: string, parts: readonly (readonly [string, string, Buffer])[]) {
  const border = 'a-border-that-is-in-no-part'
  const payload = Buffer.concat([
    ...parts.flatMap(([name, type, content]) => [
      Buffer.from(
        `--${border}\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: ${type}\r\n\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${border}--\r\n`),
  ])
  return app.call(method, path, {
    token: superadmin,
    payload,
    headers: { 'content-type': `multipart/form-data; boundary=${border}` },
  })
}
