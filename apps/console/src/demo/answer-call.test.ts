import { createClient } from '@emma/client/create-client.ts'
import { checkCampaign, moveCampaign } from '@emma/contract/actions/campaigns.ts'
import { countList, listMembers, previewList } from '@emma/contract/actions/audience.ts'
import { renderMessage } from '@emma/contract/actions/content.ts'
import { viewDashboard } from '@emma/contract/actions/dashboard.ts'
import { readGuidance } from '@emma/contract/actions/guidance.ts'
import { findReport, listReports } from '@emma/contract/actions/reports.ts'
import { dashboardViews } from '@emma/contract/dashboard-views.ts'
import { recordSchema } from '@emma/contract/resource-schemas.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { message } from '@emma/contract/resources/message.ts'
import { motd } from '@emma/contract/resources/motd.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { user } from '@emma/contract/resources/user.ts'
import { viewTypes } from '@emma/contract/resources/dashboard.ts'
import { webhook } from '@emma/contract/resources/webhook.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerCall } from './answer-call.ts'
import type { DemoState } from './demo-call.ts'
import type { DemoCampaign } from './demo-records.ts'
import { createRandom } from './seed/random.ts'
import { seedDemo } from './seed/seed-demo.ts'
import { memoryTables } from './test-tables.ts'

const person = { id: 5, username: 'dora', firstname: 'Dora', lastname: 'Demo', email: 'dora@demo.test' }
const now = new Date('2026-05-20T14:00:00')
const host = 'https://emma.test/api'

let state: DemoState
let api: ReturnType<typeof createClient>

beforeEach(async () => {
  state = { tables: memoryTables(), person, random: createRandom(1), now: () => now }
  await seedDemo(state.tables, { person, clients: [], lang: 'en', now })
  api = createClient({
    apiHost: host,
    token: () => 'token',
    params: () => ({ client_id: demoClientId }),
    transport: (url, init) => answerCall(new Request(url, init), new URL(url).pathname.slice(4), state),
  })
})

describe('R306 lists', () => {
  const served = ['campaign', 'message', 'testaddress', 'membertable', 'dashboard', 'user', 'placeholder']
  const more = [
    'reportinggroup',
    'motd',
    'blacklist',
    'list',
    'domain',
    'mailclass',
    'role',
    'testgroup',
    'campaignpreset',
    'capping',
    'category',
    'pmt',
    'webform',
    'recurring',
    'transactionalcampaign',
  ]

  test.each([...served, ...more])('R306 R308 %s: every record matches the contract', async name => {
    const resource = resources.find(one => one.name === name)
    if (!resource) throw new Error(`no ${name}`)
    const { data, pagination } = await api.list(resource, { limit: 100 })
    expect(pagination).toEqual({ limit: 100, offset: 0, total: data.length })
    expect(data.length).toBeGreaterThan(0)
    for (const row of data) recordSchema(resource).parse(row)
  })

  test('R306 R312 have 10 rows per page by default', async () => {
    const page = await api.list(campaign, { limit: null })
    expect(page.data).toHaveLength(10)
    expect(page.pagination).toEqual({ limit: 10, offset: 0, total: 16 })
    const next = await api.list(campaign, { limit: 10, offset: 10 })
    expect(next.data).toHaveLength(6)
  })

  test('R306 are searched, filtered and sorted according to the contract', async () => {
    const running = await api.list(campaign, { filters: { status: [2] } })
    expect(running.data.map(({ valid }) => valid)).toEqual([2])
    const found = await api.list(campaign, { search: 'TENTS' })
    expect(found.data.map(({ name }) => name)).toEqual(['New: ultralight tents'])
    const sorted = await api.list(campaign, { sort: { field: 'name', descending: true }, limit: 100 })
    const names = sorted.data.map(({ name }) => name)
    expect(names).toEqual(names.toSorted((one, other) => other.localeCompare(one)))
    await expect(api.list(campaign, { sort: { field: 'screenshot' } })).rejects.toThrow(
      'cannot sort by screenshot',
    )
    const seeds = await api.list(testaddress, { filters: { type: ['global_seed'] } })
    expect(seeds.pagination.total).toBe(1)
  })

  test('R170 R306 have one record per value of a distinct field', async () => {
    const all = await api.list(message, { limit: 100 })
    const { data } = await api.list(message, { limit: 100, filters: { distinct: 'category' } })
    const categories = new Set(all.data.map(({ category }) => category))
    expect(data).toHaveLength(categories.size)
    expect(new Set(data.map(({ category }) => category))).toEqual(categories)
    expect(data.length).toBeLessThan(all.data.length)
  })

  test('R306 list subscribers of a datasource by the filters of their screen', async () => {
    const params = { member_table_id: 9001 }
    const all = await api.call(listMembers, { params, query: { limit: '500' } })
    const active = await api.call(listMembers, { params, query: { limit: '500', 'onlyactive[]': 'true' } })
    expect(active.data.length).toBeLessThan(all.data.length)
    expect(active.data.every(row => row['active'] === true)).toBe(true)
    const preview = previewList.response.parse(
      await api.call(previewList, { params: { id: 9001 }, query: {} }),
    )
    expect(preview.data).toHaveLength(10)
  })
})

describe('R306 writes change the browser’s store', () => {
  test('R306 a record is created, patched with its revision, and deleted', async () => {
    const made = await api.create(blacklist, { name: 'New one' })
    recordSchema(blacklist).parse(made)
    const changed = await api.patch(blacklist, made.blacklist_id, { name: 'Other' }, { revision: 1 })
    expect([changed.name, changed.revision]).toEqual(['Other', 2])
    await expect(api.patch(blacklist, made.blacklist_id, { name: 'x' }, { revision: 1 })).rejects.toThrow(
      'Faulty X-Revision value provided',
    )
    await expect(api.create(blacklist, { name: ' ' })).rejects.toMatchObject({ code: 'invalid' })
    expect(await api.remove(blacklist, made.blacklist_id)).toEqual([{ id: made.blacklist_id }])
    await expect(api.find(blacklist, made.blacklist_id)).rejects.toThrow('Not found')
  })

  test('R308 a campaign includes the records that it references', async () => {
    const made = await api.create(campaign, {
      name: 'Mine',
      list_id: 9001,
      message_id: 9001,
      domain_id: 9001,
    })
    const kept = await state.tables<DemoCampaign>('campaign').get(made.campagne_id)
    expect([kept?.list?.list_id, kept?.message?.message_id, kept?.domain?.domain_id]).toEqual([
      9001, 9001, 9001,
    ])
    expect(kept?.mailclass).toBeNull()
  })
})

describe('campaigns', () => {
  const ready = {
    list_id: 9001,
    message_id: 9001,
    domain_id: 9001,
    mailclass_id: 9001,
    fromadr: 'a@b.example',
  }

  test('R309 start sets 2, pause 5, start 2 again, stop 8; other transitions are rejected', async () => {
    const { campagne_id } = await api.create(campaign, { name: 'Mine', ...ready })
    expect((await api.call(checkCampaign, { params: { id: campagne_id } })).errors).toEqual([])
    expect((await move(campagne_id, 'start')).valid).toBe(2)
    expect((await move(campagne_id, 'pause')).valid).toBe(5)
    await expect(move(campagne_id, 'pause')).rejects.toMatchObject({ status: 409, code: 'wrong_state' })
    expect((await move(campagne_id, 'start')).valid).toBe(2)
    expect((await move(campagne_id, 'stop')).valid).toBe(8)
    await expect(move(campagne_id, 'start')).rejects.toMatchObject({ code: 'wrong_state' })
    const copy = await move(campagne_id, 'copy')
    expect([copy.valid, copy.campagne_id]).toEqual([0, campagne_id + 1])
    expect((await api.find(campaign, campagne_id)).valid).toBe(8)
  })

  test('R309 a campaign without required fields does not start', async () => {
    const { campagne_id } = await api.create(campaign, { name: 'Bare' })
    const { errors } = await api.call(checkCampaign, { params: { id: campagne_id } })
    expect(errors.map(({ field }) => field)).toContain('message_id')
    await expect(move(campagne_id, 'start')).rejects.toMatchObject({ code: 'invalid' })
  })

  test('R310 each refresh sends 100 to 300 more and updates the report', async () => {
    const [first] = (await api.list(campaign, { filters: { status: [2] } })).data
    if (!first) throw new Error('nothing is running')
    const second = await api.find(campaign, first.campagne_id, {}, { ignoreCache: true })
    const gained = second.progress_cur - first.progress_cur
    expect(gained).toBeGreaterThanOrEqual(100)
    expect(gained).toBeLessThanOrEqual(300)
    const report = await api.call(findReport, { params: { id: first.campagne_id } })
    expect(report.nb_send).toBe(report.progress_cur)
    expect(report.nb_send).toBeGreaterThan(second.progress_cur)
  })

  test('R310 the last refresh ends at estimated_volume, and the campaign is finished', async () => {
    const [running] = (await api.list(campaign, { filters: { status: [2] } })).data
    const table = state.tables<DemoCampaign>('campaign')
    const stored = await table.get(running?.campagne_id ?? 0)
    if (!stored) throw new Error('nothing is running')
    await table.put(stored.campagne_id, { ...stored, progress_cur: stored.estimated_volume - 50 })
    const ended = await api.find(campaign, stored.campagne_id, {}, { ignoreCache: true })
    expect([ended.valid, ended.progress_cur]).toEqual([3, stored.estimated_volume])
    const after = await api.find(campaign, stored.campagne_id, {}, { ignoreCache: true })
    expect([after.valid, after.progress_cur]).toEqual([3, stored.estimated_volume])
  })
})

test('R306 R308 reports match the contract, newest first', async () => {
  const { data } = listReports.response.parse(await api.call(listReports, { query: { limit: '50' } }))
  expect(data.length).toBeGreaterThan(5)
  for (const { campagne_id } of data)
    findReport.response.parse(await api.call(findReport, { params: { id: campagne_id } }))
  const begun = data.map(({ started_at }) => started_at ?? '')
  expect(begun).toEqual(begun.toSorted().toReversed())
})

test.each(viewTypes)('R306 the %s widget returns its figures', async type => {
  const answer = await api.call(viewDashboard, { params: { type }, query: { days: 7 } })
  expect(dashboardViews[type].safeParse(answer).error).toBeUndefined()
})

test('R306 a message is rendered for a subscriber', async () => {
  const { html } = renderMessage.response.parse(
    await api.call(renderMessage, { params: { id: 9001, member_id: 9001 } }),
  )
  const [member] = (await api.call(listMembers, { params: { member_table_id: 9001 }, query: {} })).data
  expect(html).toContain(`Hello ${String(member?.['firstname'])},`)
  expect(html).not.toContain('{{')
})

test('R306 a segment is counted', async () => {
  const answer = countList.response.parse(await api.call(countList, { params: {}, body: { list_id: 9001 } }))
  expect(answer.total).toBeGreaterThanOrEqual(250_000)
})

test('R312 R313 the only message of the day is 143; the user list contains the demo users and the logged-in user', async () => {
  expect((await api.list(motd)).data.map(({ id }) => id)).toEqual([143])
  const { messages } = readGuidance.response.parse(await api.call(readGuidance, {}))
  expect(messages.map(({ id }) => id)).toEqual([143])
  const { data } = await api.list(user)
  expect(data.map(({ id }) => id)).toContain(5)
  expect(data.length).toBeGreaterThan(1)
  expect(data.every(({ isDemo }) => isDemo)).toBe(true)
})

test('R306 R317 unsupported calls are rejected with the specified message', async () => {
  await expect(api.list(webhook)).rejects.toMatchObject({
    message: 'not supported in demo',
    code: 'not_in_demo',
  })
  const [domain] = resources.filter(({ name }) => name === 'domain')
  if (!domain) throw new Error('no domain')
  await expect(api.remove(domain, 9001)).resolves.toMatchObject([
    { error: { message: 'not supported in demo' } },
  ])
})

function move(id: number, action: 'start' | 'pause' | 'stop' | 'copy') {
  return api.call(moveCampaign, { params: { id, action }, body: {} })
}
