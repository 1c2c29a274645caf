import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { recountChanged } from '@emma/core/audience/datasources/datasource-stats.ts'
import { fixedColumns } from '@emma/core/audience/members/member-columns.ts'
import { countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { runUpload } from '@emma/core/audience/uploads/run-upload.ts'
import { takeUpload } from '@emma/core/audience/uploads/upload-operations.ts'
import { readView } from '@emma/core/dashboard/read-view.ts'
import { readReport } from '@emma/core/reports/read-report.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { followAll } from '@emma/core/test/follow-all.ts'
import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { snapshotCampaign } from '@emma/delivery/model/campaign-snapshot.ts'
import { segmentOf } from '@emma/delivery/test/engine.ts'
import { type TokenPurpose, verpAddress } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { complaint, type Doors, openDoors } from './test/doors.ts'
import { HOST, tokenOf } from './test/world.ts'

/**
 * Every way to unsubscribe: the member's state and activity, the audit log, and the figures of datasource, dashboard,
 * segment and report agree after one run of the background work of the roles.
 */

const NAMES = ['page', 'click', 'prefers', 'writer', 'told', 'console', 'listed', 'angry', 'stays'] as const
type Name = (typeof NAMES)[number]

let app: TestApp
let doors: Doors
let folder: string
let user: { token: string; userId: number }
let clientId: number
let tableId: number
let campaignId: number
let members: Record<Name, number>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'emma-leave-'))
  app = await startTestApp()
  const emails = NAMES.map(name => `${name}@gmx.test`)
  const tenant = await createTestTenant(app.db, emails)
  clientId = tenant.clientId
  tableId = tenant.memberTableId
  const own = { client_id: clientId, member_table_id: tableId }
  const columns = fixedColumns.map(({ column_name, label, data_type }) => ({ column_name, label, data_type }))
  await app.db
    .insertInto('member_table_column')
    .values(columns.map(column => ({ ...own, ...column, is_fixed: true })))
    .execute()
  user = await app.logIn({ clients: [clientId] })
  doors = await openDoors({ db: app.db, pool: app.pool }, [clientId])
  const { rows } = await sql<{ id: number; email: string }>`
    select member_id as id, email from ${table()} where client_id = ${clientId}`.execute(app.db)
  const ids = new Map(rows.map(row => [row.email, row.id]))
  const idOf = (name: Name) => ids.get(`${name}@gmx.test`) ?? 0
  members = Object.assign({} as Record<Name, number>, ...NAMES.map(name => ({ [name]: idOf(name) })))
  const key = await addCampaign(tenant)
  campaignId = key.campaignId
  await expandCampaign(app.db, key, {
    segmentOf,
    takeSnapshot: (tx, found) => snapshotCampaign(tx, found, () => 'https://news.shop.example'),
  })
  await sql`update delivery set state = 'sent', recorded_at = now() - interval '1 hour'`.execute(app.db)
  await sql`insert into member_table_change (client_id, member_table_id) values (${clientId}, ${tableId})`.execute(
    app.db,
  )
  await comeToRest()
})
afterAll(async () => {
  await doors?.close()
  await app?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Door {
  door: string
  name: Name
  source: string
  /** Whether the unsubscribe is attributed to a campaign. */
  isOfCampaign: boolean
  leave(): Promise<unknown>
}

const ways: Door[] = [
  {
    door: 'the unsubscribe page',
    name: 'page',
    source: 'page',
    isOfCampaign: true,
    leave: () => doors.ask(`/u/${tokenFor('page')}`, { method: 'POST', form: 'action=unsubscribe' }),
  },
  {
    door: 'the one-click POST of a mail program (RFC 8058)',
    name: 'click',
    source: 'one-click',
    isOfCampaign: true,
    leave: () => doors.ask(`/u/${tokenFor('click')}`, { method: 'POST', form: 'List-Unsubscribe=One-Click' }),
  },
  {
    door: 'the preferences page',
    name: 'prefers',
    source: 'preferences',
    isOfCampaign: true,
    leave: () =>
      doors.ask(`/u/${tokenFor('prefers')}/preferences`, { method: 'POST', form: 'action=unsubscribe' }),
  },
  {
    door: 'a mail to the unsubscribe address',
    name: 'writer',
    source: 'mail',
    isOfCampaign: true,
    leave() {
      const to = verpAddress(tokenFor('writer'), HOST, 'unsubscribe')
      return doors.mail(
        to,
        `From: writer@gmx.test\r\nTo: ${to}\r\nSubject: unsubscribe\r\n\r\nunsubscribe\r\n`,
      )
    },
  },
  {
    door: "a sending service's webhook",
    name: 'told',
    source: 'esp',
    isOfCampaign: true,
    leave() {
      const [reference] = verpAddress(tokenFor('told', 'return'), HOST).split('@')
      const said = { event: 'unsubscribe', timestamp: Date.now() / 1000, sg_event_id: 'e1', emma: reference }
      return doors.hook(clientId, 'sendgrid', [said], false)
    },
  },
  {
    door: 'the API, which the console uses',
    name: 'console',
    source: 'console',
    isOfCampaign: false,
    async leave() {
      const path = `/v2/emma/client/${clientId}/membertable/${tableId}/member/${members.console}/unsubscribe`
      return (await app.call('POST', path, { token: user.token })).status
    },
  },
]

test.each(ways)('$door: state, activity, audit log and all figures agree', async way => {
  const { name, source, isOfCampaign } = way
  const before = await figures()
  const logged = await lastEntry()
  expect([200, 201, 250]).toContain(await way.leave())
  await comeToRest()

  expect(await stateOf(name)).toMatchObject({ dateunjoin: expect.any(String), complained_at: null })
  expect(await activityOf(name)).toEqual([
    { type: 'unsubscribe', source, campagne_id: isOfCampaign ? campaignId : null },
  ])
  const entry = {
    object: 'member',
    object_id: members[name],
    action: 'unsubscribe',
    user_id: source === 'console' ? user.userId : null,
    client_id: clientId,
    changes: { dateunjoin: [null, expect.any(String)], source: [null, source] },
  }
  expect(await entriesAfter(logged)).toEqual([entry])
  expect(await figures()).toEqual({
    ...before,
    datasource: {
      ...before.datasource,
      active: before.datasource.active - 1,
      off: before.datasource.off + 1,
    },
    overview: before.overview - 1,
    segment: before.segment - 1,
    dashboard: { ...before.dashboard, unsubscribes: before.dashboard.unsubscribes + 1 },
    report: { ...before.report, unsubscribes: before.report.unsubscribes + (isOfCampaign ? 1 : 0) },
  })

  // A second unsubscribe changes nothing; the audit log may still record the call of a user.
  const after = await figures()
  const last = await lastEntry()
  await way.leave()
  await comeToRest()
  const again = await entriesAfter(last)
  expect([await figures(), again.filter(({ action }) => action === 'unsubscribe')]).toEqual([after, []])
})

test('an upload of unsubscribes: one entry of the audit log with its counts, and each member says what it did', async () => {
  const before = await figures()
  const actor = { ...systemActor(clientId), userId: user.userId }
  const data = { member_table_id: tableId, mode: 'unsubscribe' } as const
  // A subscribed member, an unsubscribed one, and an unknown address.
  const file = 'email\nlisted@gmx.test\npage@gmx.test\nnobody@gmx.test\n'
  const { id } = await takeUpload(app.db, actor, folder, data, 'left.csv', Readable.from([Buffer.from(file)]))
  await app.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', Number(id)).execute()
  const logged = await lastEntry()
  await runUpload({ db: app.db, pool: app.pool, folder }, clientId, Number(id))
  await comeToRest()

  expect(await stateOf('listed')).toMatchObject({ dateunjoin: expect.any(String) })
  expect(await activityOf('listed')).toEqual([{ type: 'unsubscribe', source: 'upload', campagne_id: null }])
  expect(await entriesAfter(logged)).toEqual([
    {
      object: 'dataupload',
      object_id: Number(id),
      action: 'finish',
      user_id: user.userId,
      client_id: clientId,
      changes: expect.objectContaining({
        mode: [null, 'unsubscribe'],
        rows: [null, 3],
        rows_updated: [null, 2],
      }),
    },
  ])
  expect(await figures()).toEqual({
    ...before,
    datasource: {
      ...before.datasource,
      active: before.datasource.active - 1,
      off: before.datasource.off + 1,
    },
    overview: before.overview - 1,
    segment: before.segment - 1,
    dashboard: { ...before.dashboard, unsubscribes: before.dashboard.unsubscribes + 1 },
  })
})

test('a complaint: no audit entry, since nobody of the installation changed anything; all figures agree', async () => {
  const before = await figures()
  const logged = await lastEntry()
  const original = `Return-Path: <${verpAddress(tokenFor('angry', 'return'), HOST)}>\r\nFrom: news@sender.test`
  expect(await doors.mail(`fbl@${HOST}`, complaint(original))).toBe(250)
  await comeToRest()

  expect(await stateOf('angry')).toMatchObject({ dateunjoin: null, complained_at: expect.any(String) })
  expect(await activityOf('angry')).toEqual([{ type: 'complaint', source: 'mail', campagne_id: campaignId }])
  expect((await entriesAfter(logged)).filter(({ object }) => object === 'member')).toEqual([])
  expect(await figures()).toEqual({
    ...before,
    datasource: {
      ...before.datasource,
      active: before.datasource.active - 1,
      complaints: before.datasource.complaints + 1,
    },
    overview: before.overview - 1,
    segment: before.segment - 1,
    dashboard: { ...before.dashboard, complaints: before.dashboard.complaints + 1 },
    report: { ...before.report, complaints: before.report.complaints + 1 },
  })
})

/** One run of the background work of the inbound and jobs roles. */
async function comeToRest(): Promise<void> {
  await followAll(app.db)
  await recountChanged(app.db, new Map())
}

/** The figures as the screens request them. */
function figures() {
  // A transaction bypasses the cache of dashboard figures, which belongs to the database handle.
  return app.db.transaction().execute(async tx => {
    const counted = await tx
      .selectFrom('member_table')
      .select(['stats_active', 'stats_unsubscribed', 'stats_complaint'])
      .where('client_id', '=', clientId)
      .where('member_table_id', '=', tableId)
      .executeTakeFirstOrThrow()
    const overview = await readView(tx, clientId, 'overview', { days: 30 })
    const complaints = await readView(tx, clientId, 'complaints', { days: 30 })
    const scope = { clientIds: [clientId] }
    const question = { member_table_id: tableId, query: null, total_only: true }
    const report = await readReport(tx, systemActor(clientId), scope, campaignId)
    return {
      datasource: {
        active: counted.stats_active,
        off: counted.stats_unsubscribed,
        complaints: counted.stats_complaint,
      },
      overview: Number(Reflect.get(Object(overview), 'members_active')),
      dashboard: {
        complaints: sumOf(complaints, 'complaints'),
        unsubscribes: sumOf(complaints, 'unsubscribes'),
      },
      segment: (await countSegment(tx, scope, question)).total,
      report: { complaints: Number(report.nb_complaint), unsubscribes: Number(report.nb_unsubscribe) },
    }
  })
}

function sumOf(view: unknown, name: string): number {
  const days: unknown = Reflect.get(Object(view), 'days')
  return (Array.isArray(days) ? days : []).reduce((total: number, day) => total + Number(day[name]), 0)
}

function tokenFor(name: Name, purpose: TokenPurpose = 'page'): string {
  const campaign = { id: campaignId, tenant: { clientId } }
  return tokenOf({ doors }, { campaign, memberId: members[name] }, {}, purpose)
}

function table() {
  return sql.id('members', `t${tableId}`)
}

async function stateOf(name: Name) {
  const { rows } = await sql`
    select dateunjoin, complained_at from ${table()}
    where client_id = ${clientId} and member_id = ${members[name]}`.execute(app.db)
  return rows[0]
}

async function activityOf(name: Name) {
  const path = `/v2/emma/client/${clientId}/membertable/${tableId}/member/${members[name]}/activity`
  const { data } = (await app.call('GET', path, { token: user.token })).json
  return (Array.isArray(data) ? data : [])
    .filter(({ type }) => type !== 'sent')
    .map(({ type, source, campagne_id }) => ({ type, source, campagne_id }))
}

async function lastEntry(): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from change_log`.execute(
    app.db,
  )
  return rows[0]?.id ?? 0
}

async function entriesAfter(last: number) {
  const { rows } = await sql<Record<string, unknown>>`
    select object, object_id, action, user_id, client_id, changes from change_log
    where id > ${last} order by id`.execute(app.db)
  return rows
}
