import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { lookUpReceivers } from '../1-expand/look-up-receivers.ts'
import { claimDue } from '../2-claim/claim-due.ts'
import type { ClaimQuota } from '../2-claim/claim-quota.ts'
import { applyReplyRules } from '../5-record/apply-reply-rules.ts'
import type { RuleHits } from '../5-record/count-replies.ts'
import { startScheduled } from '../5-record/close-campaigns.ts'
import { compileRules } from '../5-record/match-reply.ts'
import { readRules } from '../5-record/read-rules.ts'
import { testReply } from '../5-record/try-reply-rule.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import { listRunning, type RunningCampaign } from './running-campaigns.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, testExpansion, validOf } from '../test/engine.ts'

const LEASE = '00000000-0000-4000-8000-000000000001'
const GMAIL = 5
const GMX = 1

let database: TestDatabase
let tenant: TestTenant

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, [
    ...Array.from({ length: 60 }, (_, n) => `a${n}@gmail.test`),
    ...Array.from({ length: 40 }, (_, n) => `b${n}@gmx.test`),
    ...Array.from({ length: 20 }, (_, n) => `c${n}@firm${n % 4}.example`),
  ])
  await sql`insert into engine (lease) values (${LEASE})`.execute(database.db)
})
afterEach(() => database.drop())

describe('limits of mailbox providers', () => {
  it('hold back only their own rows, over all campaigns and engines', async () => {
    await tenant.db
      .updateTable('provider')
      .set({ max_per_hour: 36_000 })
      .where('provider_id', '=', GMAIL)
      .execute()
    const campaigns = [await expanded(), await expanded()]
    await fillBuckets()
    const before = await claimAll(campaigns)
    const gmail = before.filter(row => row.providerId === GMAIL).length
    // Ten a second: the first burst, for both campaigns together.
    expect(gmail).toBeGreaterThanOrEqual(1)
    expect(gmail).toBeLessThanOrEqual(11)
    expect(before.length - gmail).toBe(2 * 60)
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*) as count from delivery where provider_id = ${GMAIL} group by 1`.execute(
      tenant.db,
    )
    expect(Object.fromEntries(rows.map(row => [row.state, row.count]))).toEqual({
      claimed: gmail,
      pending: 120 - gmail,
    })
  })

  it('use the index, however many rows wait', async () => {
    const campaign = await expanded()
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select member_id from delivery
      where client_id = ${campaign.clientId} and campagne_id = ${campaign.campaignId}
        and state in ('pending', 'deferred') and provider_id = 1::bigint and due_at <= now()
      order by due_at limit 10`.execute(tenant.db)
    expect(rows.map(row => row['QUERY PLAN']).join('\n')).toContain('delivery_due_provider')
  })

  it('of a mail class apply to that class only, and back-offs pause a receiver', async () => {
    await tenant.db
      .updateTable('mailclass')
      .set({
        provider_limits: JSON.stringify([{ provider_id: GMX, mails: 60, unit: 'hour', connections: 2 }]),
      })
      .execute()
    await sql`insert into scd_action (rule_id, action, object, client_id, mailclass_id, provider_id, reply, window_start,
        hits, acted_at, until)
      values (1, 'backoff_provider', 'x', ${tenant.clientId}, ${tenant.mailclassId}, ${GMAIL}, '421', now(), 20, now(),
        now() + interval '1 hour')`.execute(tenant.db)
    const campaign = await expanded()
    const [running] = await listRunning(tenant.db, LEASE)
    expect(running?.routes[0]).toMatchObject({
      closed: [GMAIL],
      receivers: [{ providerId: GMX, concurrency: [{ most: 2 }] }],
    })
    const rows = await claimAll([campaign])
    expect(rows.filter(row => row.providerId === GMAIL)).toEqual([])
    expect(rows.filter(row => row.providerId === GMX)).toHaveLength(1)
    expect(rows.filter(row => row.providerId === 0)).toHaveLength(20)
    await sql`update scd_action set undone_at = now()`.execute(tenant.db)
    expect((await listRunning(tenant.db, LEASE))[0]?.routes[0]?.closed).toEqual([])
  })
})

describe('limits of mail classes, logins and IPs', () => {
  it('are divided evenly over the campaigns of a class', async () => {
    await tenant.db.updateTable('mailclass').set({ throttle: 1200, throttle_unit: 'minute' }).execute()
    const campaigns = [await expanded(), await expanded()]
    await fillBuckets(20)
    const rows = await claimAll(campaigns)
    const counts = campaigns.map(({ campaignId }) => rows.filter(row => row.campaignId === campaignId).length)
    expect(counts[0]! + counts[1]!).toBeGreaterThanOrEqual(20)
    expect(counts[0]! + counts[1]!).toBeLessThanOrEqual(21)
    expect(Math.abs(counts[0]! - counts[1]!)).toBeLessThanOrEqual(1)
  })

  it('of a login at a sending service apply to all its campaigns, with and without mail class', async () => {
    const { id } = await tenant.db
      .insertInto('esp_login')
      .values({ client_id: tenant.clientId, name: 'SES', esp: 'ses', max_mails: 60, max_unit: 'minute' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tenant.db
      .updateTable('mailclass')
      .set({ transport: 'esp', login_ids: [id] })
      .execute()
    const campaigns = [await expanded(), await expanded({ mailclass_id: null, esp_id: id })]
    await fillBuckets(1)
    const rows = await claimAll(campaigns)
    // One a second, for both campaigns together.
    expect(rows.length).toBeGreaterThanOrEqual(1)
    expect(rows.length).toBeLessThanOrEqual(2)
  })

  it('apply to all classes with the same login or IP; the lowest counts', async () => {
    const other = await addClass('second', { login_mails: 600, login_unit: 'minute', ip_connections: 4 })
    await tenant.db
      .updateTable('mailclass')
      .set({
        transport: 'smtp',
        smtp_host: '127.0.0.1',
        smtp_port: 25,
        smtp_username: 'shop',
        send_ip: '192.0.2.1',
      })
      .execute()
    await tenant.db
      .updateTable('mailclass')
      .set({ login_mails: 1200, login_unit: 'minute', login_connections: 6 })
      .where('mailclass_id', '=', tenant.mailclassId)
      .execute()
    await expanded()
    await expanded({ mailclass_id: other })
    const running = await listRunning(tenant.db, LEASE)
    const logins = running.map(campaign =>
      campaign.routes[0]?.buckets.find(({ name }) => name.startsWith('login')),
    )
    expect(logins[0]).toEqual(logins[1])
    expect(logins[0]).toMatchObject({ perSecond: 10 })
    // The IP has four connections for all classes that use it, whichever sets the limit.
    expect(running.map(campaign => campaign.routes[0]?.connections)).toEqual([2, 2])
  })

  it('divide connections over engines, so that their sum is the limit', async () => {
    await tenant.db.updateTable('mailclass').set({ max_connections: 5 }).execute()
    const second = '00000000-0000-4000-8000-000000000002'
    await sql`insert into engine (lease) values (${second})`.execute(tenant.db)
    await expanded()
    const shares = [LEASE, second].map(
      async lease => (await listRunning(tenant.db, lease))[0]?.routes[0]?.connections,
    )
    expect(await Promise.all(shares)).toEqual([3, 2])
  })
})

describe('a warm-up', () => {
  it('allows a day’s volume and sends the rest over the warm class', async () => {
    const warm = await addClass('warm', {})
    await tenant.db
      .updateTable('mailclass')
      .set({ warmup_volumes: [10, 30], overflow_mailclass_id: warm })
      .where('mailclass_id', '=', tenant.mailclassId)
      .execute()
    await sql`update mailclass set warmup_start = current_date - 1 where mailclass_id = ${tenant.mailclassId}`.execute(
      tenant.db,
    )
    const campaign = await expanded()
    const [running] = await listRunning(tenant.db, LEASE)
    expect(running?.routes.map(route => route.mailclassId)).toEqual([tenant.mailclassId, warm])
    expect(running?.routes[0]?.warmup).toMatchObject({ volume: 30 })
    expect(await claimAll([campaign])).toHaveLength(30)
    const again = await claimDue(tenant.db, LEASE, [grantOf((await listRunning(tenant.db, LEASE))[0]!)])
    expect(again.rows).toEqual([])
    expect(again.available.get(running?.routes[0]?.warmup?.name ?? '')).toBe(0)
  })

  it('ends after its last day, and a domain has its own', async () => {
    await sql`update mailclass set warmup_volumes = '{10}', warmup_start = current_date - 3`.execute(
      tenant.db,
    )
    await sql`update domain set warmup_volumes = '{25}', warmup_start = current_date`.execute(tenant.db)
    const campaign = await expanded()
    expect((await listRunning(tenant.db, LEASE))[0]?.routes[0]?.warmup).toBe(null)
    expect(await claimAll([campaign])).toHaveLength(25)
  })
})

describe('the time of a campaign', () => {
  it('has quiet hours: its own, or else the client’s, also over midnight; none for transactional mail', async () => {
    await tenant.db.updateTable('client').set({ timezone: 'Asia/Tokyo' }).execute()
    const at = async (hours: number) =>
      (
        await sql<{
          at: string
        }>`select to_char(now() at time zone 'Asia/Tokyo' + make_interval(hours => ${hours}),
          'HH24:MI') as at`.execute(tenant.db)
      ).rows[0]?.at ?? ''
    const [before, after] = [await at(-1), await at(1)]
    const quiet = await expanded({ quiet_from: before, quiet_to: after })
    const awake = await expanded({ quiet_from: after, quiet_to: before })
    const first = await expanded({ quiet_from: before, quiet_to: after, ctype: 3 })
    const plain = await expanded()
    const quietNow = async () =>
      Object.fromEntries((await listRunning(tenant.db, LEASE)).map(one => [one.campaignId, one.isQuiet]))
    expect(await quietNow()).toEqual({
      [quiet.campaignId]: true,
      [awake.campaignId]: false,
      [first.campaignId]: false,
      [plain.campaignId]: false,
    })
    await tenant.db.updateTable('client').set({ quiet_from: before, quiet_to: after }).execute()
    expect((await quietNow())[plain.campaignId]).toBe(true)
  })

  it('can be the same hour in recipients’ local time', async () => {
    const members = sql.id('members', `t${tenant.memberTableId}`)
    await sql`alter table ${members} add column timezone text, add column country text`.execute(tenant.db)
    await sql`update ${members} set timezone = case member_id % 4 when 1 then 'America/New_York' when 2 then 'Nowhere/Land' end,
      country = case member_id % 4 when 3 then 'Japan' when 2 then 'es' end`.execute(tenant.db)
    await tenant.db.updateTable('client').set({ timezone: 'Europe/Berlin' }).execute()
    const campaign = await expanded({ local_time: true, startdate: '2040-06-15T07:00:00Z' })
    const { rows } = await sql<{ kind: number; due: string }>`
      select distinct member_id % 4 as kind, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due
      from delivery where campagne_id = ${campaign.campaignId} order by 1`.execute(tenant.db)
    // 9 o'clock in Berlin, New York, Madrid (invalid zone, so the country counts) and Tokyo.
    expect(rows.map(row => row.due)).toEqual([
      '2040-06-15 07:00',
      '2040-06-15 13:00',
      '2040-06-15 07:00',
      '2040-06-15 00:00',
    ])
  })

  it('is tomorrow if the hour has passed', async () => {
    const startdate = new Date(Date.now() - 3 * 3_600_000).toISOString()
    const campaign = await expanded({ local_time: true, startdate })
    const { rows } = await sql<{ hours: number }>`
      select distinct round(extract(epoch from due_at - now()) / 3600)::int as hours from delivery
      where campagne_id = ${campaign.campaignId}`.execute(tenant.db)
    expect(rows).toEqual([{ hours: 21 }])
  })

  it('can be send windows', async () => {
    const campaign = await expanded({ window_mails: 50, window_minutes: 90 })
    const { rows } = await sql<{ minutes: number; count: number }>`
      select round(extract(epoch from due_at - (select min(due_at) from delivery)) / 60)::int as minutes,
        count(*) as count
      from delivery where campagne_id = ${campaign.campaignId} group by 1 order by 1`.execute(tenant.db)
    expect(rows).toEqual([
      { minutes: 0, count: 50 },
      { minutes: 90, count: 50 },
      { minutes: 180, count: 20 },
    ])
  })

  it("that was missed is sent, skipped or held, by the campaign's setting", async () => {
    const late = { valid: 1, startdate: new Date(Date.now() - 2 * 3_600_000).toISOString() }
    const wanted = [
      [await addCampaign(tenant, { ...late, missed_policy: 'send', missed_minutes: 30 }), 4],
      [await addCampaign(tenant, { ...late, missed_policy: 'skip', missed_minutes: 30 }), 8],
      [await addCampaign(tenant, { ...late, missed_policy: 'ask', missed_minutes: 30 }), 7],
      [await addCampaign(tenant, { ...late, missed_policy: 'skip', missed_minutes: 180 }), 4],
    ] as const
    await startScheduled(tenant.db)
    for (const [{ campaignId }, valid] of wanted) expect(await validOf(tenant.db, campaignId)).toBe(valid)
    const lastReported = await tenant.db.selectFrom('notification').select('code').orderBy('code').execute()
    expect(lastReported.map(one => one.code)).toEqual(['campaign_held', 'campaign_missed'])
  })
})

describe('receivers', () => {
  it('with the same mail hosts are one provider, known ones by their patterns', async () => {
    const asked: string[] = []
    const resolveMx = async (domain: string) => {
      asked.push(domain)
      if (domain === 'firm3.example') return ['aspmx.l.google.com']
      return domain === 'firm2.example' ? [] : ['mx1.hosting.example', 'mx2.hosting.example']
    }
    const key = await addCampaign(tenant)
    expect(await lookUpReceivers(tenant.db, key, resolveMx)).toBe(4)
    expect(await lookUpReceivers(tenant.db, key, resolveMx)).toBe(0)
    expect(asked).toHaveLength(4)
    await expand(key)
    const { rows } = await sql<{ domain: string; name: string }>`
      select distinct split_part(email, '@', 2) as domain, p.name from delivery d join provider p using (provider_id)
      order by 1`.execute(tenant.db)
    expect(rows).toEqual([
      { domain: 'firm0.example', name: 'mx1.hosting.example' },
      { domain: 'firm1.example', name: 'mx1.hosting.example' },
      { domain: 'firm2.example', name: 'other' },
      { domain: 'firm3.example', name: 'Gmail' },
      { domain: 'gmail.test', name: 'Gmail' },
      { domain: 'gmx.test', name: 'GMX' },
    ])
  })
})

describe('unresponsive DNS', () => {
  it('does not delay a campaign for long', async () => {
    const silent = Array.from({ length: 120 }, (_, n) => `person@silent${n}.example`)
    const key = await addCampaign(await createTestTenant(database.db, silent))
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['performance'] })
    const timesOut = async () => {
      vi.advanceTimersByTime(30_000)
      throw new Error('queryMx ETIMEOUT')
    }
    const asked = await lookUpReceivers(database.db, key, timesOut)
    expect(asked).toBe(50)
    vi.useRealTimers()
    expect(await lookUpReceivers(database.db, key, async () => [])).toBe(120 - asked)
  })
})

describe('reply rules', () => {
  it('R257 act once for many matching replies, with one notification', async () => {
    const campaign = await expanded()
    const batch = async (count: number) => [await hitsOf('backoff_provider', campaign, count)]
    await applyReplyRules(tenant.db, await batch(15))
    expect(await acted()).toEqual([])
    await applyReplyRules(tenant.db, await batch(15))
    await applyReplyRules(tenant.db, await batch(800))
    expect(await acted()).toMatchObject([{ action: 'backoff_provider', hits: 830, lasts: true }])
    const lastReported = await tenant.db.selectFrom('notification').select(['code', 'text']).execute()
    expect(lastReported).toMatchObject([{ code: 'scd_backoff_provider' }])
    expect((await listRunning(tenant.db, LEASE))[0]?.routes[0]?.closed).toEqual([GMAIL])
  })

  it('R257 pause a campaign, quarantine an IP, suppress an address', async () => {
    const campaign = await expanded()
    await applyReplyRules(tenant.db, [await hitsOf('quarantine_ip', campaign, 1000)])
    expect((await listRunning(tenant.db, LEASE))[0]?.routes[0]?.isQuarantined).toBe(true)
    await applyReplyRules(tenant.db, [
      await hitsOf('pause_campaign', campaign, 1000),
      { ...(await hitsOf('blacklist', campaign, 1)), email: 'A1@gmail.test' },
    ])
    expect(await validOf(tenant.db, campaign.campaignId)).toBe(5)
    const next = await expanded()
    expect((await countLedger(tenant.db, next.campaignId)).blacklist_client).toBe(1)
    expect(await acted()).toHaveLength(3)
  })

  it('R257 classify a reply, and the seeded ones cover the large receivers', async () => {
    const { rules, broken } = compileRules(await readRules(tenant.db))
    expect(broken).toEqual([])
    expect(rules.length).toBeGreaterThan(20)
    expect(
      await testReply(tenant.db, '421 4.7.28 Our system has detected an unusual rate of mail', GMAIL),
    ).toMatchObject({
      kind: 'deferred',
      class: 'rate',
      action: 'backoff_provider',
    })
    expect(await testReply(tenant.db, '550 5.1.1 User unknown', null)).toMatchObject({
      hard: true,
      action: 'none',
    })
    expect(await testReply(tenant.db, '250 2.0.0 OK', null)).toMatchObject({ kind: 'sent', rule: null })
  })
})

async function hitsOf(
  action: string,
  { clientId, campaignId }: CampaignKey,
  count: number,
): Promise<RuleHits> {
  const { rules } = compileRules(await readRules(tenant.db))
  const rule = rules.find(one => one.action === action)!
  const common = { clientId, campaignId, mailclassId: tenant.mailclassId, providerId: GMAIL, sendIp: null }
  const times = Array.from({ length: count }, () => performance.now())
  return { rule, object: action, ...common, email: null, reply: '421 slow down', scale: 1, count, times }
}

async function acted() {
  const { rows } = await sql<{ action: string; hits: number; lasts: boolean }>`
    select action, hits, until > now() as lasts from scd_action where acted_at is not null order by id`.execute(
    tenant.db,
  )
  return rows
}

async function addClass(name: string, fields: Record<string, unknown>): Promise<number> {
  const { mailclass_id } = await tenant.db
    .insertInto('mailclass')
    .values({ client_id: tenant.clientId, name, ...fields })
    .returning('mailclass_id')
    .executeTakeFirstOrThrow()
  return mailclass_id
}

/** Sets the tokens of every existing bucket. */
async function fillBuckets(tokens = 1): Promise<void> {
  const running = await listRunning(tenant.db, LEASE)
  const names = running
    .flatMap(campaign => grantOf(campaign))
    .flatMap(quota => quota.buckets.map(({ name }) => name))
  await sql`
    insert into send_pace (bucket, tokens, refilled_at)
    select distinct name, ${tokens}::float8, now() from unnest(${names}::text[]) as name`.execute(tenant.db)
}

async function claimAll(campaigns: readonly CampaignKey[]) {
  const running = (await listRunning(tenant.db, LEASE)).filter(one =>
    campaigns.some(campaign => campaign.campaignId === one.campaignId),
  )
  return (await claimDue(tenant.db, LEASE, running.map(grantOf))).rows
}

function grantOf({ clientId, campaignId, buckets, routes }: RunningCampaign): ClaimQuota {
  const route = routes[0]!
  return {
    clientId,
    campaignId,
    limit: 500,
    buckets: [...buckets, ...route.buckets],
    receivers: route.receivers
      .filter(({ providerId }) => !route.closed.includes(providerId))
      .map(({ providerId, buckets: own }) => ({ providerId, limit: 500, buckets: own })),
    closed: route.closed,
  }
}

async function expanded(fields: Parameters<typeof addCampaign>[1] = {}): Promise<CampaignKey> {
  const key = await addCampaign(tenant, fields)
  await expand(key)
  return key
}

async function expand(key: CampaignKey): Promise<void> {
  await expandCampaign(tenant.db, key, testExpansion)
}
