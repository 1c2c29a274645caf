import { campaignState } from '@emma/contract/campaign-states.ts'
import { subscribe } from '@emma/db/notify.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { Engine } from './engine.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, ledgerAtRest, startLab, testEngine, type TestLab, validOf } from '../test/engine.ts'

const { running, finished, paused, stopped, failed, held, scheduled, preparing } = campaignState
const MEMBERS = 120

let database: TestDatabase
let lab: TestLab
let engine: Engine
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `ok-${n}@gmx.test`),
  )
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port, { reportWaitAfter: 1 })
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

describe('a campaign', () => {
  it('is limited by its throttle, in its unit', async () => {
    const { campaignId } = await addCampaign(tenant, { throttle: 1200, throttle_unit: 'minute' })
    await expect.poll(() => sentOf(campaignId)).toBeGreaterThan(60)
    // 20 a second by the database's clock, beginning with one.
    const { rows } = await sql<{ claimed: number; most: number }>`
      select count(*) as claimed, 1 + 20 * extract(epoch from clock_timestamp() - min(claimed_at))::float8 as most
      from delivery where campagne_id = ${campaignId} and claimed_at is not null`.execute(database.db)
    expect(rows[0]?.claimed).toBeLessThanOrEqual(rows[0]?.most ?? 0)
    await move(campaignId, stopped)
    await nothingOpen(campaignId)
  })

  it('pauses within a second, resumes where it stopped, and can be stopped permanently', async () => {
    const { campaignId } = await addCampaign(tenant, { throttle: 240, throttle_unit: 'minute' })
    await expect.poll(() => sentOf(campaignId)).toBeGreaterThan(3)
    await move(campaignId, paused)
    const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(database.db)
    const { sent: before = 0 } = await ledgerAtRest(database.db, campaignId)
    const { rows: late } = await sql`
      select from delivery
      where campagne_id = ${campaignId} and claimed_at > ${rows[0]?.now}::timestamptz`.execute(database.db)
    expect(late).toEqual([])
    await move(campaignId, running)
    await expect.poll(() => sentOf(campaignId)).toBeGreaterThan(before)
    await move(campaignId, stopped)
    await nothingOpen(campaignId)
    const { sent = 0, cancelled = 0, ...others } = await countLedger(database.db, campaignId)
    expect(others).toEqual({})
    expect(sent + cancelled).toBe(MEMBERS)
    expect(cancelled).toBeGreaterThan(0)
  })

  it('starts at its time, not before', async () => {
    const startdate = new Date(Date.now() + 1_500).toISOString()
    const { campaignId } = await addCampaign(tenant, { valid: scheduled, startdate })
    await reaches(campaignId, finished)
    expect(await sentOf(campaignId)).toBe(MEMBERS)
    const { expanded_at } = await database.db
      .selectFrom('campaign')
      .select('expanded_at')
      .where('campagne_id', '=', campaignId)
      .executeTakeFirstOrThrow()
    expect(Date.parse(expanded_at ?? '')).toBeGreaterThanOrEqual(Date.parse(startdate))
  })

  it('sends to members who are shown a counted section, as their data is then', async () => {
    const { messageId } = tenant
    const update = sql`update message set body_long = body_long ||
      '{% assign name = member.firstname | downcase %}{% if name == "ann 7" %}<table>{% # counted %}</table>{% endif %}'
      where message_id = ${messageId}`
    const { body_long } = await database.db
      .selectFrom('message')
      .select('body_long')
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow()
    await update.execute(database.db)
    const { campaignId } = await addCampaign(tenant)
    await reaches(campaignId, finished)
    expect(await countLedger(database.db, campaignId)).toEqual({ sent: 1, no_content: MEMBERS - 1 })
    await database.db.updateTable('message').set({ body_long }).where('message_id', '=', messageId).execute()
  })

  it('fails with the reason when its template cannot be compiled', async () => {
    const { message_id } = await database.db
      .insertInto('message')
      .values({ client_id: tenant.clientId, name: 'Broken', subject: 'x', body_long: '<p>{% if %}</p>' })
      .returning('message_id')
      .executeTakeFirstOrThrow()
    const { campaignId } = await addCampaign({ ...tenant, messageId: message_id })
    await reaches(campaignId, failed)
    expect(await errorOf(campaignId)).toMatch(/line 1/)
    expect(await countLedger(database.db, campaignId)).toEqual({})
  })

  it('is held while real delivery is off and its mail class would leave this machine', async () => {
    const { mailclass_id } = await database.db
      .insertInto('mailclass')
      .values({ client_id: tenant.clientId, name: 'real', transport: 'smtp', smtp_host: 'mx.example.com' })
      .returning('mailclass_id')
      .executeTakeFirstOrThrow()
    const { campaignId } = await addCampaign({ ...tenant, mailclassId: mailclass_id })
    await reaches(campaignId, held)
    expect(await errorOf(campaignId)).toMatch(/Real delivery is switched off/)
    expect(await countLedger(database.db, campaignId)).toEqual({ pending: MEMBERS })
    await database.db
      .updateTable('mailclass')
      .set({ smtp_host: '127.0.0.1', smtp_port: lab.port, smtp_tls: 'none' })
      .where('mailclass_id', '=', mailclass_id)
      .execute()
    await move(campaignId, preparing)
    await reaches(campaignId, finished)
    expect(await countLedger(database.db, campaignId)).toEqual({ sent: MEMBERS })
  })

  it('skips members who unsubscribed after the expansion', async () => {
    const { campaignId } = await addCampaign(tenant, { throttle: 60, throttle_unit: 'minute' })
    await reaches(campaignId, running)
    const members = sql.id('members', `t${tenant.memberTableId}`)
    await sql`update ${members} set dateunjoin = now() where email = ${`ok-${MEMBERS - 1}@gmx.test`}`.execute(
      database.db,
    )
    await setThrottle(campaignId, 0)
    await reaches(campaignId, finished)
    expect(await countLedger(database.db, campaignId)).toEqual({ sent: MEMBERS - 1, unsubscribed: 1 })
    await sql`update ${members} set dateunjoin = null`.execute(database.db)
  })

  it('waits while the next hop is down, reports it, and counts no recipient as failed', async () => {
    const { mailclass_id } = await database.db
      .insertInto('mailclass')
      .values({
        client_id: tenant.clientId,
        name: 'down',
        transport: 'smtp',
        smtp_host: '127.0.0.1',
        smtp_port: 1,
        smtp_tls: 'none',
      })
      .returning('mailclass_id')
      .executeTakeFirstOrThrow()
    const { campaignId } = await addCampaign({ ...tenant, mailclassId: mailclass_id })
    await reaches(campaignId, running)
    await expect.poll(() => errorOf(campaignId)).toContain('ECONNREFUSED')
    expect(await openOf(campaignId)).toBe(MEMBERS)
    await database.db
      .updateTable('mailclass')
      .set({ smtp_port: lab.port })
      .where('mailclass_id', '=', mailclass_id)
      .execute()
    await reaches(campaignId, finished)
    expect(await errorOf(campaignId)).toBeNull()
    expect(await countLedger(database.db, campaignId)).toEqual({ sent: MEMBERS })
    const lastReported = database.db
      .selectFrom('notification')
      .select('code')
      .where('code', '=', 'campaign_waiting')
    expect(await lastReported.execute()).toHaveLength(1)
    const { rows } = await sql<{ most: number }>`
      select max(attempts) as most from delivery where campagne_id = ${campaignId}`.execute(database.db)
    expect(rows[0]?.most).toBe(1)
  })

  it('pushes its progress to the consoles', async () => {
    const lastReported: { type: string; data: unknown }[] = []
    const subscription = await subscribe(database.url, push => lastReported.push(push))
    onTestFinished(() => subscription.stop())
    const { campaignId } = await addCampaign(tenant, { throttle: 600, throttle_unit: 'minute' })
    const about = (type: string) =>
      lastReported.filter(push => push.type === type && idOf(push.data) === campaignId).map(push => push.data)
    await expect.poll(() => about('CAMPAIGN_PROGRESS').length).toBeGreaterThan(1)
    expect(about('CAMPAIGN_PROGRESS')[0]).toMatchObject({ estimated_volume: MEMBERS, name: 'November' })
    await setThrottle(campaignId, 0)
    await reaches(campaignId, finished)
    await expect.poll(() => about('CAMPAIGN_STATUS')).toMatchObject([{ valid: running }, { valid: finished }])
    const { progress_cur } = await database.db
      .selectFrom('campaign')
      .select('progress_cur')
      .where('campagne_id', '=', campaignId)
      .executeTakeFirstOrThrow()
    expect(progress_cur).toBe(MEMBERS)
  })
})

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'campagne_id' in data ? data.campagne_id : null
}

async function reaches(campaignId: CampaignKey['campaignId'], valid: number): Promise<void> {
  await expect.poll(() => validOf(database.db, campaignId)).toBe(valid)
}

async function move(campaignId: number, valid: number): Promise<void> {
  await database.db
    .updateTable('campaign')
    .set({ valid, ...(valid === stopped ? { finished_at: sql`now()` } : {}) })
    .where('campagne_id', '=', campaignId)
    .execute()
}

async function setThrottle(campaignId: number, throttle: number): Promise<void> {
  await database.db.updateTable('campaign').set({ throttle }).where('campagne_id', '=', campaignId).execute()
}

async function sentOf(campaignId: number): Promise<number> {
  return (await countLedger(database.db, campaignId)).sent ?? 0
}

async function openOf(campaignId: number): Promise<number> {
  const { pending = 0, claimed = 0, deferred = 0 } = await countLedger(database.db, campaignId)
  return pending + claimed + deferred
}

async function nothingOpen(campaignId: number): Promise<void> {
  await expect.poll(() => openOf(campaignId)).toBe(0)
}

async function errorOf(campaignId: number): Promise<string | null> {
  const { error } = await database.db
    .selectFrom('campaign')
    .select('error')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return error
}
