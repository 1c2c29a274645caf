import { resources } from '@emma/contract/resource-list.ts'
import { member } from '@emma/contract/resources/member.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

/** Each filter of the specification (R170) on a list that it changes. */

let app: TestApp
let ours: TestClient
let theirs: TestClient
let token: string
let lists: Record<string, string>

beforeAll(async () => {
  app = await startTestApp()
  token = await app.logInSuperadmin()
  ours = await addTestClient(app, token)
  theirs = await addTestClient(app, token)
  lists = {
    members: `/v2/emma/client/${ours.clientId}/membertable/${ours.ids.membertable}/member/?`,
    reports: `/emma/report/?client_id=${ours.clientId}&`,
    ...Object.fromEntries(
      resources.map(({ name, paths }) => [
        name,
        `${paths[0]}?${ofUs(name) ? `client_id=${ours.clientId}&` : ''}`,
      ]),
    ),
  }
  await fill()
})
afterAll(() => app.close())

function ofUs(resource: string): boolean {
  return resources.some(({ name, tenant }) => name === resource && tenant)
}

async function add(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const answer = await app.call('POST', path, { token, body: { client_id: ours.clientId, ...body } })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
  return answer.json
}

/** Adds records that the filters distinguish from the one record per resource and client. */
async function fill(): Promise<void> {
  const { ids, clientId } = ours
  const members = sql.table(`members.t${ids.membertable}`)
  for (const [email, values] of Object.entries({
    'old@example.test': {
      dateunjoin: '2025-03-01',
      hardbounced_at: '2025-03-01',
      complained_at: '2025-03-01',
      last_opened_at: '2025-03-01',
    },
    'new@example.test': {
      dateunjoin: '2026-03-01',
      hardbounced_at: '2026-03-01',
      complained_at: '2026-03-01',
      last_opened_at: '2026-03-01',
    },
    'well@example.test': {},
  }))
    await sql`insert into ${members} (client_id, email, ${sql.join([...Object.keys(values), 'source'].map(each => sql.ref(each)))})
      values (${clientId}, ${email}, ${sql.join([...Object.values(values), 'form'])})`.execute(app.db)
  const table = await add('/emma/membertable/', { name: 'Another' })
  await add('/emma/list/', {
    name: 'Of another',
    member_table_id: table.member_table_id,
    include_unsubscribed: true,
  })
  const early = await add('/emma/campaign/', { name: 'Early', startdate: '2025-03-01T10:00:00Z' })
  const late = await add('/emma/campaign/', { name: 'Late', startdate: '2026-03-01T10:00:00Z' })
  const tested = await add('/emma/campaign/', { name: 'Test' })
  await app.pool.query(`update campaign set valid = 3, started_at = startdate where campagne_id = any($1)`, [
    [early.campagne_id, late.campagne_id],
  ])
  await app.pool.query('update campaign set ctype = 4 where campagne_id = $1', [tested.campagne_id])
  await add('/emma/testaddress/', { email: 'seed@example.test', addr_type: 'global_seed', active: false })
  const global = await add('/emma/blacklist/', { name: 'Everywhere', kind: 'client' })
  await app.call('POST', `/emma/blacklist/${Number(global.blacklist_id)}/entry/`, {
    token,
    body: { values: ['blocked@example.test'] },
  })
  await add('/emma/domain/', { name: 'elsewhere.test' })
  await app.pool.query(`update domain set is_blocklisted = true where name = 'elsewhere.test'`)
  const spring = { name: 'Spring', subject: 'Spring', category: 'Seasons', collection: 'Garden' }
  await add('/emma/message/', { ...spring, body_text: 'Confirm: {{ link.doi }}' })
  await add('/emma/message/', { ...spring, name: 'Spring page', template_type: 'page' })
  await add('/dashboard/', { name: 'My own', is_public: false })
  await app.pool.query(
    `insert into data_upload (client_id, member_table_id, filename, test, status)
     values ($1, $2, 'try.csv', true, 3)`,
    [clientId, table.member_table_id],
  )
}

const shorter: [filter: string, list: string, value: string][] = [
  ['abuseAfter', 'members', '2026-01-01'],
  ['abuseBefore', 'members', '2026-01-01'],
  ['hardbounceAfter', 'members', '2026-01-01'],
  ['hardbounceBefore', 'members', '2026-01-01'],
  ['openedAfter', 'members', '2026-01-01'],
  ['openedBefore', 'members', '2026-01-01'],
  ['dateunjoinAfter', 'members', '2026-01-01'],
  ['dateunjoinBefore', 'members', '2026-01-01'],
  ['email', 'members', 'well@example.test'],
  ['onlyactive', 'members', 'true'],
  ['include_unsubscribed', 'members', 'false'],
  ['include_unsubscribed', 'list', 'true'],
  ['member_table_id', 'list', 'OWN'],
  ['startdateAfter', 'campaign', '2026-01-01'],
  ['startdateBefore', 'campaign', '2026-01-01'],
  ['startdate', 'campaign', '2026-01-01'],
  ['enddate', 'campaign', '2026-01-01'],
  ['start_date', 'reports', '2026-01-01'],
  ['end_date', 'reports', '2026-01-01'],
  ['status', 'campaign', '3'],
  ['type', 'campaign', '4'],
  ['test', 'campaign', 'true'],
  ['search', 'campaign', 'Early'],
  ['test', 'dataupload', 'true'],
  ['table', 'dataupload', 'OWN'],
  ['address', 'blacklist', 'blocked@example.test'],
  ['globalblacklist', 'blacklist', 'true'],
  ['global', 'blacklist', 'true'],
  ['domain', 'domain', 'elsewhere'],
  ['is_blocklisted', 'domain', 'true'],
  ['category', 'message', 'Seasons'],
  ['collection', 'message', 'Garden'],
  ['template_type', 'message', 'page'],
  ['doi_link', 'message', 'true'],
  ['visibility', 'dashboard', 'private'],
]

test.each(shorter)('R170 %s filters the list of %s', async (filter, list, value) => {
  const all = await total(`${lists[list]}`)
  const some = await total(`${lists[list]}${filter}=${value.replace('OWN', String(ours.ids.membertable))}`)
  expect(some).toBeGreaterThan(0)
  expect(some).toBeLessThan(all)
})

test('R170 R149 client_id selects another client’s list, superadminview everybody’s', async () => {
  const own = await total(`/emma/campaign/?client_id=${ours.clientId}`)
  const both = await total(`/emma/campaign/?client_id=${ours.clientId}&client_id=${theirs.clientId}`)
  expect(both).toBeGreaterThan(own)
  expect(await total('/emma/campaign/?superadminview=true')).toBe(both)
})

test('R170 all_membertables includes other datasources', async () => {
  const ofOne = `${lists.list}member_table_id=${ours.ids.membertable}`
  expect(await total(`${ofOne}&all_membertables=false`)).toBe(await total(ofOne))
  expect(await total(`${ofOne}&all_membertables=true`)).toBe(await total(`${lists.list}`))
})

test('R170 R268 distinct returns one row per value, the newest', async () => {
  const sources = (await rows(`${lists.members}distinct=source`)).map(row => row.source)
  expect(sources).toEqual([...new Set(sources)])
  expect(await total(`${lists.members}`)).toBeGreaterThan(sources.length)
  const [seasonal] = await rows(`${lists.message}distinct=category&category=Seasons`)
  expect(seasonal?.name).toBe('Spring page')
  const states = await rows(`${lists.campaign}distinct[]=valid&orderby=valid&desc=true&limit=1`)
  expect(states).toMatchObject([{ valid: 3 }])
  for (const field of ['snapshot', 'nonsense', 'client_id; drop table client'])
    expect(await app.call('GET', `${lists.campaign}distinct=${field}`, { token })).toMatchObject({
      status: 400,
      json: { fields: [{ field: 'distinct' }] },
    })
})

test('R170 T5 page and pagesize are alternatives to offset and limit', async () => {
  const all = await keys('')
  expect(await keys('pagesize=2')).toEqual(all.slice(0, 2))
  expect(await keys('pagesize=2&page=2')).toEqual(all.slice(2, 4))
  expect(await keys('page=1')).toEqual(all.slice(0, 10))
  expect(await keys('pagesize=2&page=2&limit=1&offset=0')).toEqual(all.slice(0, 1))
  for (const wrong of ['page=0', 'page=-1', 'page=1e9', 'page=99999999', 'pagesize=0', 'pagesize=x'])
    expect(await app.call('GET', `${lists.campaign}${wrong}`, { token })).toMatchObject({
      status: 400,
      json: { fields: [{ field: wrong.split('=')[0] }] },
    })
})

test('R170 every filter of the specification is supported by a list', () => {
  const filters = [...resources, member].flatMap(resource => Object.keys(resource.filters))
  const everywhere = ['client_id', 'superadminview', 'search', 'page', 'pagesize', 'distinct']
  const named = `abuseAfter abuseBefore address all_membertables category client_id collection dateunjoinAfter
    dateunjoinBefore distinct doi_link domain email end_date enddate global globalblacklist hardbounceAfter
    hardbounceBefore include_unsubscribed is_blocklisted member_table_id onlyactive openedAfter openedBefore page pagesize
    search start_date startdate startdateAfter startdateBefore status superadminview table template_type test type
    visibility`
  const missing = named.split(/\s+/).filter(name => !filters.includes(name) && !everywhere.includes(name))
  expect(missing).toEqual([])
})

async function keys(query: string): Promise<unknown[]> {
  const campaigns = await rows(`${lists.campaign}orderby=name&${query}`)
  return campaigns.map(({ campagne_id }) => campagne_id)
}

async function rows(url: string): Promise<Record<string, unknown>[]> {
  const answer = await app.call('GET', url, { token })
  if (answer.status !== 200) throw new Error(`${url}: ${answer.text}`)
  return z.array(z.record(z.string(), z.unknown())).parse(answer.json.data)
}

async function total(url: string): Promise<number> {
  const answer = await app.call('GET', url, { token })
  const page = z.object({ pagination: z.object({ total: z.int() }) }).safeParse(answer.json)
  if (!page.success) throw new Error(`${url}: ${answer.text}`)
  return page.data.pagination.total
}
