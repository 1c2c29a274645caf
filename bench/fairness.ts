import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { type RawBuilder, sql } from 'kysely'
import { openBenchDatabase } from './bench-database.ts'

/**
 * `npm run bench:fairness [-- RECIPIENTS SECONDS]`; defaults: 1,000,000 (or EMMA_BENCH_ROWS) and 60:
 *
 * 1. single transactional mails are sent over the same mail class as a running campaign to all recipients;
 * 2. three tenants with one, two and four campaigns share an engine;
 * 3. two engines send a throttled campaign;
 * 4. two engines send two campaigns under each limit: of a mail class, a login, an IP and a receiver.
 *
 * Engines and receiver are separate processes. The last line is JSON: `transactional_p99_ms` from the due time of a mail to
 * its acceptance by the receiver, `tenants_min_max` (lowest rate of a tenant divided by the highest), `tenants_jain`,
 * `throttle_error` and `limits_error` (relative deviation from the throttle, and the largest one from a limit).
 */
const RECIPIENTS = Number(process.argv[2] ?? process.env.EMMA_BENCH_ROWS ?? 1_000_000)
const SECONDS = Number(process.argv[3] ?? 60)
/** Members of the smaller campaigns: more than are sent during the measurement. */
const SOME = Math.min(RECIPIENTS, 100_000)

const database = await openBenchDatabase()
const { db } = database
const mailLog = join(database.folder, 'received.log')
const sink = fork(fileURLToPath(import.meta.resolve('@emma/delivery/test/sink-process.ts')), ['0', mailLog])
const engines: ChildProcess[] = []
try {
  const [port] = await once(sink, 'message')
  await startEngine(port)
  const clients = [
    await createTestTenant(db, []),
    await createTestTenant(db, []),
    await createTestTenant(db, []),
  ] as const
  for (const [index, tenant] of clients.entries()) await addMembers(tenant, index === 0 ? RECIPIENTS : SOME)
  const transactional = await measureTransactional(clients[0])
  say(
    `transactional: ${transactional.mails} mails, p99 ${transactional.p99} ms, bulk ${transactional.bulk}/s`,
  )
  const tenants = await measureTenants(clients)
  say(`tenants: ${tenants.rates.join(', ')} mails/s`)
  await startEngine(port)
  const throttle = await measureRate(await throttledCampaign(clients[0]), 50, SECONDS)
  say(`throttle of 3,000 a minute: missed by ${percent(throttle)}`)
  const limits = await measureLimits(clients, port)
  for (const [name, error] of Object.entries(limits)) say(`limit of the ${name}: missed by ${percent(error)}`)
  console.log(
    JSON.stringify({
      recipients: RECIPIENTS,
      seconds: SECONDS,
      transactional_p99_ms: transactional.p99,
      bulk_per_second: transactional.bulk,
      tenants_min_max: round(Math.min(...tenants.rates) / Math.max(...tenants.rates)),
      tenants_jain: round(jain(tenants.rates)),
      throttle_error: round(throttle),
      limits_error: round(Math.max(...Object.values(limits).map(Math.abs))),
    }),
  )
} finally {
  await Promise.all(engines.map(stopEngine))
  sink.kill()
  await database.close()
}

async function startEngine(port: number): Promise<void> {
  const child = fork(fileURLToPath(new URL('delivery-engine.ts', import.meta.url)), [
    database.url,
    String(port),
  ])
  engines.push(child)
  await once(child, 'message')
}

async function stopEngine(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit')
  child.send('end')
  await end
}

async function addMembers(tenant: TestTenant, count: number): Promise<void> {
  const members = sql.id('members', `t${tenant.memberTableId}`)
  await sql`
    insert into ${members} (client_id, email)
    select ${tenant.clientId}::bigint, 'ok-' || n || '@gmx.test' from generate_series(1, ${count}::int) n`.execute(
    db,
  )
  await sql`analyze ${members}`.execute(db)
}

/** Sends five mails per second, with one recipient each, until the large campaign ends or the time is up. */
async function measureTransactional(tenant: TestTenant) {
  const bulk = (await addCampaign(tenant)).campaignId
  await until('the large campaign sends', async () => (await sentOf([bulk])) > 0)
  const list_id = await addList(tenant, 1)
  const { campaignId } = await addCampaign(tenant, { ctype: 3, list_id, fromadr: 'first@sender.test' })
  await until('transactional mail is sent', async () => (await sentOf([campaignId])) > 0)
  const before = await sentOf([bulk])
  const start = performance.now()
  const wanted = new Map<string, number>()
  // As an API client adds them: one row each, due at once.
  for (let member = 2; performance.now() - start < SECONDS * 1000 && (await isRunning(bulk)); member++) {
    const email = `ok-${member}@gmx.test`
    const { rows } = await sql<{ at: number }>`
      with kept as (update campaign set valid = 2, finished_at = null, progress_open = true where campagne_id = ${campaignId})
      insert into delivery (client_id, campagne_id, member_id, email, provider_id)
      values (${tenant.clientId}, ${campaignId}, ${member}, ${email}, 1)
      returning (extract(epoch from due_at) * 1000)::float8 as at`.execute(db)
    for (const { at } of rows) wanted.set(email, at)
    await sleep(200)
  }
  const seconds = (performance.now() - start) / 1000
  const bulkSent = (await sentOf([bulk])) - before
  await until('transactional mail is through', async () => (await openOf([campaignId])) === 0)
  await stopAll()
  const took = tookOf(wanted).toSorted((a, b) => a - b)
  if (took.length < wanted.size) throw new Error(`${wanted.size - took.length} mails were not accepted`)
  if (took.length < 20)
    throw new Error(`The large campaign was over after ${took.length} mails: take more recipients`)
  const p99 = Math.round(took[Math.ceil(took.length * 0.99) - 1] ?? 0)
  return { p99, mails: took.length, bulk: Math.round(bulkSent / seconds) }
}

/** Milliseconds until acceptance, from the receiver's log. */
function tookOf(wanted: ReadonlyMap<string, number>): number[] {
  return readFileSync(mailLog, 'utf8')
    .split('\n')
    .flatMap(line => {
      const [from, to = '', what, at] = line.split('\t')
      const since = wanted.get(to)
      return from === 'first' && what === 'accepted' && since !== undefined ? [Number(at) - since] : []
    })
}

async function measureTenants(clients: readonly TestTenant[]): Promise<{ rates: number[] }> {
  const campaigns: number[][] = []
  for (const [index, tenant] of clients.entries()) {
    const list_id = await addList(tenant, SOME)
    const own = Array.from({ length: 2 ** index }, () => addCampaign(tenant, { list_id }))
    campaigns.push((await Promise.all(own)).map(({ campaignId }) => campaignId))
  }
  const all = campaigns.flat()
  await until('all tenants send', async () =>
    (await Promise.all(all.map(id => sentOf([id])))).every(count => count > 0),
  )
  const before = await Promise.all(campaigns.map(sentOf))
  const start = performance.now()
  const most = (SECONDS * 1000) / 3
  while (performance.now() - start < most && (await Promise.all(all.map(isRunning))).every(Boolean))
    await sleep(250)
  const after = await Promise.all(campaigns.map(sentOf))
  const seconds = (performance.now() - start) / 1000
  await stopAll()
  return { rates: after.map((count, index) => Math.round((count - (before[index] ?? 0)) / seconds)) }
}

async function throttledCampaign(tenant: TestTenant): Promise<number[]> {
  const list_id = await addList(tenant, SOME)
  return [(await addCampaign(tenant, { throttle: 3000, throttle_unit: 'minute', list_id })).campaignId]
}

/** Measures each limit, of 1,200 per minute or more, with two campaigns. */
async function measureLimits(clients: readonly [TestTenant, TestTenant, TestTenant], port: number) {
  const seconds = Math.max(10, SECONDS / 2)
  const relay = { transport: 'smtp', smtp_host: '127.0.0.1', smtp_port: port, smtp_tls: 'none' } as const
  const [one, two, three] = clients
  const limited = {
    class: await overClasses(one, { throttle: 1200, throttle_unit: 'minute' }, 1),
    login: await overClasses(
      two,
      { ...relay, smtp_username: 'shop', login_mails: 1800, login_unit: 'minute' },
      2,
    ),
    IP: await overClasses(three, { send_ip: '192.0.2.1', ip_mails: 2400, ip_unit: 'minute' }, 2),
  }
  const [byClass, byLogin, byIp] = await Promise.all([
    measureRate(limited.class, 20, seconds),
    measureRate(limited.login, 30, seconds),
    measureRate(limited.IP, 40, seconds),
  ])
  await stopAll()
  // With two tenants: the limit of a receiver is shared by all.
  await db.updateTable('provider').set({ max_per_hour: 180_000 }).where('provider_id', '=', 1).execute()
  const both = await Promise.all([one, two].map(tenant => overClasses(tenant, {}, 1)))
  const byReceiver = await measureRate(both.flat(), 50, seconds)
  await stopAll()
  return { 'mail class': byClass, login: byLogin, IP: byIp, receiver: byReceiver }
}

/** Starts two campaigns over one or two new mail classes with the same fields. */
async function overClasses(
  tenant: TestTenant,
  fields: Record<string, string | number>,
  classes: 1 | 2,
): Promise<number[]> {
  const list_id = await addList(tenant, SOME)
  const ids: number[] = []
  for (let n = 0; n < classes; n++) {
    const { mailclass_id } = await db
      .insertInto('mailclass')
      .values({ client_id: tenant.clientId, name: `limited ${Math.random()}`, ...fields })
      .returning('mailclass_id')
      .executeTakeFirstOrThrow()
    ids.push(mailclass_id)
  }
  const campaigns = [ids[0], ids.at(-1)].map(id =>
    addCampaign({ ...tenant, mailclassId: id ?? 0 }, { list_id }),
  )
  return (await Promise.all(campaigns)).map(({ campaignId }) => campaignId)
}

/** Relative deviation of the campaigns, together, from a rate; positive: too fast. */
async function measureRate(campaigns: number[], perSecond: number, seconds: number): Promise<number> {
  await until('a limited campaign sends', async () => (await claimedOf(campaigns)) > 0)
  await sleep(2_000)
  const before = await claimedOf(campaigns)
  const from = performance.now()
  await sleep(seconds * 1000)
  const after = await claimedOf(campaigns)
  const to = performance.now()
  return (after - before) / (((to - from) / 1000) * perSecond) - 1
}

/** Adds a segment of the first members of the datasource; member ids are unique across datasources. */
async function addList(tenant: TestTenant, members: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select max(member_id) as last from (
      select member_id from ${sql.id('members', `t${tenant.memberTableId}`)} order by member_id limit ${members}
    ) first`.execute(db)
  const { list_id } = await db
    .insertInto('list')
    .values({
      client_id: tenant.clientId,
      name: `<=${rows[0]?.last}`,
      member_table_id: tenant.memberTableId,
      include_unsubscribed: true,
    })
    .returning('list_id')
    .executeTakeFirstOrThrow()
  return list_id
}

function sentOf(campaigns: readonly number[]): Promise<number> {
  return countOf(campaigns, sql`state = 'sent'`)
}

function openOf(campaigns: readonly number[]): Promise<number> {
  return countOf(campaigns, sql`state in ('pending', 'deferred', 'claimed')`)
}

function claimedOf(campaigns: readonly number[]): Promise<number> {
  return countOf(campaigns, sql`state not in ('pending', 'skipped')`)
}

async function countOf(campaigns: readonly number[], condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from delivery
    where campagne_id = any(${campaigns}::bigint[]) and ${condition}`.execute(db)
  return rows[0]?.count ?? 0
}

async function isRunning(campaign: number): Promise<boolean> {
  const { valid } = await db
    .selectFrom('campaign')
    .select('valid')
    .where('campagne_id', '=', campaign)
    .executeTakeFirstOrThrow()
  return valid === 2
}

async function stopAll(): Promise<void> {
  await sql`update campaign set valid = 8, finished_at = now() where valid in (2, 4)`.execute(db)
  await until('stopped campaigns are cancelled', async () => {
    const { rows } =
      await sql`select 1 from delivery where state in ('pending', 'claimed', 'deferred') limit 1`.execute(db)
    return rows.length === 0
  })
}

/** @throws after three minutes */
async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 180_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`After three minutes still waiting until ${what}`)
    await sleep(100)
  }
}

/** Jain's fairness index: 1 for equal shares, 1/n if one has everything. */
function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0)
  return sum ** 2 / (shares.length * shares.reduce((total, share) => total + share ** 2, 0))
}

function say(text: string): void {
  console.log(text)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(2)} %`
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
