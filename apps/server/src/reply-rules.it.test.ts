import { setTimeout as sleep } from 'node:timers/promises'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { undoScdAction } from '@emma/core/deliverability/scd-actions.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import type { Engine } from '@emma/delivery/engine/engine.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, ledgerAtRest, testEngine, validOf } from '@emma/delivery/test/engine.ts'
import { startReceiver, type TestReceiver } from '@emma/delivery/test/receiver.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Replies, rule actions, and undoing them as an administrator: engine and console operations. */

const { finished, paused, running } = campaignState
/** A rule's minute in seconds: longer than any test. */
const MINUTE = 600
const CROWD = 300

let database: TestDatabase
let tenant: TestTenant
let receiver: TestReceiver
let engine: Engine | null = null
let refusals: Map<string, string>

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, [
    ...Array.from({ length: 80 }, (_, n) => `p${n}@gmail.test`),
    ...Array.from({ length: 40 }, (_, n) => `p${n}@gmx.test`),
  ])
  // Only the rules of the test are active.
  await sql`update scd_rule set active = false`.execute(database.db)
  refusals = new Map()
  receiver = await startReceiver(
    to => refusals.get(to) ?? refusals.get(to.slice(to.indexOf('@'))) ?? null,
    25,
  )
  await setClass({ max_connections: 1 })
})
afterEach(async () => {
  await engine?.stop()
  engine = null
  receiver?.stop()
  await database.drop()
})

test('R257 a rate-limiting provider is paused, reported once, and resumed by an undo', async () => {
  await addCrowd()
  // Not 421, which closes the connection: another message waiting on it twice is returned, and the next hop pauses.
  refusals.set('@gmail.test', '451 4.7.28 unusual rate of mail')
  await startWith('backoff_provider', { code_pattern: '^451', threshold: 5 })
  const { campaignId } = await addCampaign(tenant)
  await expect.poll(() => actions()).toHaveLength(1)
  await expect.poll(() => taken('gmx.test')).toBe(40)
  const { deferred = 0, pending = 0, ...others } = await ledgerAtRest(tenant.db, campaignId)
  expect(others).toEqual({ sent: 40 })
  expect(deferred).toBeGreaterThan(0)
  expect(pending).toBeGreaterThan(0)
  expect(await told()).toEqual(['scd_backoff_provider'])
  refusals.clear()
  await setClass({ max_connections: 10 })
  await undo()
  await expect.poll(() => taken('gmail.test')).toBe(pending)
})

test('R257 a campaign classified as spam is paused once, and resumed by an undo', async () => {
  await addCrowd()
  // Fewer than hold a campaign for its sender's fault.
  for (let n = 1; n < 9; n++) refusals.set(`crowd${n}@gmail.test`, '550 5.7.1 message looks like spam')
  await startWith('pause_campaign', { code_pattern: '^550', threshold: 3 })
  const { campaignId } = await addCampaign(tenant)
  await reaches(campaignId, paused)
  await expect.poll(() => told()).toEqual(['scd_pause_campaign'])
  const { pending = 0, rejected = 0 } = await ledgerAtRest(tenant.db, campaignId)
  expect(pending).toBeGreaterThan(0)
  refusals.clear()
  await setClass({ max_connections: 10 })
  await undo()
  await reaches(campaignId, finished)
  expect(await countLedger(tenant.db, campaignId)).toEqual({ rejected, sent: 120 + CROWD - rejected })
})

test('R257 a blocklisted IP is quarantined, messages take another route, and an undo restores it', async () => {
  const relay = { transport: 'smtp', smtp_host: '127.0.0.1', smtp_port: receiver.port, smtp_tls: 'none' }
  const mta_headers = JSON.stringify([{ name: 'X-Virtual-MTA', value: '{ip}' }])
  const other = await database.db
    .insertInto('mailclass')
    .values({ client_id: tenant.clientId, name: 'other', ...relay, send_ip: 'pool-b', mta_headers })
    .returning('mailclass_id')
    .executeTakeFirstOrThrow()
  await setClass({ ...relay, send_ip: 'pool-a', mta_headers, overflow_mailclass_id: other.mailclass_id })
  refusals.set('p0@gmail.test', '550 5.7.1 listed at spamhaus')
  await startWith('quarantine_ip', { text_pattern: 'spamhaus', threshold: 1 })
  const first = await addCampaign(tenant)
  await reaches(first.campaignId, finished)
  await expect.poll(() => told()).toEqual(['scd_quarantine_ip'])
  refusals.clear()
  const second = await addCampaign(tenant, { fromadr: 'second@sender.test' })
  await reaches(second.campaignId, finished)
  expect(poolsOf('second')).toEqual(['pool-b'])
  await undo()
  const third = await addCampaign(tenant, { fromadr: 'third@sender.test' })
  await reaches(third.campaignId, finished)
  expect(poolsOf('third')).toEqual(['pool-a'])
})

test('R257 an address that rejects all mail is suppressed until an undo', async () => {
  refusals.set('p3@gmx.test', '550 5.7.1 do not mail me again')
  await startWith('blacklist', { text_pattern: 'do not mail me', threshold: 1 })
  const first = await addCampaign(tenant)
  await reaches(first.campaignId, finished)
  await expect.poll(() => actions()).toHaveLength(1)
  refusals.clear()
  const second = await addCampaign(tenant)
  await reaches(second.campaignId, finished)
  expect(await countLedger(tenant.db, second.campaignId)).toEqual({ blacklist_client: 1, sent: 119 })
  await undo()
  const third = await addCampaign(tenant)
  await reaches(third.campaignId, finished)
  expect(await countLedger(tenant.db, third.campaignId)).toEqual({ sent: 120 })
})

test('R257 a hundred rejections in many batches cause one alert', async () => {
  await setClass({ max_connections: 10 })
  refusals.set('@gmail.test', '421 4.7.0 try again later')
  refusals.set('@gmx.test', '421 4.7.0 try again later')
  await startWith('backoff_provider', { code_pattern: '^421', threshold: 1, provider_id: 5 })
  const campaigns = [await addCampaign(tenant), await addCampaign(tenant), await addCampaign(tenant)]
  await expect.poll(() => actions()).toHaveLength(1)
  for (const { campaignId } of campaigns) await reaches(campaignId, running)
  await sleep(1_500)
  expect(await told()).toEqual(['scd_backoff_provider'])
  await expect.poll(async () => (await actions())[0]?.hits).toBeGreaterThan(1)
})

/** More members at Gmail than are sent before a rule acts. */
async function addCrowd(): Promise<void> {
  await sql`
    insert into ${sql.id('members', `t${tenant.memberTableId}`)} (client_id, email)
    select ${tenant.clientId}::bigint, 'crowd' || n || '@gmail.test' from generate_series(1, ${CROWD}::int) as n`.execute(
    database.db,
  )
}

/** The only rule, and an engine started with it. */
async function startWith(action: string, fields: Record<string, unknown>): Promise<void> {
  await database.db
    .insertInto('scd_rule')
    .values({ name: action, action, minutes: 1, window_minutes: 60, priority: 1, ...fields })
    .execute()
  engine = await testEngine(database, receiver.port, {
    retryScale: { testbed: MINUTE / 60, smtp: MINUTE / 60 },
  })
}

/** Like an administrator in the console. */
async function undo(): Promise<void> {
  const [action] = await actions()
  expect(await undoScdAction(database.db, systemActor(tenant.clientId), Number(action?.id))).toBe(true)
  expect(await undoScdAction(database.db, systemActor(tenant.clientId), Number(action?.id))).toBe(false)
}

async function actions() {
  return database.db
    .selectFrom('scd_action')
    .select(['id', 'action', 'hits'])
    .where('acted_at', 'is not', null)
    .execute()
}

async function told(): Promise<(string | null)[]> {
  const rows = await database.db
    .selectFrom('notification')
    .select('code')
    .where('code', 'like', 'scd_%')
    .execute()
  return rows.map(({ code }) => code)
}

function taken(domain: string): number {
  return receiver.taken.filter(({ to }) => to.endsWith(`@${domain}`)).length
}

function poolsOf(campaign: string): string[] {
  const pools = receiver.taken.flatMap(({ from, header }) =>
    from === campaign ? (/^X-Virtual-MTA: (.*)$/m.exec(header)?.[1]?.trim() ?? []) : [],
  )
  return [...new Set(pools)]
}

async function setClass(fields: Record<string, unknown>): Promise<void> {
  await database.db
    .updateTable('mailclass')
    .set(fields)
    .where('mailclass_id', '=', tenant.mailclassId)
    .execute()
}

async function reaches(campaignId: number, valid: number): Promise<void> {
  await expect.poll(() => validOf(database.db, campaignId)).toBe(valid)
}
