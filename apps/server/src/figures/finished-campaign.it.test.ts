import { viewAge } from '@emma/contract/dashboard-views.ts'
import { viewTypes } from '@emma/contract/resources/dashboard.ts'
import { readDatasource } from '@emma/core/audience/datasources/datasource.ts'
import { recountChanged } from '@emma/core/audience/datasources/datasource-stats.ts'
import { fixedColumns } from '@emma/core/audience/members/member-columns.ts'
import { createMember } from '@emma/core/audience/members/write-member.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { claimDue } from '@emma/delivery/2-claim/claim-due.ts'
import { finishCampaigns } from '@emma/delivery/5-record/close-campaigns.ts'
import { listToMark, markSent } from '@emma/delivery/5-record/mark-sent.ts'
import { reportProgress } from '@emma/delivery/5-record/report-progress.ts'
import { followAll } from '@emma/core/test/follow-all.ts'
import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import { type TokenPurpose, verpAddress } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { complaint, deliveryReport, type Doors, openDoors } from './test/doors.ts'
import { CHROME } from './test/reader-acts.ts'
import { HOST, tokenOf } from './test/world.ts'

/**
 * One finished campaign with a known history per recipient: opened, clicked, unsubscribed, complained, erased, or
 * deleted and added again. Every figure of the API must match that history.
 */

const NAMES = ['opener', 'clicker', 'later', 'zoe', 'angry', 'erased', 'refused', 'blocked', 'again'] as const
type Name = (typeof NAMES)[number]

const STORY = {
  nb_recipients: 9,
  nb_preblock: 1, // blocked
  nb_send: 8,
  nb_delivered: 6, // not: refused, later
  nb_hardbounce: 2, // refused, later
  nb_softbounce: 0,
  nb_open: 3, // opener, erased, again
  nb_click: 2, // opener, clicker
  nb_unsubscribe: 1, // zoe, though she left three datasources
  nb_complaint: 1, // angry
  nb_pending: 0,
  nb_unknown: 0,
}

let app: TestApp
let doors: Doors
let token: string
let clientId: number
let tableId: number
let otherTables: number[]
let campaignId: number
let members: Record<Name, number>

beforeAll(async () => {
  app = await startTestApp()
  const client = await createTestTenant(
    app.db,
    NAMES.map(name => `${name}@gmx.test`),
  )
  clientId = client.clientId
  tableId = client.memberTableId
  token = (await app.logIn({ clients: [clientId] })).token
  doors = await openDoors({ db: app.db, pool: app.pool }, [clientId])
  await describeColumns(tableId)
  otherTables = [await addDatasource('Shop'), await addDatasource('Club')]
  members = await readIds()
  await app.db
    .insertInto('test_address')
    .values({ client_id: clientId, email: 'seed@own.test', addr_type: 'global_seed' })
    .execute()
  await api('POST', '/emma/blacklist/', { name: 'Never', kind: 'client' }).then(list =>
    api('POST', `/emma/blacklist/${Number(list.blacklist_id)}/entry/`, { values: ['blocked@gmx.test'] }),
  )
  const key = await addCampaign(client)
  campaignId = key.campaignId
  await expandCampaign(app.db, key, testExpansion)
  await send()
  await react()
  await comeToRest()
})
afterAll(async () => {
  await doors?.close()
  await app?.close()
})

test('the report, its list and its exports match the history', async () => {
  expect(await api('GET', `/emma/report/${campaignId}`)).toMatchObject(STORY)
  const listed = await api('GET', '/emma/report/')
  expect(rowsOf(listed)).toMatchObject([{ campagne_id: campaignId, ...STORY }])
  const csv = await app.call('GET', `/emma/report/download/${campaignId}`, { token })
  const lines = csv.text.trimEnd().split('\n')
  expect(lines).toHaveLength(1 + STORY.nb_recipients)
  expect(csv.text).not.toContain('seed@own.test')
  const head = lines[0]?.replace('\uFEFF', '').trim().split(',') ?? []
  const filled = (column: string) =>
    lines.slice(1).filter(line => line.trim().split(',')[head.indexOf(column)] !== '').length
  expect([filled('open_at'), filled('click_at'), filled('unsubscribe_at'), filled('complaint_at')]).toEqual([
    STORY.nb_open,
    STORY.nb_click,
    STORY.nb_unsubscribe,
    STORY.nb_complaint,
  ])
})

test('each figure of the report lists its recipients', async () => {
  const behind: Record<string, number> = {
    '': STORY.nb_recipients,
    'state=skipped': STORY.nb_preblock,
    'figure=answered': STORY.nb_send,
    'figure=delivered': STORY.nb_delivered,
    'event=bounce': STORY.nb_hardbounce,
    'event=open&verdict=human': STORY.nb_open,
    'event=click&verdict=human': STORY.nb_click,
    'event=unsubscribe': STORY.nb_unsubscribe,
    'event=complaint': STORY.nb_complaint,
  }
  const counted: Record<string, unknown> = {}
  for (const query of Object.keys(behind)) {
    const { pagination } = await api('GET', `/emma/report/${campaignId}/recipients?limit=1&${query}`)
    counted[query] = Reflect.get(Object(pagination), 'total')
  }
  expect(counted).toEqual(behind)
})

test('the dashboard and the list of campaigns show the same', async () => {
  const view = (type: string, query = '') =>
    api('GET', `/view/dashboard/${type}/?client_id=${clientId}&days=30${query}`)
  const { nb_recipients, nb_send, nb_delivered, nb_open, nb_click, nb_unsubscribe, nb_complaint } = STORY
  const funnel = { nb_recipients, nb_send, nb_delivered, nb_open, nb_click, nb_unsubscribe, nb_complaint }
  expect(await view('funnel')).toMatchObject(funnel)
  const sum = async (type: string, name: string) =>
    rowsOf(await view(type), 'days').reduce((total, day) => total + Number(day[name]), 0)
  expect([await sum('volume', 'sent'), await sum('volume', 'bounced')]).toEqual([7, 1])
  expect([await sum('complaints', 'complaints'), await sum('complaints', 'unsubscribes')]).toEqual([1, 1])
  expect(rowsOf(await view('bounces'), 'rows').reduce((total, row) => total + Number(row.people), 0)).toBe(2)
  expect(await api('GET', `/emma/campaign/${campaignId}`)).toMatchObject({
    estimated_volume: STORY.nb_send,
    progress_cur: STORY.nb_send,
    valid: 3,
  })
})

test('datasources, segments and subscribers show the same', async () => {
  const figures = async (id: number) => api('GET', `/emma/membertable/${id}`)
  expect(await figures(tableId)).toMatchObject({
    stats_total: NAMES.length - 1, // erased is gone, again is there again
    stats_active: 4, // opener, clicker, blocked, again: what blocks an address is not in the datasource
    stats_unsubscribed: 1,
    stats_hardbounce: 2,
    stats_complaint: 1,
  })
  for (const id of otherTables)
    expect(await figures(id)).toMatchObject({ stats_total: 1, stats_active: 0, stats_unsubscribed: 1 })
  const count = async (field: string) =>
    (
      await api('POST', '/emma/list:count', {
        member_table_id: tableId,
        include_unsubscribed: true,
        total_only: true,
        query: {
          combinator: 'and',
          rules: [
            {
              field,
              operator: '=',
              match: { mode: 'some' },
              value: {
                combinator: 'and',
                rules: [{ field: 'campagne_id', operator: '=', value: campaignId }],
              },
            },
          ],
        },
      })
    ).total
  // Recipients who are still subscribers: neither the erased one nor the one deleted and added again.
  expect(await count('sent')).toBe(STORY.nb_send - 2)
  expect(await count('opened')).toBe(STORY.nb_open - 2)
  expect(await count('clicked')).toBe(STORY.nb_click)
  expect(await count('unsubscribed')).toBe(STORY.nb_unsubscribe)
  const member = (name: Name) =>
    api('GET', `/v2/emma/client/${clientId}/membertable/${tableId}/member/${members[name]}`)
  expect(await member('clicker')).toMatchObject({ last_opened_at: null, last_clicked_at: expect.any(String) })
  expect(await member('refused')).toMatchObject({
    last_sent_at: expect.any(String),
    hardbounced_at: expect.any(String),
  })
  expect(await member('blocked')).toMatchObject({ last_sent_at: null })
})

test('each figure is counted on request, or states when it was counted', async () => {
  const report = async () => {
    const { nb_open, nb_unsubscribe } = await api('GET', `/emma/report/${campaignId}`)
    return { nb_open, nb_unsubscribe }
  }
  const listed = async () => {
    const [{ nb_open, nb_unsubscribe } = {}] = rowsOf(await api('GET', '/emma/report/'))
    return { nb_open, nb_unsubscribe }
  }
  const peopleBehind = async (query: string) => {
    const { pagination } = await api('GET', `/emma/report/${campaignId}/recipients?limit=1&${query}`)
    return Reflect.get(Object(pagination), 'total')
  }
  const people = async () => ({
    nb_open: await peopleBehind('event=open&verdict=human'),
    nb_unsubscribe: await peopleBehind('event=unsubscribe'),
  })
  const read = `/t/o/${linkTo('clicker')}.gif`
  await doors.ask(read, { headers: { 'user-agent': CHROME } })
  expect(await doors.ask(`/u/${linkTo('clicker')}`, { method: 'POST', form: 'action=unsubscribe' })).toBe(200)
  await doors.storeHits()
  const recorded = Date.now()
  const now = { nb_open: STORY.nb_open + 1, nb_unsubscribe: STORY.nb_unsubscribe + 1 }

  // Only the log is written yet; no background job runs here.
  expect([await report(), await listed(), await people()]).toEqual([now, now, now])

  // A view with a later count time includes it; a cached one has an earlier time.
  for (const type of viewTypes) {
    const view = () => api('GET', `/view/dashboard/${type}/?client_id=${clientId}&days=30`)
    const ageOf = (answer: Fields) => Date.parse(viewAge.parse(answer).as_of)
    const age = ageOf(await view())
    expect(age, `the view ${type}`).toBeLessThanOrEqual(Date.now())
    await expect.poll(async () => ageOf(await view()), { message: type }).toBeGreaterThanOrEqual(recorded)
  }
  const view = (type: string) => api('GET', `/view/dashboard/${type}/?client_id=${clientId}&days=30`)
  expect(await view('funnel')).toMatchObject(now)
  const unsubscribes = rowsOf(await view('complaints'), 'days').map(day => Number(day.unsubscribes))
  expect(unsubscribes.reduce((total, count) => total + count, 0)).toBe(now.nb_unsubscribe)

  const counted = async () => {
    const { stats_unsubscribed, stats_at } = await api('GET', `/emma/membertable/${tableId}`)
    return { stats_unsubscribed, isFresh: Date.parse(String(stats_at)) >= recorded }
  }
  await comeToRest()
  expect(await counted()).toEqual({ stats_unsubscribed: 2, isFresh: true })
})

/** Claims and completes all rows: one hard bounce, the others and the seed are accepted. */
async function send(): Promise<void> {
  const { lease, recorder } = await doors.engine()
  const grant = { clientId, campaignId, limit: 100, buckets: [], receivers: [], closed: [] }
  const { rows } = await claimDue(app.db, lease.id, [grant])
  for (const row of rows) {
    await recorder.begin(row)
    const isRefused = row.memberId === members.refused
    const reply = isRefused
      ? { code: 550, enhanced: '5.1.1', text: 'no such user', class: 'bad-mailbox' as const, hard: true }
      : { code: 250, enhanced: null, text: 'ok', class: 'other' as const, hard: false }
    const outcome = { kind: isRefused ? ('rejected' as const) : ('sent' as const), reply }
    await recorder.settle({ row, outcome, retryScale: 0, resendUnknown: false })
  }
  await recorder.drained()
  await lease.release()
  // An hour ago, so that nobody is classified as a machine for reading within a second.
  await sql`
    update delivery set claimed_at = claimed_at - interval '1 hour', recorded_at = recorded_at - interval '1 hour'
    where campagne_id = ${campaignId}`.execute(app.db)
}

function linkTo(name: Name, purpose: TokenPurpose = 'page'): string {
  const own = { campaign: { id: campaignId, tenant: { clientId } } }
  return tokenOf({ doors }, { ...own, memberId: members[name] }, {}, purpose)
}

async function react(): Promise<void> {
  const read = (path: string) => doors.ask(path, { headers: { 'user-agent': CHROME } })
  for (const name of ['opener', 'erased', 'again'] as const) await read(`/t/o/${linkTo(name)}.gif`)
  for (const name of ['opener', 'clicker'] as const) await read(`/t/c/${linkTo(name)}/1`)
  await doors.storeHits()
  const back = verpAddress(linkTo('later', 'return'), HOST)
  const failed = { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 user unknown' }
  expect(await doors.mail(back, deliveryReport(back, 'later@gmx.test', failed))).toBe(250)
  const original = `Return-Path: <${verpAddress(linkTo('angry', 'return'), HOST)}>\r\nFrom: news@sender.test`
  expect(await doors.mail(`fbl@${HOST}`, complaint(original))).toBe(250)
  // No box is checked any more: all three datasources are unsubscribed at once.
  expect(
    await doors.ask(`/u/${linkTo('zoe')}/preferences`, { method: 'POST', form: 'action=save&frequency=all' }),
  ).toBe(200)
  await api('POST', `/v2/emma/client/${clientId}/membertable/${tableId}/member/${members.erased}/erase`)
  await api('DELETE', `/v2/emma/client/${clientId}/membertable/${tableId}/member/${members.again}`)
  await api('POST', `/v2/emma/client/${clientId}/membertable/${tableId}/member/`, { email: 'again@gmx.test' })
}

async function comeToRest(): Promise<void> {
  const { db } = app
  await followAll(db)
  await finishCampaigns(db)
  await reportProgress(db, new Map())
  for (const campaign of await listToMark(db)) await markSent(db, campaign)
  await recountChanged(db, new Map())
}

/** A datasource with the one person who is in all of them. */
async function addDatasource(name: string): Promise<number> {
  const made = await api('POST', '/emma/membertable/', { name })
  const id = Number(made.member_table_id)
  const source = await readDatasource(app.db, { clientIds: [clientId] }, id)
  await createMember(app.db, systemActor(clientId), source, { email: 'zoe@gmx.test' })
  return id
}

async function describeColumns(memberTableId: number): Promise<void> {
  await app.db
    .insertInto('member_table_column')
    .values(
      fixedColumns.map(column => ({
        client_id: clientId,
        member_table_id: memberTableId,
        column_name: column.column_name,
        label: column.label,
        data_type: column.data_type,
        is_fixed: true,
      })),
    )
    .execute()
}

async function readIds(): Promise<Record<Name, number>> {
  const { rows } = await sql<{ member_id: number; email: string }>`
    select member_id, email from ${sql.id('members', `t${tableId}`)} where client_id = ${clientId}`.execute(
    app.db,
  )
  const idOf = (name: Name) => rows.find(row => row.email === `${name}@gmx.test`)?.member_id ?? 0
  return Object.fromEntries(NAMES.map(name => [name, idOf(name)])) as Record<Name, number>
}

async function api(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Fields> {
  const answer = await app.call(method, path, { token, ...(body === undefined ? {} : { body }) })
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  return answer.json
}

function rowsOf(answer: Fields, name = 'data'): Fields[] {
  const rows = answer[name]
  return Array.isArray(rows) ? rows : []
}
