import { setTimeout as sleep } from 'node:timers/promises'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { subscribe } from '@emma/db/notify.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test-database.ts'
import { sql as raw } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { CampaignKey } from './campaign-key.ts'
import type { Engine } from './engine.ts'
import {
  addCampaign,
  countLedger,
  fillHouse,
  type House,
  startLab,
  testEngine,
  type TestLab,
  validOf,
} from './test-house.ts'

const { running, finished, paused, stopped, failed, held, scheduled, preparing } = campaignState
const MEMBERS = 120

let database: TestDatabase
let lab: TestLab
let engine: Engine
let house: House

beforeAll(async () => {
  database = await createTestDatabase()
  house = await fillHouse(
    database.sql,
    Array.from({ length: MEMBERS }, (_, n) => `ok-${n}@gmx.test`),
  )
  lab = await startLab(database.sql)
  engine = await testEngine(database, lab.port, { tellAfter: 1 })
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

describe('a campaign', () => {
  it('is held up by its throttle, in its unit', async () => {
    const { campaignId } = await addCampaign(house, { throttle: 1200, throttle_unit: 'minute' })
    await reaches(campaignId, running)
    const before = await sentOf(campaignId)
    await sleep(2_500)
    const rate = ((await sentOf(campaignId)) - before) / 2.5
    // 20 a second; what the clock of this test and a full bucket add at most.
    expect(rate).toBeGreaterThan(5)
    expect(rate).toBeLessThanOrEqual(30)
    await move(campaignId, stopped)
    await nothingOpen(campaignId)
  })

  it('pauses within a second, goes on where it was, and is stopped for good', async () => {
    const { campaignId } = await addCampaign(house, { throttle: 600, throttle_unit: 'minute' })
    await expect.poll(() => sentOf(campaignId), { timeout: 10_000 }).toBeGreaterThan(3)
    await move(campaignId, paused)
    await sleep(1_000)
    const before = await sentOf(campaignId)
    await sleep(600)
    expect(await sentOf(campaignId)).toBe(before)
    await move(campaignId, running)
    await expect.poll(() => sentOf(campaignId), { timeout: 10_000 }).toBeGreaterThan(before)
    await move(campaignId, stopped)
    await nothingOpen(campaignId)
    const { sent = 0, cancelled = 0, ...others } = await countLedger(database.sql, campaignId)
    expect(others).toEqual({})
    expect(sent + cancelled).toBe(MEMBERS)
    expect(cancelled).toBeGreaterThan(0)
  })

  it('starts by itself when its time has come, not before', async () => {
    const startdate = new Date(Date.now() + 1_500).toISOString()
    const { campaignId } = await addCampaign(house, { valid: scheduled, startdate })
    await sleep(700)
    expect(await validOf(database.sql, campaignId)).toBe(scheduled)
    await reaches(campaignId, finished)
    expect(await sentOf(campaignId)).toBe(MEMBERS)
  })

  it('fails with the reason when its template cannot be compiled', async () => {
    const { message_id } = await database.sql
      .insertInto('message')
      .values({ client_id: house.clientId, name: 'Broken', subject: 'x', body_long: '<p>{% if %}</p>' })
      .returning('message_id')
      .executeTakeFirstOrThrow()
    const { campaignId } = await addCampaign({ ...house, messageId: message_id })
    await reaches(campaignId, failed)
    expect(await errorOf(campaignId)).toMatch(/line 1/)
    expect(await countLedger(database.sql, campaignId)).toEqual({})
  })

  it('is held while real delivery is off and its mail class would leave this machine', async () => {
    const { mailclass_id } = await database.sql
      .insertInto('mailclass')
      .values({ client_id: house.clientId, name: 'real', transport: 'smtp', smtp_host: 'mx.example.com' })
      .returning('mailclass_id')
      .executeTakeFirstOrThrow()
    const { campaignId } = await addCampaign({ ...house, mailclassId: mailclass_id })
    await reaches(campaignId, held)
    expect(await errorOf(campaignId)).toMatch(/Real delivery is switched off/)
    expect(await countLedger(database.sql, campaignId)).toEqual({ pending: MEMBERS })
    await database.sql
      .updateTable('mailclass')
      .set({ smtp_host: '127.0.0.1', smtp_port: lab.port, smtp_tls: 'none' })
      .where('mailclass_id', '=', mailclass_id)
      .execute()
    await move(campaignId, preparing)
    await reaches(campaignId, finished)
    expect(await countLedger(database.sql, campaignId)).toEqual({ sent: MEMBERS })
  })

  it('leaves out who unsubscribed after it was expanded', async () => {
    const { campaignId } = await addCampaign(house, { throttle: 60, throttle_unit: 'minute' })
    await reaches(campaignId, running)
    const members = raw.id('members', `t${house.memberTableId}`)
    await raw`update ${members} set dateunjoin = now() where email = ${`ok-${MEMBERS - 1}@gmx.test`}`.execute(
      database.sql,
    )
    await database.sql
      .updateTable('campaign')
      .set({ throttle: 0 })
      .where('campagne_id', '=', campaignId)
      .execute()
    await reaches(campaignId, finished)
    expect(await countLedger(database.sql, campaignId)).toEqual({ sent: MEMBERS - 1, unsubscribed: 1 })
    await raw`update ${members} set dateunjoin = null`.execute(database.sql)
  })

  it('waits while the next hop is down, says so, and blames no recipient for it', async () => {
    const { mailclass_id } = await database.sql
      .insertInto('mailclass')
      .values({
        client_id: house.clientId,
        name: 'down',
        transport: 'smtp',
        smtp_host: '127.0.0.1',
        smtp_port: 1,
        smtp_tls: 'none',
      })
      .returning('mailclass_id')
      .executeTakeFirstOrThrow()
    const { campaignId } = await addCampaign({ ...house, mailclassId: mailclass_id })
    await reaches(campaignId, running)
    await expect.poll(() => errorOf(campaignId), { timeout: 10_000 }).toContain('ECONNREFUSED')
    expect(await openOf(campaignId)).toBe(MEMBERS)
    await database.sql
      .updateTable('mailclass')
      .set({ smtp_port: lab.port })
      .where('mailclass_id', '=', mailclass_id)
      .execute()
    await reaches(campaignId, finished)
    expect(await errorOf(campaignId)).toBeNull()
    expect(await countLedger(database.sql, campaignId)).toEqual({ sent: MEMBERS })
    const told = database.sql.selectFrom('notification').select('code').where('code', '=', 'campaign_waiting')
    expect(await told.execute()).toHaveLength(1)
    const { rows } = await raw<{ most: number }>`
      select max(attempts) as most from delivery where campagne_id = ${campaignId}`.execute(database.sql)
    expect(rows[0]?.most).toBe(1)
  })

  it('tells the consoles how far it is', async () => {
    const told: { type: string; data: unknown }[] = []
    const subscription = await subscribe(database.url, push => told.push(push))
    onTestFinished(() => subscription.stop())
    const { campaignId } = await addCampaign(house, { throttle: 3000, throttle_unit: 'minute' })
    await reaches(campaignId, finished)
    const about = told.filter(push => idOf(push.data) === campaignId)
    expect(about.filter(push => push.type === 'CAMPAIGN_STATUS').map(push => push.data)).toMatchObject([
      { valid: running },
      { valid: finished },
    ])
    const progress = about.filter(push => push.type === 'CAMPAIGN_PROGRESS').map(push => push.data)
    expect(progress.length).toBeGreaterThan(1)
    expect(progress[0]).toMatchObject({ estimated_volume: MEMBERS, name: 'November' })
    const { progress_cur } = await database.sql
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
  await expect.poll(() => validOf(database.sql, campaignId), { timeout: 20_000 }).toBe(valid)
}

async function move(campaignId: number, valid: number): Promise<void> {
  await database.sql
    .updateTable('campaign')
    .set({ valid, ...(valid === stopped ? { finished_at: raw`now()` } : {}) })
    .where('campagne_id', '=', campaignId)
    .execute()
}

async function sentOf(campaignId: number): Promise<number> {
  return (await countLedger(database.sql, campaignId)).sent ?? 0
}

async function openOf(campaignId: number): Promise<number> {
  const { pending = 0, claimed = 0, deferred = 0 } = await countLedger(database.sql, campaignId)
  return pending + claimed + deferred
}

async function nothingOpen(campaignId: number): Promise<void> {
  await expect.poll(() => openOf(campaignId)).toBe(0)
}

async function errorOf(campaignId: number): Promise<string | null> {
  const { error } = await database.sql
    .selectFrom('campaign')
    .select('error')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return error
}
