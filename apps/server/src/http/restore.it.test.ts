import { campaignState } from '@emma/contract/campaign-states.ts'
import { restorableMinutes } from '@emma/contract/define-resource.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addRecord, addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let ours: TestClient
let superadmin: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
})
afterAll(() => app.close())

async function add(name: string): Promise<string> {
  const resource = resources.find(one => one.name === name)
  if (!resource) throw new Error(`There is no ${name}`)
  return `${resource.paths[0]}${await addRecord(app, superadmin, resource, ours)}`
}
const remove = (path: string) => app.call('DELETE', path, { token: superadmin })
const restore = (path: string, token = superadmin) => app.call('POST', `${path}/restore`, { token })
const keyOf = (path: string) => Number(path.split('/').at(-1))

test('an old deletion cannot be undone', async () => {
  const path = await add('mailclass')
  await remove(path)
  const ago = (minutes: number) =>
    sql`update mailclass set deleted_at = now() - make_interval(mins => ${minutes})
      where mailclass_id = ${keyOf(path)}`.execute(app.db)
  await ago(restorableMinutes + 1)
  expect(await restore(path)).toMatchObject({ status: 404 })
  await ago(restorableMinutes - 1)
  expect(await restore(path)).toMatchObject({ status: 200 })
})

test('a name that was used meanwhile is reported', async () => {
  const path = await add('mailclass')
  const { json } = await app.call('GET', path, { token: superadmin })
  await remove(path)
  const body = { client_id: ours.clientId, name: json.name }
  expect(await app.call('POST', '/emma/mailclass/', { token: superadmin, body })).toMatchObject({
    status: 201,
  })
  expect(await restore(path)).toMatchObject({ status: 409, json: { code: 'unique_violation' } })
  expect(await app.call('GET', path, { token: superadmin })).toMatchObject({ status: 404 })
})

test('a record is not restored without the records it refers to', async () => {
  const source = await add('membertable')
  const { json } = await app.call('POST', '/emma/list/', {
    token: superadmin,
    body: { client_id: ours.clientId, name: 'Orphan', member_table_id: keyOf(source) },
  })
  const list = `/emma/list/${String(json.list_id)}`
  expect(await remove(list)).toMatchObject({ status: 204 })
  expect(await remove(source)).toMatchObject({ status: 204 })
  expect(await restore(list)).toMatchObject({ status: 422, json: { fields: [{ field: 'member_table_id' }] } })
  expect(await restore(source)).toMatchObject({ status: 200 })
  expect(await restore(list)).toMatchObject({ status: 200, json: { member_table_id: keyOf(source) } })
})

test('users cannot restore what they could not delete', async () => {
  const maker = await app.logIn({ clients: [ours.clientId] })
  const other = await app.logIn({ clients: [ours.clientId] })
  const made = await app.call('POST', '/dashboard/', {
    token: maker.token,
    body: { client_id: ours.clientId, name: 'Mine', is_public: false },
  })
  const path = `/dashboard/${String(made.json.dashboard_id)}`
  expect(await app.call('DELETE', path, { token: maker.token })).toMatchObject({ status: 204 })
  expect(await restore(path, other.token)).toMatchObject({ status: 404 })
  expect(await app.call('GET', path, { token: maker.token })).toMatchObject({ status: 404 })
  expect(await restore(path, maker.token)).toMatchObject({ status: 200, json: { name: 'Mine' } })
})

test('imports, whose files are deleted, are not restored', async () => {
  expect(await restore(`/dataupload/${ours.ids.dataupload}`)).toMatchObject({ status: 404 })
  const described = await app.app.inject('/api/openapi.json')
  const paths = Object.keys(described.json().paths)
  expect(paths.filter(path => path.includes('mailclass') && path.endsWith('/restore'))).not.toEqual([])
  expect(paths.filter(path => path.includes('dataupload') && path.endsWith('/restore'))).toEqual([])
})

test.each([
  ['a draft stays a draft', campaignState.draft, '-1 hour', campaignState.draft],
  ['a scheduled one keeps its time', campaignState.scheduled, '1 hour', campaignState.scheduled],
  [
    'a campaign whose time has passed is not sent at once',
    campaignState.scheduled,
    '-1 second',
    campaignState.draft,
  ],
  ['a finished one stays finished', campaignState.finished, '-1 hour', campaignState.finished],
])('of campaigns: %s', async (_, valid, start, after) => {
  const path = await add('campaign')
  await remove(path)
  await sql`update campaign set valid = ${valid}, startdate = now() + ${start}::interval
    where campagne_id = ${keyOf(path)}`.execute(app.db)
  expect(await restore(path)).toMatchObject({ status: 200, json: { valid: after } })
})

test.each([campaignState.paused, campaignState.held])(
  'a campaign in state %i, whose messages were cancelled, is not restored',
  async valid => {
    const path = await add('campaign')
    await sql`update campaign set valid = ${valid} where campagne_id = ${keyOf(path)}`.execute(app.db)
    expect(await remove(path)).toMatchObject({ status: 204 })
    expect(await restore(path)).toMatchObject({ status: 409, json: { code: 'wrong_state' } })
    expect(await app.call('GET', path, { token: superadmin })).toMatchObject({ status: 404 })
  },
)

test('a domain that another client has verified meanwhile becomes unverified', async () => {
  const path = await add('domain')
  const { json } = await app.call('GET', path, { token: superadmin })
  await sql`update domain set status = 'verified' where domain_id = ${keyOf(path)}`.execute(app.db)
  await remove(path)
  expect(await restore(path)).toMatchObject({ status: 200, json: { status: 'verified' } })
  await remove(path)
  const theirs = await addTestClient(app, superadmin)
  const made = await app.call('POST', '/emma/domain/', {
    token: superadmin,
    body: { client_id: theirs.clientId, name: json.name },
  })
  await sql`update domain set status = 'verified' where domain_id = ${made.json.domain_id}`.execute(app.db)
  expect(await restore(path)).toMatchObject({ status: 200, json: { status: 'new' } })
})

test('R127 the bin lists deleted templates for 30 days, only those of the client', async () => {
  const path = await add('message')
  const bin = (clientId = ours.clientId, token = superadmin) =>
    app.call('GET', `/v2/emma/client/${clientId}/message:bin`, { token })
  const ago = (days: number) =>
    sql`update message set deleted_at = now() - make_interval(days => ${days})
      where message_id = ${keyOf(path)}`.execute(app.db)
  expect((await bin()).json).toEqual({ data: [], total: 0 })
  await remove(path)
  await ago(29)
  expect((await bin()).json).toMatchObject({ data: [{ message_id: keyOf(path) }], total: 1 })
  const other = await addTestClient(app, superadmin)
  expect((await bin(other.clientId)).json).toEqual({ data: [], total: 0 })
  const { token } = await app.logIn({ clients: [other.clientId] })
  expect((await bin(ours.clientId, token)).status).toBe(404)
  await ago(31)
  expect((await bin()).json).toEqual({ data: [], total: 0 })
  expect(await restore(path)).toMatchObject({ status: 404 })
  await ago(29)
  expect(await restore(path)).toMatchObject({ status: 200 })
  expect((await bin()).json).toEqual({ data: [], total: 0 })
})
