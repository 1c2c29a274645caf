import { refreshMemberTableStats } from '@emma/core/audience/datasources/datasource-stats.ts'
import type { Db } from '@emma/db/connection.ts'
import type { TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { cancelOpen } from '@emma/core/campaigns/cancel-open.ts'
import { finishCampaigns, reopenCampaigns } from '@emma/delivery/5-record/close-campaigns.ts'
import { listToMark, markSent } from '@emma/delivery/5-record/mark-sent.ts'
import { reportProgress } from '@emma/delivery/5-record/report-progress.ts'
import { resendUnknown } from '@emma/delivery/5-record/resolve-unknown.ts'
import { followEvents } from '@emma/core/events/follow-events.ts'
import { recountSoftBounces } from '@emma/core/audience/soft-bounces.ts'
import { followAll } from '@emma/core/test/follow-all.ts'
import { snapshotCampaign } from '@emma/delivery/model/campaign-snapshot.ts'
import { addCampaign, type TestTenant } from '@emma/core/test/tenant.ts'
import { segmentOf } from '@emma/delivery/test/engine.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import * as books from './book.ts'
import type { Campaign, Person, Tenant } from './book.ts'
import type { Doors } from './doors.ts'
import { expectAll } from './expected.ts'
import { showAll } from './shown.ts'
import { claim, crash, erase, late, move, remove, resend, settle } from './engine-acts.ts'
import { hit, page } from './reader-acts.ts'
import { complain, leaveByMail, mailgun, returned, storm, tell } from './service-acts.ts'
import { begin, MINUTE, passTime, type Step, type World } from './world.ts'

/** More campaigns than soft bounces that make an address inactive. */
const MOST_CAMPAIGNS = [7, 2] as const

/** Runs the steps on empty data, and compares all figures after every few steps. */
export async function play(
  database: TestDatabase,
  clients: readonly TestTenant[],
  doors: Doors,
  steps: readonly (Step & { what: What })[],
): Promise<void> {
  const world = await begin(database, clients, doors)
  try {
    for (const [index, step] of steps.entries()) {
      world.now += MINUTE
      await act(world, step)
      await passTime(world)
      if (index % 9 === 8) await check(world)
    }
    await check(world)
  } finally {
    await world.engine.lease.release()
  }
}

async function act(world: World, step: Step & { what: What }): Promise<void> {
  const tenant = world.book.tenants[step.tenant % 2]
  if (!tenant) return
  const own = world.book.campaigns.filter(campaign => campaign.tenant === tenant)
  const campaign = own[step.campaign % Math.max(1, own.length)]
  if (step.what === 'start') return start(world, tenant, step)
  if (!campaign) return start(world, tenant, step)
  await ACTS[step.what](world, campaign, step)
}

async function start(world: World, tenant: Tenant, { pick }: Step): Promise<void> {
  const index = world.book.tenants.indexOf(tenant)
  const client = world.clients[index]
  const count = world.book.campaigns.filter(campaign => campaign.tenant === tenant).length
  if (!client || count >= (MOST_CAMPAIGNS[index] ?? 0)) return
  const resends = pick % 4 === 0
  const key = await addCampaign(client, { unknown_policy: resends ? 'resend' : 'leave' })
  await expandCampaign(world.db, key, {
    segmentOf,
    takeSnapshot: (tx, found) => snapshotCampaign(tx, found, () => 'https://news.shop.example'),
  })
  books.addCampaign(world.book, tenant, key.campaignId, resends, world.now)
}

type Act = (world: World, campaign: Campaign, step: Step) => Promise<void>

const ACTS = {
  start: async () => {},
  claim,
  settle,
  crash,
  late,
  pause: (world, campaign) => move(world, campaign, 'pause', ['running'], () => (campaign.state = 'paused')),
  resume: (world, campaign) => move(world, campaign, 'start', ['paused'], () => (campaign.state = 'running')),
  stop: (world, campaign) =>
    move(world, campaign, 'stop', ['running', 'paused'], () => books.stop(campaign, world.now)),
  resend,
  erase,
  remove,
  hit,
  tell,
  storm,
  mailgun,
  returned,
  complain,
  leaveByMail,
  page,
} satisfies Record<string, Act>

type What = keyof typeof ACTS

export const whats = Object.keys(ACTS).filter((name): name is What => name in ACTS)

/** Runs the background jobs, and compares the displayed figures with the model. */
async function check(world: World): Promise<void> {
  const { db, book, clients, doors } = world
  await doors.storeHits()
  for (const { mail, line } of world.waiting) books.write(book, mail, { at: world.now, ...line })
  world.waiting = []
  await passTime(world)
  await Promise.all([followEvents(db), followEvents(db)])
  await followAll(db)
  await resendUnknown(db, 0)
  await cancelOpen(db)
  await reopenCampaigns(db)
  await finishCampaigns(db)
  await reportProgress(db, new Map())
  for (const campaign of await listToMark(db)) await markSent(db, campaign)
  await recountSoftBounces(db)
  for (const { clientId, memberTableId } of clients)
    await refreshMemberTableStats(db, clientId, memberTableId)
  await passTime(world)
  books.catchUp(book, world.now)
  const calendar = await readCalendar(db)
  for (const [index, tenant] of book.tenants.entries()) {
    const client = clients[index]
    if (!client) continue
    const shown = book.campaigns
      .filter(campaign => campaign.tenant === tenant && !campaign.isRemoved)
      .map(({ id }) => id)
    expect(await showAll(db, client, shown)).toEqual(expectAll(book, tenant, calendar))
  }
  expect(await readBlocked(db)).toEqual(
    book.tenants
      .flatMap(({ clientId, people }) =>
        people
          .filter(({ complainedAt, isGone }) => complainedAt !== null && !isGone)
          .map(({ email }) => `${clientId}/${email}`),
      )
      .toSorted(),
  )
  expect(
    await readTraces(
      db,
      book.tenants.flatMap(({ people }) => people.filter(({ isGone }) => isGone)),
    ),
  ).toEqual([])
}

async function readCalendar(db: Db) {
  const { rows } = await sql<{ month: number; thirtyDays: number }>`
    select extract(epoch from date_trunc('month', now()))::float8 * 1000 as month,
      extract(epoch from (current_date - 29)::timestamptz)::float8 * 1000 as "thirtyDays"`.execute(db)
  return rows[0] ?? { month: 0, thirtyDays: 0 }
}

async function readBlocked(db: Db): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select client_id || '/' || value as value from blacklist_entry where source = 'complaint'`.execute(db)
  return rows.map(row => row.value).toSorted()
}

/** Data about erased people in log and ledger. */
async function readTraces(db: Db, gone: readonly Person[]): Promise<unknown[]> {
  const { rows } = await sql`
    select type::text, email, ip, user_agent, reply from event
    where member_id = any(${gone.map(({ id }) => id)}::bigint[])
      and (email, ip, user_agent, reply) is distinct from (null, null, null, null)
    union all
    select 'outcome', email, null, null, reply from delivery
    where member_id = any(${gone.map(({ id }) => id)}::bigint[]) and (reply = 'said' or email not like '%.invalid')`.execute(
    db,
  )
  return rows
}
