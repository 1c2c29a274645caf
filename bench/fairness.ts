import { setTimeout as sleep } from 'node:timers/promises'
import { testEngine, addCampaign, fillHouse, type House } from '@emma/delivery/test-house.ts'
import { startTestbed } from '@emma/testbed/testbed.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql as raw } from 'kysely'
import { openBenchDatabase } from './bench-database.ts'

/**
 * `npm run bench:fairness [-- RECIPIENTS SECONDS]`: while a campaign of 1,000,000 recipients runs, transactional mails are
 * sent over the same mail class; then three tenants with one, two and four campaigns share an engine; then a campaign is
 * throttled, over two engines. The last line is JSON: `transactional_p99_ms` from the moment a mail is wanted to its
 * recorded acceptance, `tenant_share_worst` (a tenant's part of an equal share, the worst), `throttle_error` (part by
 * which the throttle was missed).
 */
const RECIPIENTS = Number(process.argv[2] ?? 1_000_000)
const SECONDS = Number(process.argv[3] ?? 60)

const database = await openBenchDatabase()
const folder = mkdtempSync(join(tmpdir(), 'emma-fairness-'))
const testbed = await startTestbed({
  folder,
  smtpPort: 0,
  seed: 'fairness',
  reactions: { enabled: false },
  verifySample: { perSecond: 0, fraction: 0 },
  lookup: async () => null,
})
const { sql } = database
const engines = [await testEngine(database, testbed.smtpPort)]
try {
  const houses = [await fillHouse(sql, []), await fillHouse(sql, []), await fillHouse(sql, [])]
  for (const house of houses) await addMembers(house, RECIPIENTS)
  const transactional = await measureTransactional(houses[0]!)
  const tenants = await measureTenants(houses)
  engines.push(await testEngine(database, testbed.smtpPort))
  const throttle = await measureThrottle(houses[0]!)
  console.log(
    JSON.stringify({
      recipients: RECIPIENTS,
      seconds: SECONDS,
      transactional_p99_ms: Math.round(transactional),
      tenant_share_worst: Math.round(tenants * 1000) / 1000,
      throttle_error: Math.round(throttle * 10_000) / 10_000,
    }),
  )
} finally {
  await Promise.all(engines.map(engine => engine.stop()))
  await testbed.stop()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

async function addMembers(house: House, count: number): Promise<void> {
  await raw`
    insert into ${raw.id('members', `t${house.memberTableId}`)} (client_id, email)
    select ${house.clientId}::int, 'ok-' || n || '@gmx.test' from generate_series(1, ${count}::int) n`.execute(
    sql,
  )
}

/** Mails of one recipient each, about five a second. */
async function measureTransactional(house: House): Promise<number> {
  const bulk = await addCampaign(house)
  await until(async () => (await sentOf([bulk.campaignId])) > 0)
  const { list_id } = await sql
    .insertInto('list')
    .values({
      client_id: house.clientId,
      name: '<=1',
      member_table_id: house.memberTableId,
      include_unsubscribed: true,
    })
    .returning('list_id')
    .executeTakeFirstOrThrow()
  const { campaignId } = await addCampaign(house, { ctype: 3, list_id, throttle: 0 })
  await until(async () => (await sentOf([campaignId])) > 0)
  // From here on mails are added to it, as a program would: a row each, due at once.
  const first = 2
  const end = performance.now() + SECONDS * 1000
  for (let member = first; performance.now() < end; member++) {
    await raw`
      with kept as (update campaign set valid = 2, finished_at = null where campagne_id = ${campaignId})
      insert into delivery (client_id, campagne_id, member_id, email, provider_id)
      values (${house.clientId}, ${campaignId}, ${member}, ${`ok-${member}@gmx.test`}, 1)`.execute(sql)
    await sleep(200)
  }
  await sleep(3_000)
  const { rows } = await raw<{ p99: number; open: number }>`
    select percentile_cont(0.99) within group (order by extract(epoch from recorded_at - due_at) * 1000) as p99,
      count(*) filter (where recorded_at is null) as open
    from delivery where campagne_id = ${campaignId} and member_id >= ${first}`.execute(sql)
  await stopAll()
  if (rows[0]?.open !== 0) throw new Error(`${rows[0]?.open} transactional mails were not sent`)
  return rows[0].p99
}

async function measureTenants(houses: readonly House[]): Promise<number> {
  const campaigns: number[][] = []
  for (const [index, house] of houses.entries()) {
    const own = Array.from({ length: 2 ** index }, () => addCampaign(house))
    campaigns.push((await Promise.all(own)).map(({ campaignId }) => campaignId))
  }
  await until(async () => (await Promise.all(campaigns.map(sentOf))).every(count => count > 0))
  const before = await Promise.all(campaigns.map(sentOf))
  await sleep((SECONDS * 1000) / 3)
  const after = await Promise.all(campaigns.map(sentOf))
  await stopAll()
  const sent = after.map((count, index) => count - (before[index] ?? 0))
  const equal = sent.reduce((sum, count) => sum + count, 0) / sent.length
  return Math.min(...sent) / equal
}

async function measureThrottle(house: House): Promise<number> {
  const { campaignId } = await addCampaign(house, { throttle: 3000, throttle_unit: 'minute' })
  await until(async () => (await claimedOf(campaignId)) > 0)
  await sleep(2_000)
  const [before, from] = [await claimedOf(campaignId), performance.now()]
  await sleep(SECONDS * 1000)
  const [after, to] = [await claimedOf(campaignId), performance.now()]
  await stopAll()
  return Math.abs((after - before) / (((to - from) / 1000) * 50) - 1)
}

async function sentOf(campaignIds: readonly number[]): Promise<number> {
  return countOf(campaignIds, raw`state = 'sent'`)
}

async function claimedOf(campaignId: number): Promise<number> {
  return countOf([campaignId], raw`state not in ('pending', 'skipped')`)
}

async function countOf(campaignIds: readonly number[], condition: ReturnType<typeof raw>): Promise<number> {
  const { rows } = await raw<{ count: number }>`
    select count(*) as count from delivery
    where campagne_id = any(${campaignIds}::bigint[]) and ${condition}`.execute(sql)
  return rows[0]?.count ?? 0
}

async function stopAll(): Promise<void> {
  await raw`update campaign set valid = 8, finished_at = now() where valid in (2, 4)`.execute(sql)
  await until(async () => {
    const { rows } =
      await raw`select 1 from delivery where state in ('pending', 'claimed', 'deferred') limit 1`.execute(sql)
    return rows.length === 0
  })
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(100)
}
