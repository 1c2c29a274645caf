import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import { alert } from '@emma/contract/resources/alert.ts'
import { alertOperations } from '@emma/core/deliverability/alerts/alert-operations.ts'
import { claimAlerts } from '@emma/core/deliverability/alerts/claim-alerts.ts'
import { testAlert } from '@emma/core/deliverability/alerts/alert-outbox.ts'
import { saveSettingWithSecret } from '@emma/core/platform/system-settings.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { testInbound } from '@emma/testbed/test/servers.ts'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Config, loadConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { readAlerts, sendMessages } from './alert-loop.ts'

let database: TestDatabase
let config: Config
let tenant: TestTenant
const logger = createLogger('jobs', 'silent')

beforeAll(async () => {
  database = await createTestDatabase()
  config = loadConfig({
    DATABASE_URL: database.url,
    EMMA_SECRET: 'a secret for tests only',
    NODE_ENV: 'test',
    EMMA_WEBHOOK_LOOPBACK: 'true',
  })
})
afterAll(() => database.drop())
beforeEach(async () => {
  // Alerts of other tests are not read.
  await sql`update alert set active = false`.execute(database.db)
  await sql`update alert_message set state = 'kept' where state = 'pending'`.execute(database.db)
  await sql`delete from setting where name in ('mail', 'sms', 'sms_secret')`.execute(database.db)
  tenant = await createTestTenant(database.db, [])
})

const actor = () => systemActor(tenant.clientId)
const scope = () => ({ clientIds: [tenant.clientId] })
const find = (id: number) => alertOperations.find(database.db, actor(), scope(), id)

function addAlert(fields: Patch<typeof alert>) {
  return alertOperations.create(database.db, actor(), tenant.clientId, {
    name: 'Too many bounces',
    metric: 'bounce_rate',
    threshold: 5,
    notify_email: 'team@example.test',
    ...fields,
  })
}

/** Reads all alerts now, and sends what they say. */
async function look(): Promise<void> {
  await sql`update alert set next_check = now()`.execute(database.db)
  await readAlerts(database.db, logger)
  await sendMessages({ db: database.db, config, logger })
}

/** A finished campaign with as many accepted mails, the first of which have such an event. */
async function addSent(mails: number, events: number, type: 'bounce' | 'complaint'): Promise<void> {
  const { clientId, campaignId } = await addCampaign(tenant, { valid: 3 })
  const { db } = database
  await sql`
    update campaign set started_at = now() - interval '1 hour', finished_at = clock_timestamp()
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(db)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
    select ${clientId}, ${campaignId}, n, n || '@example.test', 'sent', now()
    from generate_series(1, ${mails}::int) n`.execute(db)
  await sql`
    insert into event (client_id, campagne_id, member_id, type, ts)
    select ${clientId}, ${campaignId}, n, ${type}, now() from generate_series(1, ${events}::int) n,
      generate_series(1, 2)`.execute(db)
}

async function turnOnMail() {
  const relay = await testInbound()
  const { host, port } = relay
  const settings = { is_enabled: true, from: 'emma@example.test', host, port, tls: 'none' } as const
  const secret = { key: Buffer.alloc(32), field: 'password', text: null }
  await saveSettingWithSecret(database.db, actor(), 'mail', { ...settings, username: null }, secret)
  return relay.mails
}

async function messagesOf(id: number) {
  const { rows } = await sql<{ channel: string; kind: string; state: string; error: string | null }>`
    select channel, kind, state, error from alert_message where alert_id = ${id} order by message_id`.execute(
    database.db,
  )
  return rows
}

const hasFired = (id: number, minutes: number) =>
  sql`update alert set fired_at = now() - make_interval(mins => ${minutes}) where id = ${id}`.execute(
    database.db,
  )

test('R064 an alert begins with an email and a notification, and ends with another', async () => {
  const mails = await turnOnMail()
  await addSent(200, 12, 'bounce')
  const { id } = await addAlert({})
  await look()
  expect(await find(id)).toMatchObject({ state: 'firing', value: 6 })
  const [first] = mails
  if (!first) throw new Error('No email arrived')
  const mail = await PostalMime.parse(first.raw)
  expect(mail.subject).toBe('Alert at Shop Größe: Too many bounces')
  expect(mail.text).toContain('Bounce rate: 6 %')
  expect(mail.html).toContain(`/settings/alerts/edit/${id}`)
  await look()
  expect(mails).toHaveLength(1)

  await sql`delete from event where client_id = ${tenant.clientId}`.execute(database.db)
  await look()
  expect(await find(id), 'it fires for an hour at least').toMatchObject({ state: 'firing', value: 0 })
  await hasFired(id, 61)
  await look()
  expect(await find(id)).toMatchObject({ state: 'ok', value: 0 })
  expect(await messagesOf(id)).toMatchObject([
    { kind: 'firing', state: 'sent' },
    { kind: 'resolved', state: 'sent' },
  ])
  const { rows } = await sql<{ code: string; path: string; permission: string }>`
    select code, path, permission from notification where client_id = ${tenant.clientId} order by id`.execute(
    database.db,
  )
  const path = `/settings/alerts/edit/${id}`
  expect(rows).toEqual([
    { code: 'alert_firing', path, permission: 'Alerts:get' },
    { code: 'alert_resolved', path, permission: 'Alerts:get' },
  ])
})

test('R064 a rate of fewer than 100 mails says nothing', async () => {
  await addSent(99, 50, 'complaint')
  const { id } = await addAlert({ metric: 'complaint_rate', threshold: 0.1 })
  await look()
  expect(await find(id)).toMatchObject({ state: 'unknown', value: null })
  await addSent(1, 0, 'complaint')
  await look()
  expect(await find(id)).toMatchObject({ state: 'firing', value: 50 })
})

test('R064 an alert reads figures of its own client only', async () => {
  await addSent(200, 100, 'bounce')
  await sql`
    insert into data_upload (client_id, filename, status, finished_at)
    values (${tenant.clientId}, 'a.csv', 4, now())`.execute(database.db)
  tenant = await createTestTenant(database.db, [])
  const { id } = await addAlert({})
  const { id: imports } = await addAlert({ metric: 'import_failed', threshold: 1 })
  await look()
  expect(await find(id)).toMatchObject({ state: 'unknown', value: null })
  expect(await find(imports)).toMatchObject({ state: 'ok', value: 0 })
})

test('R064 each failed import sends a message', async () => {
  const { id } = await addAlert({ metric: 'import_failed', threshold: 1 })
  const fail = (file: string) =>
    sql`insert into data_upload (client_id, filename, status, finished_at)
      values (${tenant.clientId}, ${file}, 4, clock_timestamp())`.execute(database.db)
  await fail('first.csv')
  await look()
  await look()
  expect(await messagesOf(id)).toHaveLength(1)
  await fail('second.csv')
  await look()
  expect(await messagesOf(id)).toHaveLength(2)
  const { rows } = await sql<{ subjects: string[] }>`
    select subjects from alert_message where alert_id = ${id} order by message_id desc limit 1`.execute(
    database.db,
  )
  expect(rows).toEqual([{ subjects: ['second.csv', 'first.csv'] }])
})

test('R064 a campaign that makes no progress is told after the minutes of the threshold', async () => {
  const { id } = await addAlert({ metric: 'queue_stall', threshold: 30 })
  const { clientId, campaignId } = await addCampaign(tenant, { valid: 2 })
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, due_at)
    values (${clientId}, ${campaignId}, 1, 'a@example.test', now() - interval '1 hour')`.execute(database.db)
  await look()
  expect(await find(id)).toMatchObject({ state: 'ok', value: 0 })
  const passed = sql`
    update alert set memory = jsonb_set(memory, ${`{${campaignId},since}`}::text[], to_jsonb(now() - interval '31 minutes'))
    where id = ${id}`
  await passed.execute(database.db)
  await look()
  expect(await find(id)).toMatchObject({ state: 'firing', value: 31 })
  // Quiet hours around the clock: nothing may be sent.
  await sql`
    update campaign set quiet_from = (now() - interval '1 hour')::time, quiet_to = (now() + interval '1 hour')::time
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(database.db)
  await hasFired(id, 61)
  await look()
  expect(await find(id)).toMatchObject({ state: 'ok', value: 0 })
})

test('R064 domains on a blocklist, quarantines, the import quota and finished campaigns are counted', async () => {
  const { db } = database
  const { clientId, mailclassId } = tenant
  await sql`update domain set is_blocklisted = true where client_id = ${clientId}`.execute(db)
  await sql`
    insert into scd_action (rule_id, action, client_id, mailclass_id, object, reply, hits, window_start, acted_at, until)
    select id, 'quarantine_ip', ${clientId}, ${mailclassId}, 'x', 'x', 1, now(), now(), now() + interval '1 hour'
    from scd_rule limit 1`.execute(db)
  await sql`
    insert into upload_usage (client_id, month, rows)
    values (${clientId}, date_trunc('month', now() at time zone 'utc')::date, 100000000)`.execute(db)
  const ids = {
    domain_blocklisted: (await addAlert({ metric: 'domain_blocklisted', threshold: 1 })).id,
    ip_blocked: (await addAlert({ metric: 'ip_blocked', threshold: 1 })).id,
    quota: (await addAlert({ metric: 'quota', threshold: 60 })).id,
    campaign_finished: (await addAlert({ metric: 'campaign_finished', threshold: 1 })).id,
    ipci_inbox: (await addAlert({ metric: 'ipci_inbox', operator: 'lt', threshold: 80 })).id,
  }
  await addSent(1, 0, 'bounce')
  await look()
  expect(await find(ids.domain_blocklisted)).toMatchObject({ state: 'firing', value: 1 })
  expect(await find(ids.ip_blocked)).toMatchObject({ state: 'firing', value: 1 })
  expect(await find(ids.quota)).toMatchObject({ state: 'ok', value: 50 })
  expect(await find(ids.campaign_finished)).toMatchObject({ state: 'ok', value: 1 })
  expect(await messagesOf(ids.campaign_finished)).toMatchObject([{ kind: 'firing' }])
  expect(await find(ids.ipci_inbox)).toMatchObject({ state: 'unknown', value: null })
})

test('R064 an SMS goes to the gateway with its key, and is kept without one', async () => {
  const calls: { authorization: string | undefined; body: unknown }[] = []
  const gateway = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls.push({
        authorization: request.headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      })
      response.statusCode = calls.length === 1 ? 503 : 200
      response.end('{}')
    })
  })
  await new Promise<void>(resolve => gateway.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void gateway.close())
  const { id } = await addAlert({ notify_email: null, notify_sms: '+491701234567' })
  await testAlert(database.db, actor(), scope(), id)
  await look()
  expect(await messagesOf(id)).toMatchObject([{ channel: 'sms', kind: 'test', state: 'kept' }])

  const { port } = gateway.address() as AddressInfo
  const sms = { is_enabled: true, url: `http://127.0.0.1:${port}/send`, sender: 'EMMA' }
  const key = config.deriveKey('secrets at rest')
  await saveSettingWithSecret(database.db, actor(), 'sms', sms, { key, field: 'api_key', text: 'secret-key' })
  await testAlert(database.db, actor(), scope(), id)
  await look()
  expect((await messagesOf(id)).at(-1)).toMatchObject({ state: 'pending', error: 'HTTP 503' })
  await sql`update alert_message set next_at = now() where state = 'pending'`.execute(database.db)
  await look()
  expect((await messagesOf(id)).at(-1)).toMatchObject({ state: 'sent', error: null })
  expect(calls.at(-1)).toEqual({
    authorization: 'Bearer secret-key',
    body: {
      to: '+491701234567',
      from: 'EMMA',
      text: 'Test of an alert at Shop Größe: Too many bounces\nBounce rate: – %\nThreshold: 5',
    },
  })
})

test('R064 an email that cannot be sent is tried again, then it has failed', async () => {
  const { id } = await addAlert({})
  await testAlert(database.db, actor(), scope(), id)
  for (let attempt = 1; attempt < 6; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    await look()
    // oxlint-disable-next-line no-await-in-loop
    expect(await messagesOf(id)).toMatchObject([{ state: 'pending', error: 'mail_off' }])
    // oxlint-disable-next-line no-await-in-loop
    await sql`update alert_message set next_at = now() where state = 'pending'`.execute(database.db)
  }
  await look()
  expect(await messagesOf(id)).toMatchObject([{ state: 'failed', error: 'mail_off' }])
})

test('R064 two machines read an alert once; a changed one begins anew', async () => {
  const { id } = await addAlert({ metric: 'domain_blocklisted', threshold: 0 })
  const claimed = await Promise.all([claimAlerts(database.db, 20), claimAlerts(database.db, 20)])
  expect(claimed.flat().map(one => one.id)).toEqual([id])
  await look()
  expect(await find(id)).toMatchObject({ state: 'firing' })
  const options = { revision: null }
  await alertOperations.patch(database.db, actor(), scope(), id, { threshold: 1 }, options)
  expect(await find(id)).toMatchObject({ state: 'unknown', value: null, fired_at: null })
})

test('R282 an alert needs an email address or a mobile number', async () => {
  const rejected = { code: 'invalid', fields: [{ field: 'notify_email' }, { field: 'notify_sms' }] }
  await expect(addAlert({ notify_email: null })).rejects.toMatchObject(rejected)
  const { id } = await addAlert({})
  const change = { notify_email: null }
  await expect(
    alertOperations.patch(database.db, actor(), scope(), id, change, { revision: null }),
  ).rejects.toMatchObject(rejected)
})
