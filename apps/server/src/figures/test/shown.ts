import { countSent } from '@emma/core/billing/count-sent.ts'
import { readSendVolume } from '@emma/core/billing/read-send-volume.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { readDatasource } from '@emma/core/audience/datasources/datasource.ts'
import { memberActivity } from '@emma/core/audience/members/member-activity.ts'
import { readView } from '@emma/core/dashboard/read-view.ts'
import { listRecipients, type RecipientQuery } from '@emma/core/reports/list-recipients.ts'
import { listReports } from '@emma/core/reports/list-reports.ts'
import { readReport } from '@emma/core/reports/read-report.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import type { Db } from '@emma/db/connection.ts'
import type { TestTenant } from '@emma/core/test/tenant.ts'
import { sql } from 'kysely'

/** Reads all figures through the product's own operations. */
export function showAll(db: Db, tenant: TestTenant, campaignIds: readonly number[]): Promise<Fields> {
  // In a transaction, the dashboards' cache of some seconds is not used.
  return db.transaction().execute(async tx => ({
    reports: await showReports(tx, tenant, campaignIds),
    dashboard: await showDashboard(tx, tenant, campaignIds),
    members: await showMembers(tx, tenant),
    datasource: await showDatasource(tx, tenant),
    segments: await showSegments(tx, tenant, campaignIds),
  }))
}

const EVERYTHING = {
  limit: 1_000,
  offset: 0,
  search: null,
  sort: null,
  filters: {},
  included: [],
  superadminview: false,
}

async function showReports(db: Db, { clientId }: TestTenant, ids: readonly number[]): Promise<Fields> {
  const actor = systemActor(clientId)
  const scope = { clientIds: [clientId] }
  const listed = await listReports(db, actor, scope, EVERYTHING)
  const reports = []
  for (const id of ids) {
    const report = await readReport(db, actor, scope, id)
    const count = async (query: Omit<RecipientQuery, 'limit' | 'offset'>) =>
      (await listRecipients(db, actor, scope, id, { limit: 1, offset: 0, ...query })).total
    reports.push([
      id,
      {
        figures: figuresOf(report),
        listed: figuresOf(listed.data.find(row => row.campagne_id === id) ?? {}),
        links: rowsOf(report.links).map(link => [
          link.link_index,
          link.unique,
          link.total,
          link.machine,
          link.desktop,
          link.mobile,
        ]),
        overTime: [sum(report.opens_clicks_over_time, 'opens'), sum(report.opens_clicks_over_time, 'clicks')],
        bounces: rowsOf(report.bounces)
          .map(row => wordsOf(row, 'class', 'hard', 'people'))
          .toSorted(),
        preblocks: rowsOf(report.preblocks)
          .map(row => wordsOf(row, 'reason', 'count'))
          .toSorted(),
        providers: ['sent', 'accepted', 'deferred', 'hard', 'soft', 'unknown'].map(name =>
          sum(report.providers, name),
        ),
        people: {
          nb_recipients: await count({}),
          nb_preblock: await count({ state: 'skipped' }),
          nb_pending: await count({ figure: 'waiting' }),
          nb_send: await count({ figure: 'answered' }),
          nb_delivered: await count({ figure: 'delivered' }),
          nb_hardbounce: await count({ event: 'bounce', hard: true }),
          nb_open: await count({ event: 'open', verdict: 'human' }),
          nb_open_machine: await count({ event: 'open', verdict: 'machine' }),
          nb_click: await count({ event: 'click', verdict: 'human' }),
          nb_click_machine: await count({ event: 'click', verdict: 'machine' }),
          nb_unsubscribe: await count({ event: 'unsubscribe' }),
          nb_complaint: await count({ event: 'complaint' }),
        },
      },
    ])
  }
  return Object.fromEntries(reports)
}

/** Without names and times. */
function figuresOf(report: Fields): Fields {
  return Object.fromEntries(
    Object.entries(report).filter(([name]) => /^nb_|^valid$|^progress_cur$|^estimated_volume$/.test(name)),
  )
}

/** Billed emails and tests of all months. */
async function showSendVolume(db: Db, clientId: number): Promise<number[]> {
  await countSent(db)
  const months = await readSendVolume(db, clientId, {})
  return [sum(months, 'total'), sum(months, 'test')]
}

async function showDashboard(db: Db, { clientId }: TestTenant, ids: readonly number[]): Promise<Fields> {
  const view = async (type: Parameters<typeof readView>[2], options: object = {}): Promise<Fields> => {
    const shown = await readView(db, clientId, type, { days: 90, ...options })
    return typeof shown === 'object' ? { ...shown } : {}
  }
  const [overview, volume, rates, complaints] = [
    await view('overview'),
    await view('volume'),
    await view('rates'),
    await view('complaints'),
  ]
  const funnels = []
  for (const id of ids) funnels.push([id, figuresOf(await view('funnel', { campagne_id: id }))])
  const all = await view('funnel', { member_table_id: undefined, list_id: undefined })
  return {
    overview: [
      overview.members_active,
      overview.members_total,
      overview.campaigns_running,
      overview.sent_month,
    ],
    month: ['sent', 'opens', 'clicks'].map(name => sum(overview.volume, name)),
    volume: ['sent', 'bounced'].map(name => sum(volume.days, name)),
    rates: ['opens', 'clicks', 'opens_machine', 'clicks_machine'].map(name => sum(rates.days, name)),
    complaints: [...['complaints', 'unsubscribes'].map(name => sum(complaints.days, name)), complaints.sent],
    bounces: rowsOf((await view('bounces')).rows)
      .map(row => wordsOf(row, 'class', 'hard', 'people'))
      .toSorted(),
    links: rowsOf((await view('links')).rows)
      .map(row => wordsOf(row, 'url', 'people', 'clicks'))
      .toSorted(),
    providers: await view('providers').then(({ rows }) =>
      ['sent', 'accepted', 'waiting'].map(name => sum(rows, name)),
    ),
    queue: rowsOf((await view('queue')).rows)
      .map(row => wordsOf(row, 'campagne_id', 'progress_cur', 'estimated_volume'))
      .toSorted(),
    funnels: Object.fromEntries(funnels),
    last: all.campaigns,
    sendVolume: await showSendVolume(db, clientId),
  }
}

async function showMembers(db: Db, { clientId, memberTableId }: TestTenant): Promise<Fields[]> {
  const { rows } = await sql<Fields & { id: number }>`
    select member_id as id, email, dateunjoin is not null as off, hardbounced_at as hard, softbounce_count as soft,
      complained_at as complained, last_sent_at as sent, last_opened_at as opened, last_clicked_at as clicked
    from ${sql.id('members', `t${memberTableId}`)} where client_id = ${clientId} order by member_id`.execute(
    db,
  )
  const source = await readDatasource(db, { clientIds: [clientId] }, memberTableId)
  const members = []
  for (const row of rows) {
    const { data, total } = await memberActivity(db, source, row.id, { limit: 1_000, offset: 0 })
    const timeline = data.map(one =>
      [one.type, one.campagne_id, one.link_index ?? '', one.verdict ?? ''].join(' '),
    )
    members.push({ ...row, timeline: timeline.toSorted(), total })
  }
  return members
}

async function showDatasource(db: Db, { clientId, memberTableId }: TestTenant): Promise<Fields | undefined> {
  return db
    .selectFrom('member_table')
    .select([
      'stats_total',
      'stats_active',
      'stats_unsubscribed',
      'stats_hardbounce',
      'stats_softbounce',
      'stats_complaint',
    ])
    .where('client_id', '=', clientId)
    .where('member_table_id', '=', memberTableId)
    .executeTakeFirst()
}

/** Members by their events, with segment rules. */
async function showSegments(
  db: Db,
  { clientId, memberTableId }: TestTenant,
  ids: readonly number[],
): Promise<Fields> {
  const count = async (
    field: string,
    mode: 'some' | 'none' | 'atLeast' | 'exactly',
    threshold: number,
    rules: RuleGroup['rules'],
  ) =>
    (
      await countSegment(
        db,
        { clientIds: [clientId] },
        {
          member_table_id: memberTableId,
          include_unsubscribed: true,
          total_only: true,
          query: {
            combinator: 'and',
            rules: [
              {
                field,
                operator: '=',
                match: { mode, threshold },
                value: rules.length > 0 ? { combinator: 'and', rules } : null,
              },
            ],
          },
        },
      )
    ).total
  const of = (id: number) => [{ field: 'campagne_id', operator: '=' as const, value: id }]
  const segments = []
  for (const id of ids)
    segments.push([
      id,
      {
        opened: await count('opened', 'some', 1, of(id)),
        notOpened: await count('opened', 'none', 1, of(id)),
        byMachine: await count('opened', 'some', 1, [
          ...of(id),
          { field: 'verdict', operator: '!=', value: 'human' },
        ]),
        clickedFirst: await count('clicked', 'some', 1, [
          ...of(id),
          { field: 'link_index', operator: '=', value: 0 },
        ]),
        clickedTwice: await count('clicked', 'atLeast', 2, of(id)),
        sent: await count('sent', 'some', 1, of(id)),
        bounced: await count('bounced', 'some', 1, of(id)),
        unsubscribed: await count('unsubscribed', 'some', 1, of(id)),
        complained: await count('complained', 'some', 1, of(id)),
      },
    ])
  return {
    ...Object.fromEntries(segments),
    everOpened: await count('opened', 'some', 1, []),
    onceClicked: await count('clicked', 'exactly', 1, []),
    sentTwice: await count('sent', 'atLeast', 2, []),
  }
}

/** Some values of a row, as a line for comparison. */
function wordsOf(row: Fields, ...names: readonly string[]): string {
  return names.map(name => row[name]).join(' ')
}

function rowsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value : []
}

function sum(value: unknown, name: string): number {
  return rowsOf(value).reduce((total, row) => total + Number(row[name]), 0)
}
