import { setTimeout as sleep } from 'node:timers/promises'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import type { Engine } from './engine.ts'
import { resolveUnknown } from '../5-record/resolve-unknown.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, startLab, testEngine, testExpansion, type TestLab, validOf } from '../test/engine.ts'

const { finished, running } = campaignState
const MEMBERS = 40

let database: TestDatabase
let tenant: TestTenant
let lab: TestLab
let engine: Engine | null = null

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `ok-${n}@gmx.test`),
  )
  lab = await startLab(database.db)
})
afterEach(async () => {
  await engine?.stop()
  engine = null
  await lab.stop()
  await database.drop()
})

test('an engine that stops leaves no row claimed, whatever it was waiting for', async () => {
  const { db, pool } = database
  await db
    .insertInto('test_address')
    .values({ client_id: tenant.clientId, email: 'seed@gmx.test', addr_type: 'global_seed' })
    .execute()
  const campaign = await addCampaign(tenant)
  await expandCampaign(db, campaign, testExpansion)
  // Blocks reading the recipients.
  const holder = await pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin')
  await holder.query('lock table test_address in access exclusive mode')
  engine = await testEngine(database, lab.port)
  await expect.poll(async () => 'claimed' in (await countLedger(db, campaign.campaignId))).toBe(true)
  const stopped = engine.stop()
  engine = null
  await Promise.race([stopped, sleep(1_000)])
  const released = holder.query('rollback')
  await stopped
  const { rows } = await sql`
    select state from delivery d
    where state = 'claimed' and not exists (select from engine e where e.lease = d.lease)`.execute(db)
  expect(rows).toEqual([])
  await released
})

test('an engine that was declared dead continues under a new lease', async () => {
  const { db } = database
  engine = await testEngine(database, lab.port)
  // Its connection still looks open: the peer vanished without closing it.
  await db.deleteFrom('engine').execute()
  const { campaignId } = await addCampaign(tenant)
  await expect.poll(() => validOf(db, campaignId)).toBe(finished)
  expect(await countLedger(db, campaignId)).toEqual({ sent: MEMBERS })
})

test('a secret that cannot be decrypted holds only the campaigns that need it', async () => {
  const { db } = database
  const { mailclass_id } = await db
    .insertInto('mailclass')
    .values({
      client_id: tenant.clientId,
      name: 'of another installation',
      transport: 'smtp',
      smtp_host: '127.0.0.1',
      smtp_port: lab.port,
      smtp_tls: 'none',
      smtp_username: 'shop',
      smtp_password: Buffer.from('sealed elsewhere'),
    })
    .returning('mailclass_id')
    .executeTakeFirstOrThrow()
  engine = await testEngine(database, lab.port, {
    openSecret(sealed) {
      const text = sealed.toString()
      if (text === 'sealed elsewhere') throw new Error('Unsupported state or unable to authenticate data')
      return text
    },
  })
  const bad = await addCampaign({ ...tenant, mailclassId: mailclass_id })
  await expect.poll(() => validOf(db, bad.campaignId)).not.toBe(campaignState.preparing)
  const good = await addCampaign(tenant)
  await expect.poll(() => validOf(db, good.campaignId)).toBe(finished)
  expect(await countLedger(db, good.campaignId)).toEqual({ sent: MEMBERS })
  expect(await validOf(db, bad.campaignId)).toBe(campaignState.held)
})

test('a campaign that cannot be held ends nothing else', async () => {
  const { db } = database
  const campaign = await addCampaign(tenant)
  await expandCampaign(db, campaign, testExpansion)
  await db.deleteFrom('dkim_key').execute()
  await sql`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'the database is away'; end $$`.execute(db)
  await sql`
    create trigger refuse before update on campaign for each row when (new.valid = ${sql.lit(campaignState.held)})
    execute function refuse()`.execute(db)
  const unheard: unknown[] = []
  const hear = (reason: unknown) => void unheard.push(reason)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  let lastReported = 0
  const count = () => void lastReported++
  engine = await testEngine(database, lab.port, { logger: { info() {}, warn: count, error: count } })
  await expect.poll(() => lastReported + unheard.length).toBeGreaterThan(2)
  expect(unheard).toEqual([])
  expect(await validOf(db, campaign.campaignId)).toBe(running)
})

test('members who get a resend after the end of a campaign are marked', async () => {
  const { db } = database
  engine = await testEngine(database, lab.port)
  const campaign = await addCampaign(tenant)
  const members = sql.id('members', `t${tenant.memberTableId}`)
  const unmarked = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${members} where last_sent_at is null`.execute(db)
    return rows[0]?.count
  }
  await expect.poll(() => validOf(db, campaign.campaignId)).toBe(finished)
  await expect.poll(unmarked).toBe(0)
  await sql`update ${members} set last_sent_at = null where member_id = 1`.execute(db)
  await sql`update delivery set state = 'unknown' where member_id = 1`.execute(db)
  expect(await resolveUnknown(db, campaign)).toBe(1)
  await expect.poll(unmarked).toBe(0)
})

test('rows claimed during a lease renewal are sent once', async () => {
  const { db, pool } = database
  engine = await testEngine(database, lab.port)
  const [old] = await db.selectFrom('engine').select('lease').execute()
  const campaign = await addCampaign(tenant, {
    throttle: 600_000,
    throttle_unit: 'minute',
    valid: campaignState.paused,
  })
  await sql`
    insert into send_pace (bucket, tokens, refilled_at)
    values (${`campaign ${campaign.clientId}/${campaign.campaignId}`}, 1000, now())`.execute(db)
  const holder = await pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin')
  await holder.query('select from send_pace for update')
  const { rows } = await holder.query('select pg_backend_pid() as pid')
  const pid = Number(rows[0]?.pid)
  await db.updateTable('campaign').set({ valid: campaignState.preparing }).execute()
  await expect.poll(() => isWaiting(pid)).toBe(true)
  await sql`
    select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and a.query like 'insert into engine%'
      and l.database = (select oid from pg_database where datname = current_database())`.execute(db)
  const leases = async () => (await db.selectFrom('engine').select('lease').execute()).map(row => row.lease)
  await expect.poll(async () => (await leases()).filter(lease => lease !== old?.lease).length).toBe(1)
  await expect.poll(async () => (await leases()).length).toBe(1)
  await holder.query('rollback')
  await expect.poll(() => validOf(db, campaign.campaignId)).toBe(finished)
  expect(await countLedger(db, campaign.campaignId)).toEqual({ sent: MEMBERS })
  expect(lab.log()).toHaveLength(MEMBERS)
})

/** Whether a session waits for a lock of this connection. */
async function isWaiting(pid: number): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and ${pid}::int = any(pg_blocking_pids(pid))`.execute(database.db)
  return rows.length > 0
}
