import { volumeQuestion } from '@emma/contract/actions/volume.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addCampaign, createTestTenant, type TestTenant } from '../../test/tenant.ts'
import { calculateVolume } from './calculate-volume.ts'
import { listUsableMailclasses } from './list-usable-mailclasses.ts'

const GMAIL = 5
const HOUR = 3600

let database: TestDatabase
let tenant: TestTenant
beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['a@gmail.com'])
})
afterEach(() => database.drop())

function calculate(question: Record<string, unknown>) {
  const { clientId, mailclassId } = tenant
  const asked = volumeQuestion.parse({ mailclass_id: mailclassId, ...question })
  return calculateVolume(database.db, { clientIds: [clientId] }, asked)
}

async function setMailclass(fields: Record<string, unknown>, id = tenant.mailclassId) {
  await database.db.updateTable('mailclass').set(fields).where('mailclass_id', '=', id).execute()
}

async function addMailclass(name: string, fields: Record<string, unknown> = {}): Promise<number> {
  const { mailclass_id } = await database.db
    .insertInto('mailclass')
    .values({ client_id: tenant.clientId, name, ...fields })
    .returning('mailclass_id')
    .executeTakeFirstOrThrow()
  return mailclass_id
}

/** Adds a campaign that sends with a mail class. */
async function addRunning(mailclass_id: number) {
  const { campaignId } = await addCampaign(tenant, { valid: 2, mailclass_id })
  await database.db
    .updateTable('campaign')
    .set({ expanded_at: new Date() })
    .where('campagne_id', '=', campaignId)
    .execute()
}

async function setClient(fields: { timezone?: string; quiet_from?: string; quiet_to?: string }) {
  await database.db.updateTable('client').set(fields).where('client_id', '=', tenant.clientId).execute()
}

/** The mail class sends 100, 200 and 400 emails on the days of its warm-up, from today on. It is noon. */
async function startWarmup(sent = 0) {
  const { clientId, mailclassId } = tenant
  const hours = 12 - new Date().getUTCHours()
  await setClient({ timezone: `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}` })
  await sql`update mailclass set warmup_volumes = '{100,200,400}', warmup_start = wall_clock(now(), client.timezone)::date
    from client where client.client_id = mailclass.client_id and mailclass_id = ${mailclassId}`.execute(
    database.db,
  )
  await sql`insert into send_pace (bucket, tokens, refilled_at)
    select ${`warm-up ${clientId}/${mailclassId} on `} || wall_clock(now(), timezone)::date, ${-sent}, now() from client
    where client_id = ${clientId}`.execute(database.db)
}

async function act(action: string, fields: Record<string, unknown>) {
  await database.db
    .insertInto('scd_action')
    .values({
      rule_id: 1,
      action,
      object: JSON.stringify(fields),
      client_id: tenant.clientId,
      reply: '421',
      window_start: new Date(),
      hits: 1,
      acted_at: new Date(),
      until: new Date(Date.now() + HOUR * 1000),
      ...fields,
    })
    .execute()
}

describe('R248 the calculation', () => {
  test('takes the slowest of campaign, mail class, login and IP, and names it', async () => {
    await setMailclass({
      transport: 'smtp',
      smtp_host: 'relay.example',
      smtp_username: 'shop',
      throttle: 5000,
      login_mails: 3000,
      send_ip: 'pool-a',
      ip_mails: 4000,
    })
    expect(await calculate({ volume: 6000, throttle: 4500 })).toMatchObject({
      duration_s: 2 * HOUR,
      bottleneck: { limit: { kind: 'login', mails: 3000, seconds: HOUR, mailclass: 'bulk' } },
      ips: ['pool-a'],
    })
    // A running campaign of another mail class with the same IP has a lower limit, which counts for both.
    const other = await addMailclass('other', { send_ip: 'pool-a', ip_mails: 1000 })
    await addRunning(other)
    expect(await calculate({ volume: 6000 })).toMatchObject({
      duration_s: 6 * HOUR,
      bottleneck: { limit: { kind: 'ip', mails: 1000 } },
      warnings: [{ code: 'volume.shared', values: { campaigns: 1 } }],
    })
  })

  test('takes the limits of mailbox providers, of the installation and of the mail class', async () => {
    await database.db
      .updateTable('provider')
      .set({ max_per_hour: 2000 })
      .where('provider_id', '=', GMAIL)
      .execute()
    await setMailclass({
      provider_limits: JSON.stringify([{ provider_id: 1, mails: 100, unit: 'minute', connections: 2 }]),
    })
    const counts = [
      { provider_id: GMAIL, count: 5000 },
      { provider_id: 1, count: 3000 },
      { provider_id: 2, count: 900 },
    ]
    const result = await calculate({ by_provider: counts })
    expect(result.by_provider).toMatchObject([
      {
        provider_id: GMAIL,
        duration_s: 2.5 * HOUR,
        limit: { kind: 'provider', mails: 2000, mailclass: null },
      },
      {
        provider_id: 1,
        duration_s: HOUR / 2,
        limit: { kind: 'mailclass_provider', mails: 100, seconds: 60 },
      },
      { provider_id: 2, duration_s: 0, limit: null },
    ])
    expect(result).toMatchObject({ duration_s: 2.5 * HOUR, bottleneck: { name: 'Gmail' } })
  })

  test('plans the days of a warm-up, and warns of what today does not hold', async () => {
    await startWarmup(70)
    const result = await calculate({ volume: 250 })
    expect(result.warmup).toMatchObject([
      { kind: 'mailclass', name: 'bulk', volume: 100, sent: 70, planned: 30 },
      { volume: 200, sent: 0, planned: 200 },
      { volume: 400, sent: 0, planned: 20 },
    ])
    expect(result.bottleneck?.limit.kind).toBe('warmup')
    expect(result.warnings).toMatchObject([{ code: 'volume.warmup_waits', values: { left: 30 } }])
    // Days that begin in two days.
    const startdate = new Date(Date.now() + 2 * 24 * HOUR * 1000).toISOString()
    const later = await calculate({ volume: 250, startdate })
    expect(later).toMatchObject({
      duration_s: 0,
      warnings: [],
      warmup: [{ volume: 400, sent: 0, planned: 250 }],
    })
  })

  test('sends what a warm-up day does not hold with the overflow mail class', async () => {
    await startWarmup()
    const overflow = await addMailclass('warm', { throttle: 600 })
    await setMailclass({ overflow_mailclass_id: overflow })
    // Classes that overflow into each other.
    await setMailclass({ overflow_mailclass_id: tenant.mailclassId }, overflow)
    expect(await calculate({ volume: 400 })).toMatchObject({
      duration_s: HOUR / 2,
      bottleneck: { limit: { kind: 'mailclass', mailclass: 'warm' } },
      warnings: [{ code: 'volume.warmup_overflow', values: { left: 100, overflow: 'warm' } }],
    })
    await setMailclass({ active: false }, overflow)
    expect((await calculate({ volume: 400 })).warnings).toMatchObject([{ code: 'volume.warmup_waits' }])
  })

  test('counts the warm-up of the domain', async () => {
    await sql`update domain set warmup_volumes = '{50,60}', warmup_start = wall_clock(now(), 'UTC')::date`.execute(
      database.db,
    )
    const result = await calculate({ volume: 110, domain_id: tenant.domainId })
    expect(result).toMatchObject({
      bottleneck: { limit: { kind: 'domain_warmup' } },
      warmup: [
        { kind: 'domain', name: 'sender.test', volume: 50, planned: 50 },
        { volume: 60, planned: 60 },
      ],
      warnings: [{ code: 'volume.domain_warmup', values: { domain: 'sender.test', left: 50 } }],
    })
  })

  test('waits in quiet hours of the client’s time zone, of the client or the campaign, also when clocks change', async () => {
    await setClient({ timezone: 'Europe/Berlin', quiet_from: '21:00', quiet_to: '07:00' })
    const evening = { volume: 300, throttle: 100, startdate: '2030-06-03T18:00:00Z' }
    // From 20:00 to 21:00 local time, and from 7:00 to 9:00.
    expect(await calculate(evening)).toMatchObject({
      enddate: '2030-06-04T07:00:00.000Z',
      bottleneck: { limit: { kind: 'quiet_hours', mails: null } },
    })
    const own = { ...evening, quiet_from: '12:00', quiet_to: '13:00' }
    expect((await calculate(own)).enddate).toBe('2030-06-03T21:00:00.000Z')
    // On 31 March 2030 clocks are set forward: 7:00 is 5:00 UTC instead of 6:00.
    const spring = { volume: 150, throttle: 100, startdate: '2030-03-30T19:00:00Z' }
    expect((await calculate(spring)).enddate).toBe('2030-03-31T05:30:00.000Z')
  })

  test('counts windows and warns about local time, which has none', async () => {
    const batches = { volume: 250, window_mails: 100, window_minutes: 30 }
    expect(await calculate(batches)).toMatchObject({ duration_s: HOUR, warnings: [] })
    expect(await calculate({ ...batches, local_time: true })).toMatchObject({
      duration_s: 0,
      warnings: [{ code: 'volume.local_time' }],
    })
  })

  test('waits for the end of quarantines and back-offs', async () => {
    await act('backoff_provider', { mailclass_id: tenant.mailclassId, provider_id: GMAIL })
    const counts = [
      { provider_id: GMAIL, count: 5 },
      { provider_id: 1, count: 5 },
    ]
    const paused = await calculate({ by_provider: counts })
    expect(paused.by_provider).toMatchObject([{ limit: { kind: 'back_off' } }, { duration_s: 0 }])
    expect(paused.warnings).toMatchObject([{ code: 'volume.back_off', values: { provider: 'Gmail' } }])
    await act('quarantine_ip', { mailclass_id: tenant.mailclassId })
    const closed = await calculate({ volume: 5 })
    expect(closed).toMatchObject({
      bottleneck: { limit: { kind: 'quarantine', mailclass: 'bulk' } },
      warnings: [{ code: 'volume.quarantine' }],
    })
    expect(closed.duration_s).toBeGreaterThan(HOUR - 60)
    expect(closed.duration_s).toBeLessThanOrEqual(HOUR)
  })

  test('of a login without mail class follows the campaign only; beyond a year it has no end', async () => {
    const { id } = await database.db
      .insertInto('esp_login')
      .values({ client_id: tenant.clientId, name: 'Brevo', esp: 'brevo' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setMailclass({ throttle: 100 })
    const login = { mailclass_id: null, esp_id: id, volume: 2000 }
    expect(await calculate(login)).toMatchObject({ duration_s: 0, bottleneck: null })
    expect(await calculate({ ...login, mailclass_id: tenant.mailclassId })).toMatchObject({
      duration_s: 20 * HOUR,
    })
    expect(await calculate({ ...login, throttle: 1, throttle_unit: 'day' })).toMatchObject({
      duration_s: null,
      enddate: null,
      bottleneck: { limit: { kind: 'campaign', mails: 1, seconds: 86_400 } },
      warnings: [{ code: 'volume.beyond' }],
    })
  })

  test('keeps to what a service allows its login, whichever way it is used', async () => {
    const { id } = await database.db
      .insertInto('esp_login')
      .values({ client_id: tenant.clientId, name: 'SES', esp: 'ses', max_mails: 1000, max_unit: 'day' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const twoDays = {
      duration_s: 48 * HOUR,
      bottleneck: { limit: { kind: 'login', mails: 1000, seconds: 86_400 } },
    }
    const login = { mailclass_id: null, esp_id: id, volume: 2000 }
    expect(await calculate(login)).toMatchObject(twoDays)
    await setMailclass({ transport: 'esp', login_ids: [id] })
    expect(await calculate({ volume: 2000 })).toMatchObject(twoDays)
    await setMailclass({ transport: 'testbed' })
    expect(await calculate({ volume: 2000 })).toMatchObject({ duration_s: 0 })
  })
})

describe('R179 mail classes with free capacity', () => {
  const list = (type: 'bulk' | 'warmup' = 'bulk') => listUsableMailclasses(database.db, tenant.clientId, type)

  test('are those that could send now', async () => {
    await addMailclass('a_relay', { transport: 'smtp' })
    await addMailclass('b_service', { transport: 'esp' })
    await addMailclass('c_inactive', { active: false })
    await addMailclass('d_real', { transport: 'mx' })
    await addMailclass('e_warmup', { type: 'warmup' })
    expect((await list()).map(({ name }) => name)).toEqual(['bulk'])
    expect((await list('warmup')).map(({ name }) => name)).toEqual(['e_warmup'])
    await act('quarantine_ip', { mailclass_id: tenant.mailclassId })
    expect(await list()).toEqual([])
  })

  test('share their rate with running campaigns', async () => {
    await setMailclass({ throttle: 10, throttle_unit: 'minute' })
    expect(await list()).toMatchObject([{ per_hour: 600, capacity: 600, running: 0, left_today: null }])
    await addRunning(tenant.mailclassId)
    expect(await list()).toMatchObject([{ per_hour: 600, capacity: 300, running: 1 }])
  })

  test('have what their warm-up allows today, and then their overflow mail class', async () => {
    await startWarmup(90)
    expect(await list()).toMatchObject([{ left_today: 10, capacity: 10, per_hour: null, overflow: null }])
    await sql`update send_pace set tokens = -100`.execute(database.db)
    expect(await list()).toEqual([])
    const overflow = await addMailclass('warm', { type: 'warmup', throttle: 50 })
    await setMailclass({ overflow_mailclass_id: overflow })
    expect(await list()).toMatchObject([{ name: 'bulk', overflow: 'warm', capacity: 50, left_today: null }])
  })
})
