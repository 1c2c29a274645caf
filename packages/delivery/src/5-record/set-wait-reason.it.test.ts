import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '@emma/contract/faults.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { Engine } from '../engine/engine.ts'
import { reportRefusedLogin } from '../engine/report-refused-login.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { testEngine, validOf } from '../test/engine.ts'
import { finishCampaigns } from './close-campaigns.ts'
import { setWaitReason } from './set-wait-reason.ts'

const { finished, paused, running } = campaignState
const reason = fault('campaign.next_hop', { reply: 'ECONNREFUSED' })
const REASON = reason.message

let database: TestDatabase
let tenant: TestTenant
let engine: Engine | null = null

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['a@gmx.test', 'b@gmx.test'])
})
afterEach(async () => {
  await engine?.stop()
  engine = null
  await database.drop()
})

it('is notified once, however often the next hop goes down', async () => {
  const key = await addRunning('pending')
  await Promise.all([setWaitReason(tenant.db, key, reason), setWaitReason(tenant.db, key, reason)])
  await setWaitReason(tenant.db, key, null)
  expect(await errorOf(key)).toBe(null)
  await setWaitReason(tenant.db, key, reason)
  expect(await errorOf(key)).toBe(REASON)
  expect(await lastReported()).toEqual(['campaign_waiting'])
  await sql`update notification set created_at = created_at - interval '7 hours'`.execute(tenant.db)
  await setWaitReason(tenant.db, key, null)
  await setWaitReason(tenant.db, key, reason)
  expect(await lastReported()).toHaveLength(2)
})

it('is cleared when nothing is due any more, and with the campaign', async () => {
  const later = await addRunning('pending')
  const last = await addRunning('pending')
  const due = await addRunning('pending')
  const onItsWay = await addRunning('pending')
  for (const key of [later, last, due, onItsWay]) await setWaitReason(tenant.db, key, reason)
  await change(later, sql`state = 'deferred', due_at = now() + interval '1 hour'`)
  await change(last, sql`state = 'cancelled'`)
  await change(onItsWay, sql`state = 'claimed', lease = gen_random_uuid()`)
  await finishCampaigns(tenant.db)
  expect(await Promise.all([later, last, due, onItsWay].map(errorOf))).toEqual([null, null, REASON, REASON])
  expect(await validOf(tenant.db, last.campaignId)).toBe(finished)
  // An engine whose next hop is unreachable reports it again every second.
  await setWaitReason(tenant.db, later, reason)
  expect(await errorOf(later)).toBe(null)
})

it('is not set for a campaign that is not running', async () => {
  const key = await addRunning('pending')
  await tenant.db.updateTable('campaign').set({ valid: paused }).execute()
  await setWaitReason(tenant.db, key, reason)
  expect(await errorOf(key)).toBe(null)
  expect(await lastReported()).toEqual([])
})

it('is cleared when nothing is due, although the next hop is still down', async () => {
  await tenant.db
    .updateTable('mailclass')
    .set({ transport: 'smtp', smtp_host: '127.0.0.1', smtp_port: 1, smtp_tls: 'none' })
    .execute()
  engine = await testEngine(database, 1, { reportWaitAfter: 1 })
  const key = await addCampaign(tenant)
  await expect.poll(() => errorOf(key)).toContain('ECONNREFUSED')
  await expect
    .poll(async () => {
      await sql`update delivery set due_at = now() + interval '1 hour' where state = 'pending'`.execute(
        tenant.db,
      )
      return errorOf(key)
    })
    .toBe(null)
  await sleep(2_500)
  expect(await errorOf(key)).toBe(null)
  expect(await validOf(tenant.db, key.campaignId)).toBe(running)
})

it('a rejected login is notified once by the same rule, per login', async () => {
  const owner = { client_id: tenant.clientId, mailclass_id: tenant.mailclassId, name: 'bulk' }
  const { id } = await tenant.db
    .insertInto('esp_login')
    .values({ client_id: tenant.clientId, esp: 'smtp', name: 'relay', host: '127.0.0.1', tls: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const report = (login: number | null) =>
    reportRefusedLogin(tenant.db, owner, login, '535 5.7.8 wrong password')
  await Promise.all([report(null), report(id), report(null), report(id)])
  await report(null)
  expect(await lastReported()).toEqual(['login_refused', 'login_refused'])
  await sql`update notification set created_at = created_at - interval '7 hours'`.execute(tenant.db)
  await report(id)
  expect(await lastReported()).toHaveLength(3)
})

/** A running campaign with one ledger row. */
async function addRunning(state: string): Promise<CampaignKey> {
  const key = await addCampaign(tenant, { valid: running })
  await sql`update campaign set expanded_at = now() where campagne_id = ${key.campaignId}`.execute(tenant.db)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, provider_id, state)
    values (${key.clientId}, ${key.campaignId}, 1, 'a@gmx.test', 1, ${state})`.execute(tenant.db)
  return key
}

async function change({ campaignId }: CampaignKey, to: ReturnType<typeof sql>): Promise<void> {
  await sql`update delivery set ${to} where campagne_id = ${campaignId}`.execute(tenant.db)
}

async function errorOf({ campaignId }: CampaignKey): Promise<string | null> {
  const { error } = await tenant.db
    .selectFrom('campaign')
    .select('error')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return error
}

async function lastReported(): Promise<(string | null)[]> {
  const rows = await tenant.db
    .selectFrom('notification')
    .select('code')
    .where('code', 'in', ['campaign_waiting', 'login_refused'])
    .execute()
  return rows.map(({ code }) => code)
}
