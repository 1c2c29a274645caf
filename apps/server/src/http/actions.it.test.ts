import * as account from '@emma/contract/actions/account.ts'
import * as tokens from '@emma/contract/actions/api-tokens.ts'
import * as approval from '@emma/contract/actions/approval.ts'
import * as auditLog from '@emma/contract/actions/audit-log.ts'
import * as audience from '@emma/contract/actions/audience.ts'
import * as campaigns from '@emma/contract/actions/campaigns.ts'
import * as content from '@emma/contract/actions/content.ts'
import * as dashboard from '@emma/contract/actions/dashboard.ts'
import * as deliverability from '@emma/contract/actions/deliverability.ts'
import * as people from '@emma/contract/actions/platform.ts'
import * as reports from '@emma/contract/actions/reports.ts'
import * as secondFactor from '@emma/contract/actions/second-factor.ts'
import * as settings from '@emma/contract/actions/system-settings.ts'
import type { Action } from '@emma/contract/define-action.ts'
import { permissions } from '@emma/contract/permissions.ts'
import { learnedTime } from '@emma/contract/learned-time.ts'
import { split } from '@emma/contract/split.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fastifyPath } from './fastify-path.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let ours: TestClient
let theirs: TestClient
let superadmin: string
let person: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  for (const client of [ours, theirs]) {
    const added = await app.call(
      'POST',
      `/v2/emma/client/${client.clientId}/membertable/${client.ids.membertable}/member/`,
      {
        token: superadmin,
        body: { email: 'ann@example.test' },
      },
    )
    client.ids.member = Number(added.json.member_id)
  }
  // An upload that was not imported cannot be undone.
  await app.pool.query(
    'update data_upload set status = 3, finished_at = now(), first_member_id = 1, last_member_id = 1',
  )
  await app.pool.query('update campaign set split = $1, learned_time = $2', [
    split.parse({ variants: [{ subject: 'B' }] }),
    learnedTime.parse({}),
  ])
  person = (await app.logIn({ clients: [ours.clientId] })).token
})
afterAll(() => app.close())

/** Valid bodies, so that the record is rejected. */
const bodies: Record<string, (of: TestClient) => unknown> = {
  addBlacklistEntries: () => ({ values: ['a@example.test'] }),
  convertSections: () => ({
    body_mjml: '<mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section>',
  }),
  createMember: () => ({ email: 'bob@example.test' }),
  patchMember: () => ({ source: 'test' }),
  resubscribeMember: () => ({ reason: 'asked for it' }),
  countList: ({ ids }) => ({ list_id: ids.list }),
  countListHours: ({ ids }) => ({ list_id: ids.list }),
  chooseWinner: () => ({ variant: 0 }),
  approveCampaign: () => ({ hash: '0'.repeat(64) }),
  approveRecurring: () => ({ hash: '0'.repeat(64) }),
  testMessage: ({ ids }) => ({ message_id: ids.message, emails: ['a@example.test'] }),
  resendCampaign: () => ({ to: 'not_opened' }),
  sendTestCampaign: ({ ids }) => ({ message_id: ids.message, emails: ['a@example.test'] }),
  testFeed: ({ ids }) => ({ feed_url: 'https://127.0.0.1/feed', module_id: ids.placeholder }),
  saveUserSettings: () => ({ custom: {} }),
  changePassword: () => ({ old_password: 'x', password: 'long enough' }),
  viewAs: () => ({ role_id: 1 }),
  saveProfile: () => ({ firstname: 'A', lastname: 'B', email: 'a@example.test' }),
  beginSecondFactor: () => ({ old_password: 'x' }),
  confirmOwnEmail: () => ({ token: 'x' }),
  confirmSecondFactor: () => ({ code: '000000' }),
  removeSecondFactor: () => ({ old_password: 'x', code: '000000' }),
  createApiToken: () => ({ name: 'T', permissions: ['EmmaCampaign:get'], days: 1 }),
}

/** Actions on records without client, or on the own account (account.it.test.ts). */
const installationWide = new Set([
  'findTestbedMessage',
  'viewDashboard',
  'endSession',
  'readProfile',
  'readSecondFactor',
  'readUserClient',
  'readRolePermissions',
  'saveRolePermissions',
])

const own = [people, secondFactor, settings, tokens, auditLog]
const actions = [...own, account, approval, audience, campaigns, content, dashboard, deliverability, reports]
  .flatMap(module => Object.values<unknown>(module).filter(isAction))
  .flatMap(action => action.paths.map(path => ({ title: `${action.method} ${path}`, action, path })))

describe.each(actions)('$title', ({ action, path }) => {
  const { method, name, permission } = action
  const urlFor = (client: TestClient, path_ = path) =>
    path_.replaceAll(/\{(\w+)\}/g, match => partOf(client, path, match))
  const bodyFor = (client: TestClient) => (method === 'GET' ? undefined : (bodies[name]?.(client) ?? {}))

  test('is mounted', () => {
    expect(app.app.hasRoute({ method, url: fastifyPath(path).replace(/\/$/, '') })).toBe(true)
  })

  test.runIf(permission !== 'public')('needs a session', async () => {
    for (const token of [undefined, 'rubbish'])
      expect(await app.call(method, urlFor(ours), { token, body: bodyFor(ours) })).toMatchObject({
        status: 401,
      })
  })

  test.runIf(permission !== null && permission !== 'public')('needs its permission', async () => {
    const others = permissions.filter(each => each !== permission)
    const { token } = await app.logIn({ clients: [ours.clientId], permissions: others })
    expect(await app.call(method, urlFor(ours), { token, body: bodyFor(ours) })).toMatchObject({
      status: 403,
      json: { error: 'Forbidden' },
    })
  })

  test.runIf(path.includes('{') && !installationWide.has(name))(
    'rejects records of other clients',
    async () => {
      const foreign = await app.call(method, urlFor(theirs), { token: person, body: bodyFor(theirs) })
      expect({ status: foreign.status, text: foreign.text }).toEqual({
        status: 404,
        text: expect.any(String),
      })
      const isOfClient = JSON.stringify(bodyFor(ours)) !== JSON.stringify(bodyFor(theirs))
      const hasRecord = /\{(?!client_id)/.test(path) || isOfClient
      if (!path.includes('{client_id}') || !hasRecord) return
      // Their records in our client's path.
      const mixed = urlFor(theirs).replace(`/client/${theirs.clientId}/`, `/client/${ours.clientId}/`)
      const answer = await app.call(method, mixed, { token: person, body: bodyFor(theirs) })
      expect({ mixed, status: answer.status }).toEqual({ mixed, status: 404 })
    },
  )

  test.runIf(path.includes('{'))('accepts only valid keys', async () => {
    const hasOwnKey = /\{(?!client_id)/.test(path)
    for (const wrong of hasOwnKey ? ['abc', '0x1', '99999999999999999999', '%00', '-1'] : []) {
      const url = path
        .replaceAll(/\{(?!client_id)\w+\}/g, wrong)
        .replace('{client_id}', String(ours.clientId))
      const answer = await app.call(method, url, { token: superadmin, body: bodyFor(ours) })
      expect({ url, status: answer.status }).toEqual({ url, status: expect.toBeOneOf([400, 404]) })
    }
    const noClient = path.replace('{client_id}', '9007199254740991')
    if (noClient === path) return
    const answer = await app.call(method, urlFor(ours, noClient), { token: superadmin, body: bodyFor(ours) })
    expect(answer).toMatchObject({ status: 404 })
  })

  test.runIf(path.includes(':'))('accepts its colon encoded too', async () => {
    const plain = await app.call(method, urlFor(ours), { token: superadmin, body: bodyFor(ours) })
    const encoded = await app.call(method, urlFor(ours).replace(':', '%3A'), {
      token: superadmin,
      body: bodyFor(ours),
    })
    expect({ status: encoded.status, text: encoded.text }).toEqual({ status: plain.status, text: plain.text })
    expect(plain.status).not.toBe(404)
  })

  test.runIf(
    method === 'GET' && permission !== 'public' && !installationWide.has(name) && action.answer === undefined,
  )('answers as defined in the contract', async () => {
    const answer = await app.call(method, urlFor(ours), { token: superadmin })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: expect.any(String) })
    expect(action.response.safeParse(answer.json).error).toBeUndefined()
  })
})

test('their records are unchanged after all calls', async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from change_log where client_id = ${theirs.clientId} and user_id <> 1`.execute(
    app.db,
  )
  expect(rows[0]?.count).toBe(0)
})

function isAction(value: unknown): value is Action {
  return typeof value === 'object' && value !== null && 'paths' in value && 'permission' in value
}

/** The key that a path parameter stands for. */
function partOf({ clientId, ids }: TestClient, path: string, parameter: string): string {
  switch (parameter) {
    case '{client_id}':
      return String(clientId)
    case '{member_table_id}':
      return String(ids.membertable)
    case '{member_id}':
      return String(ids.member)
    case '{campaign_id}':
      return String(ids.campaign)
    case '{recurring_id}':
      return String(ids.recurring)
    case '{action}':
      return 'copy'
    case '{type}':
      return 'overview'
    default: {
      const owner = /\/(\w+)(?::[\w-]+)?\/(?:download\/)?\{id\}/.exec(path)?.[1] ?? ''
      return String(ids[owner === 'report' ? 'campaign' : owner])
    }
  }
}
