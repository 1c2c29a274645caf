import { permissions } from '@emma/contract/permissions.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addTestClient, type TestClient } from '../../test/fixtures.ts'

let app: TestApp
let token: string
let ours: TestClient
let theirs: TestClient
beforeAll(async () => {
  app = await startTestApp()
  const superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  for (const email of ['a@gmail.com', 'b@gmail.com', 'c@firm.example'])
    await app.call('POST', `/v2/emma/client/${ours.clientId}/membertable/${ours.ids.membertable}/member/`, {
      token: superadmin,
      body: { email },
    })
  token = (await app.logIn({ clients: [ours.clientId] })).token
})
afterAll(() => app.close())

const fieldsOf = (answer: { error: { fields?: { field: string; code: string }[] } }) =>
  (answer.error.fields ?? []).map(({ field, code }) => [field, code])

async function withPermissions(...granted: (typeof permissions)[number][]) {
  return (await app.logIn({ clients: [ours.clientId], permissions: granted })).token
}

describe('R248 the volume calculator', () => {
  const calculate = (body: unknown, as = token) => app.call('POST', '/volumecalculator', { token: as, body })

  test('tells how long the subscribers of a segment take, by mailbox provider', async () => {
    const { mailclass, list } = ours.ids
    const { status, json } = await calculate({
      list_id: list,
      mailclass_id: mailclass,
      throttle: 1,
      throttle_unit: 'minute',
      startdate: '2030-06-03T08:00:00Z',
    })
    expect(status).toBe(200)
    const limit = { kind: 'campaign', mails: 1, seconds: 60, mailclass: null }
    const finish = { duration_s: 180, enddate: '2030-06-03T08:03:00.000Z' }
    expect(json).toMatchObject({
      volume: 3,
      startdate: '2030-06-03T08:00:00.000Z',
      ...finish,
      bottleneck: { provider_id: 5, name: 'Gmail', limit },
      ips: [],
      warmup: [],
      warnings: [],
    })
    expect(json.by_provider).toEqual([
      { provider_id: 5, name: 'Gmail', count: 2, limit, ...finish },
      { provider_id: 0, name: 'other', count: 1, limit, ...finish },
    ])
  })

  test('takes counts by mailbox provider, adding up those of the same', async () => {
    const by_provider = [
      { provider_id: 5, count: 10 },
      { provider_id: 5, count: 20 },
    ]
    const { json } = await calculate({ by_provider, mailclass_id: ours.ids.mailclass })
    expect(json).toMatchObject({ volume: 30, duration_s: 0, bottleneck: null })
    expect(json.by_provider).toMatchObject([{ provider_id: 5, count: 30, limit: null }])
    const empty = await calculate({ volume: 0, mailclass_id: ours.ids.mailclass })
    expect(empty.json).toMatchObject({ volume: 0, duration_s: 0 })
  })

  test('names every faulty field', async () => {
    expect(fieldsOf(await calculate({}))).toEqual([
      ['list_id', 'field.required'],
      ['mailclass_id', 'field.required'],
    ])
    expect(fieldsOf(await calculate({ volume: -1, throttle: 1.5, window_minutes: 0 }))).toEqual([
      ['volume', 'field.too_low'],
      ['throttle', 'field.whole_number'],
      ['window_minutes', 'field.too_low'],
    ])
    const { mailclass, list } = ours.ids
    expect(
      fieldsOf(await calculate({ list_id: list, volume: 1, mailclass_id: mailclass, quiet_from: '22:00' })),
    ).toEqual([
      ['volume', 'field.unknown'],
      ['quiet_to', 'field.required'],
    ])
    const unknown = {
      by_provider: [
        { provider_id: 5, count: 1 },
        { provider_id: 999, count: 1 },
      ],
      mailclass_id: 999_999,
      domain_id: 999_999,
    }
    expect(fieldsOf(await calculate(unknown))).toEqual([
      ['mailclass_id', 'field.not_there'],
      ['domain_id', 'field.not_there'],
      ['by_provider.1.provider_id', 'field.not_there'],
    ])
  })

  test.each(['mailclass_id', 'esp_id', 'domain_id', 'list_id'] as const)(
    'rejects a %s of another client',
    async field => {
      const { mailclass, esp_login, domain, list } = theirs.ids
      const foreign = { mailclass_id: mailclass, esp_id: esp_login, domain_id: domain, list_id: list }[field]
      const counts = field === 'list_id' ? {} : { volume: 1 }
      const answer = await calculate({ mailclass_id: ours.ids.mailclass, ...counts, [field]: foreign })
      expect(answer.status).toBe(422)
      expect(fieldsOf(answer)).toEqual([[field, 'field.not_there']])
    },
  )

  test('rejects records of two clients, also for people of both', async () => {
    const both = await app.logIn({ clients: [ours.clientId, theirs.clientId] })
    const body = { volume: 1, mailclass_id: ours.ids.mailclass, domain_id: theirs.ids.domain }
    expect(fieldsOf(await calculate(body, both.token))).toEqual([['domain_id', 'field.not_there']])
  })

  test('needs the permissions of what it tells', async () => {
    const { mailclass, list, domain } = ours.ids
    const own = await withPermissions('VolumeCalculator:get', 'EmmaMailclass:get')
    expect((await calculate({ volume: 1, mailclass_id: mailclass }, own)).status).toBe(200)
    expect((await calculate({ list_id: list, mailclass_id: mailclass }, own)).status).toBe(403)
    expect((await calculate({ volume: 1, mailclass_id: mailclass, domain_id: domain }, own)).status).toBe(403)
    const without = await withPermissions(...permissions.filter(one => one !== 'VolumeCalculator:get'))
    expect((await calculate({ volume: 1, mailclass_id: mailclass }, without)).status).toBe(403)
  })
})

describe('R179 mail classes with free capacity', () => {
  const list = (path: string, as = token) => app.call('GET', path, { token: as })
  const ofClient = (of: TestClient, type = 'bulk') => `/v2/emma/client/${of.clientId}/mailclass:${type}`
  const ofCampaign = (client: TestClient, campaign: TestClient, type = 'bulk') =>
    `/v2/emma/client/${client.clientId}/campaign/${campaign.ids.campaign}/mailclass:${type}`

  test('are listed by type, for the client and for a campaign', async () => {
    const row = { mailclass_id: ours.ids.mailclass, type: 'bulk', capacity: null, running: 0, overflow: null }
    for (const path of [
      ofClient(ours),
      `/v2/emma/client/${ours.clientId}/campaign/mailclass:bulk`,
      ofCampaign(ours, ours),
      ofClient(ours).replace(':', '%3A'),
    ]) {
      const { status, json } = await list(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      expect(json.data).toEqual([expect.objectContaining(row)])
    }
    expect((await list(ofClient(ours, 'warmup'))).json.data).toEqual([])
  })

  test('are not there for other types, clients and campaigns', async () => {
    expect((await list(ofClient(ours, 'letter'))).status).toBe(400)
    expect((await list(ofClient(theirs))).status).toBe(404)
    expect((await list(ofCampaign(ours, theirs))).status).toBe(404)
    expect((await list(ofCampaign(theirs, theirs))).status).toBe(404)
  })

  test('need their permissions', async () => {
    const own = await withPermissions('EmmaMailclass:get')
    expect((await list(ofClient(ours), own)).status).toBe(200)
    expect((await list(ofCampaign(ours, ours), own)).status).toBe(403)
    expect((await list(ofClient(ours), await withPermissions('EmmaCampaign:get'))).status).toBe(403)
  })
})
