import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../resource/actor.ts'
import { addTestCampaign, addTestTenant, type TestTenant } from '../../test/campaign.ts'
import { readCampaignQueue } from './read-campaign-queue.ts'

const GMAIL = 5
const OTHER = 0
const DAY_MS = 86_400_000

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`insert into role_heartbeat (node, role, pid, seen_at) values ('a', 'engine', 1, 'infinity')`.execute(
    database.db,
  )
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.updateTable('campaign').set({ valid: campaignState.stopped }).execute()
  tenant = await addTestTenant(database.db)
})

test('counts emails by provider: waiting, deferred and being sent', async () => {
  const id = await addCampaign()
  await addMails(id, [
    { provider: GMAIL },
    { provider: GMAIL, state: 'deferred', due: '5 minutes' },
    { provider: GMAIL, state: 'deferred', due: '-1 minute' },
    { provider: OTHER, due: '1 hour' },
    { provider: OTHER, state: 'claimed' },
    { provider: OTHER, state: 'sent' },
  ])
  const { providers } = await read(id)
  expect(providers.map(({ waits: _, ...counts }) => counts)).toEqual([
    { provider_id: GMAIL, name: 'Gmail', waiting: 3, deferred: 2, sending: 0 },
    { provider_id: OTHER, name: 'other', waiting: 2, deferred: 0, sending: 1 },
  ])
})

describe('waits', () => {
  test('of a campaign that does not run: none', async () => {
    const id = await addCampaign({ valid: campaignState.paused, throttle: 1 })
    await addMails(id, [{ provider: GMAIL }])
    await fill(`campaign ${tenant.clientId}/${id}`, 0)
    const { waits, providers, routes } = await read(id)
    expect([waits, providers[0]?.waits, routes[0]?.waits]).toEqual([[], [], []])
  })

  test('its rate and its batches while their tokens are used up', async () => {
    const id = await addCampaign({
      throttle: 60,
      throttle_unit: 'minute',
      window_mails: 10,
      window_minutes: 5,
    })
    await addMails(id, [{ provider: GMAIL }])
    expect((await read(id)).waits).toEqual([])
    await fill(`campaign ${tenant.clientId}/${id}`, 0)
    await fill(`window ${tenant.clientId}/${id}`, -10)
    const { waits } = await read(id)
    expect(waits).toMatchObject([
      { code: 'campaign_rate', limit: 60, unit: 'minute', until: null },
      { code: 'campaign_window', limit: 10, seconds: 300 },
    ])
    const [, { since, until } = {}] = waits
    expect(Date.parse(String(until)) - Date.parse(String(since))).toBe(300_000)
  })

  test('quiet hours, with their begin and end in the time zone of the client', async () => {
    const hour = 3_600_000
    const tokyo = 9 * hour
    const now = Math.floor(Date.now() / hour) * hour
    const [since, until] = [now - 2 * hour, now + 3 * hour]
    const clock = (at: number) => new Date(at + tokyo).toISOString().slice(11, 16)
    const id = await addCampaign({ quiet_from: clock(since), quiet_to: clock(until) })
    await sql`
      update client set timezone = 'Asia/Tokyo' where client_id = ${tenant.clientId}`.execute(database.db)
    const { waits } = await read(id)
    expect(waits).toMatchObject([
      {
        code: 'quiet_hours',
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
      },
    ])
  })

  test('local time, until the next email is due, and an A/B test without winner', async () => {
    const id = await addCampaign({ local_time: true })
    await addMails(id, [
      { provider: GMAIL, due: '2 hours' },
      { provider: OTHER, due: '1000 years' },
    ])
    const { waits } = await read(id)
    expect(waits).toMatchObject([{ code: 'local_time' }, { code: 'split' }])
    const hours = (Date.parse(String(waits[0]?.until)) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(2)
  })

  test('learned hours instead of quiet hours and batches', async () => {
    const id = await addCampaign({
      quiet_from: '00:00',
      quiet_to: '23:59',
      window_mails: 1,
      window_minutes: 5,
    })
    await sql`update campaign set learned_time = '{}' where campagne_id = ${id}`.execute(database.db)
    await addMails(id, [{ provider: GMAIL, due: '2 hours' }])
    await fill(`window ${tenant.clientId}/${id}`, -1)
    expect((await read(id)).waits.map(({ code }) => code)).toEqual(['learned_time'])
  })

  test('the warm-up day of a mail class that is used up: the next class is used', async () => {
    const id = await addCampaign()
    const { mailclass_id: overflow } = await database.db
      .insertInto('mailclass')
      .values({ client_id: tenant.clientId, name: 'overflow' })
      .returning('mailclass_id')
      .executeTakeFirstOrThrow()
    await sql`
      update mailclass set warmup_start = wall_clock(now(), 'UTC')::date, warmup_volumes = '{5,5}',
        overflow_mailclass_id = ${overflow}
      where mailclass_id = ${tenant.mailclassId}`.execute(database.db)
    await sql`update client set timezone = 'UTC' where client_id = ${tenant.clientId}`.execute(database.db)
    const days = [0, 1].map(days => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10))
    for (const day of days) await fill(`warm-up ${tenant.clientId}/${tenant.mailclassId} on ${day}`, -5)
    await addMails(id, [{ provider: GMAIL }])
    const { routes } = await read(id)
    expect(routes).toMatchObject([
      {
        name: 'bulk',
        is_used: false,
        warmup: { volume: 5, sent: 5 },
        waits: [{ code: 'mailclass_warmup', limit: 5 }],
      },
      { name: 'overflow', is_used: true, warmup: null, waits: [{ code: 'connections' }] },
    ])
    const midnights = days.map(day => Date.parse(day) + DAY_MS)
    expect(midnights).toContain(Date.parse(String(routes[0]?.waits[0]?.until)))
  })

  test('rates of mail class, login and provider, and connections without another limit', async () => {
    const id = await addCampaign()
    await addMails(id, [{ provider: GMAIL }, { provider: OTHER }])
    expect((await read(id)).routes[0]?.waits).toMatchObject([{ code: 'connections', shared: null }])
    await database.db
      .updateTable('mailclass')
      .set({
        throttle: 100,
        throttle_unit: 'hour',
        provider_limits: JSON.stringify([{ provider_id: GMAIL, mails: 5, unit: 'minute', connections: 0 }]),
      })
      .where('mailclass_id', '=', tenant.mailclassId)
      .execute()
    const name = `class ${tenant.clientId}/${tenant.mailclassId}`
    await fill(name, 0)
    await fill(`${name} provider ${GMAIL}`, 0)
    const { routes, providers } = await read(id)
    expect(routes[0]?.waits).toMatchObject([{ code: 'mailclass_rate', limit: 100, unit: 'hour' }])
    expect(providers.map(({ waits }) => waits.map(({ code, limit }) => [code, limit]))).toEqual([
      [['mailclass_provider_rate', 5]],
      [],
    ])
  })

  test('connections that campaigns of the client or other clients use too', async () => {
    const other = await addTestTenant(database.db)
    const id = await addCampaign()
    await addMails(id, [{ provider: GMAIL }])
    const shared = async () => (await read(id)).routes[0]?.waits[0]?.shared
    const ofOther = await addTestCampaign(other, campaignState.running)
    await startSending(ofOther.campagne_id)
    expect(await shared()).toBeNull()
    await addMails(ofOther.campagne_id, [{ provider: GMAIL }], other)
    expect(await shared()).toBe('clients')
    await addCampaign()
    expect(await shared()).toBe('campaigns')
  })

  test('back-off and quarantine of reply rules, until they are undone', async () => {
    const id = await addCampaign()
    await addMails(id, [{ provider: GMAIL }, { provider: OTHER }])
    const backoff = await addAction({ action: 'backoff_provider', provider_id: GMAIL, campagne_id: id })
    const [gmail] = (await read(id)).providers
    expect(gmail?.waits).toMatchObject([{ code: 'backoff', action_id: backoff }])
    const quarantine = await addAction({ action: 'quarantine_ip', campagne_id: null })
    const { routes, rule_actions } = await read(id)
    expect(routes).toMatchObject([{ is_used: false, waits: [{ code: 'quarantine', action_id: quarantine }] }])
    expect(rule_actions.map(({ id, is_active }) => [id, is_active])).toEqual([
      [quarantine, true],
      [backoff, true],
    ])
    await sql`update scd_action set undone_at = now() where client_id = ${tenant.clientId}`.execute(
      database.db,
    )
    const ended = await read(id)
    expect([ended.routes[0]?.is_used, ended.providers[0]?.waits]).toEqual([true, []])
    // That of the mail class was not caused by this campaign.
    expect(ended.rule_actions.map(({ id, is_active }) => [id, is_active])).toEqual([[backoff, false]])
  })

  test('no engine', async () => {
    const id = await addCampaign()
    await sql`update role_heartbeat set seen_at = now() - interval '1 minute'`.execute(database.db)
    const { waits } = await read(id)
    await sql`update role_heartbeat set seen_at = 'infinity'`.execute(database.db)
    expect(waits).toMatchObject([{ code: 'no_engine' }])
  })
})

test('deferrals are grouped by reply codes, with replies only for users who may see members', async () => {
  const id = await addCampaign()
  const busy = { provider: GMAIL, state: 'deferred', code: 421, reply: '421 busy, ann@example.test' } as const
  await addMails(id, [
    { ...busy, due: '10 minutes', attempts: 1 },
    { ...busy, due: '5 minutes', attempts: 3 },
    { provider: OTHER, state: 'deferred', code: 452, due: '1 hour' },
  ])
  const mayReadMembers: Actor = { ...tenant.actor, permissions: new Set(['EmmaMember:get']) }
  const { deferrals, providers } = await readCampaignQueue(database.db, mayReadMembers, tenant.scope, id)
  expect(deferrals).toMatchObject([
    { provider: 'Gmail', code: 421, count: 2, attempts: 3, reply: busy.reply },
    { provider: 'other', code: 452, count: 1 },
  ])
  expect(providers[0]?.waits).toMatchObject([{ code: 'retry', until: deferrals[0]?.next_at }])
  expect((await read(id)).deferrals.map(({ count, reply }) => [count, reply])).toEqual([
    [2, null],
    [1, null],
  ])
})

test('addresses that a rule suppressed are one action, without addresses', async () => {
  const id = await addCampaign()
  for (const email of ['a@example.test', 'b@example.test'])
    await addAction({ action: 'blacklist', campagne_id: id, email })
  const { rule_actions } = await read(id)
  expect(rule_actions).toMatchObject([{ action: 'blacklist', hits: 2, is_active: false }])
  expect(JSON.stringify(rule_actions)).not.toContain('@example.test')
})

test('domains of the pool, with the reason why one is not used', async () => {
  const id = await addCampaign()
  await database.db
    .updateTable('campaign')
    .set({ use_domain_pool: true })
    .where('campagne_id', '=', id)
    .execute()
  expect((await read(id)).domains).toEqual([])
  const pool: object[] = []
  const add = async (name: string, values: object, isRemoved = false) => {
    const row = { client_id: tenant.clientId, name, status: 'verified', in_pool: true, ...values }
    const { domain_id } = await database.db
      .insertInto('domain')
      .values(row)
      .returning('domain_id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into dkim_key (client_id, domain_id, selector, algorithm, private_key, public_txt)
      values (${tenant.clientId}, ${domain_id}, 's', 'rsa', '', '')`.execute(database.db)
    pool.push({ domain: { id: domain_id, name: isRemoved ? `old-${name}` : name } })
  }
  await add('a.sender.test', {})
  await add('b.sender.test', { status: 'failed' })
  await add('c.sender.test', { is_blocklisted: true })
  await add('d.sender.test', { in_pool: false })
  await add('renamed.sender.test', {}, true)
  await sql`
    update campaign set snapshot = ${JSON.stringify({ pool })}::jsonb where campagne_id = ${id}`.execute(
    database.db,
  )
  expect((await read(id)).domains).toEqual([
    { name: 'sender.test', fault: null },
    { name: 'a.sender.test', fault: null },
    { name: 'b.sender.test', fault: 'not_verified' },
    { name: 'c.sender.test', fault: 'blocklisted' },
    { name: 'd.sender.test', fault: 'not_in_pool' },
    { name: 'old-renamed.sender.test', fault: 'deleted' },
  ])
})

test('a campaign of another client is not found', async () => {
  const other = await addTestTenant(database.db)
  const { campagne_id } = await addTestCampaign(other, campaignState.running)
  await expect(read(campagne_id)).rejects.toMatchObject({ code: 'not_found' })
})

function read(id: number): Promise<CampaignQueue> {
  return readCampaignQueue(database.db, tenant.actor, tenant.scope, id)
}

async function addCampaign(fields: { valid?: number } & Record<string, unknown> = {}): Promise<number> {
  const { valid = campaignState.running, ...rest } = fields
  const { campagne_id: id } = await addTestCampaign(tenant, valid, rest)
  await startSending(id)
  return id
}

async function startSending(id: number): Promise<void> {
  await database.db
    .updateTable('campaign')
    .set({ expanded_at: sql`now()`, progress_open: true })
    .where('campagne_id', '=', id)
    .execute()
}

interface TestMail {
  provider: number
  state?: string
  /** Interval from now. */
  due?: string
  code?: number
  reply?: string
  attempts?: number
}

async function addMails(id: number, mails: readonly TestMail[], { clientId } = tenant): Promise<void> {
  for (const [index, mail] of mails.entries()) {
    const { provider, state = 'pending', due = '0', code = null, reply = null, attempts = 0 } = mail
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, provider_id, state, due_at, smtp_code, reply,
        attempts)
      values (${clientId}, ${id}, ${index + 1}, 'ann@example.test', ${provider}, ${state}::delivery_state,
        now() + ${due}::interval, ${code}, ${reply}, ${attempts})`.execute(database.db)
  }
}

/** Sets a token bucket that is not refilled meanwhile. */
async function fill(bucket: string, tokens: number): Promise<void> {
  await sql`
    insert into send_pace (bucket, tokens, refilled_at) values (${bucket}, ${tokens}, now() + interval '1 hour')
    on conflict (bucket) do update set tokens = excluded.tokens, refilled_at = excluded.refilled_at`.execute(
    database.db,
  )
}

async function addAction(action: {
  action: string
  campagne_id: number | null
  provider_id?: number
  email?: string
}): Promise<number> {
  const { provider_id = null, email = null } = action
  const { rows } = await sql<{ id: number }>`
    insert into scd_action (rule_id, action, object, client_id, campagne_id, mailclass_id, provider_id, email, reply,
      window_start, hits, acted_at, until)
    values ((select min(id) from scd_rule), ${action.action}, ${email ?? action.action}, ${tenant.clientId},
      ${action.campagne_id}, ${tenant.mailclassId}, ${provider_id}, ${email}, '421 busy', now(), 3, now(),
      case when ${email === null} then now() + interval '1 hour' end)
    returning id`.execute(database.db)
  return Number(rows[0]?.id)
}
