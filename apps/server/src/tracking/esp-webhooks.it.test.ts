import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { sealSecret } from '@emma/core/deliverability/secret-box.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import type { WebhookEsp } from '@emma/mail/esp/parse-webhook.ts'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import { signToken, verpAddress } from '@emma/mail/token.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailTokenKey } from '../mail-token-key.ts'
import { mountEspWebhooks } from './esp-webhooks.ts'

const secretKey = Buffer.alloc(32, 1)
const config = { deriveKey: () => secretKey }
const tokenKey = mailTokenKey(config)

let database: TestDatabase
let tenant: TestTenant
let campaignId: number
let app: FastifyInstance
/** Requests to Amazon. */
const asked: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test', 'ben@gmx.test', 'cat@gmx.test'])
  const campaign = await addCampaign(tenant)
  campaignId = campaign.campaignId
  await expandCampaign(tenant.db, campaign, testExpansion)
  app = fastify()
  mountEspWebhooks({ app, ...database, config, logger: pino({ enabled: false }), fetchText })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await database.drop()
})
beforeEach(async () => {
  await sql`delete from event`.execute(tenant.db)
  await sql`delete from esp_login`.execute(tenant.db)
})

async function fetchText(url: string): Promise<string> {
  asked.push(url)
  return TEST_CERTIFICATE.cert
}

/** Current time, because old calls are rejected. */
const NOW = Math.floor(Date.now() / 1000)

/** ESP events for a hard bounce of member 1 and an open of member 2, from their documentation. */
const REPLAYS: Record<Exclude<WebhookEsp, 'ses'>, (first: string, second: string) => unknown> = {
  sendgrid: (first, second) => [
    {
      email: 'ann@gmx.test',
      timestamp: 1_763_700_000,
      event: 'bounce',
      type: 'bounce',
      sg_event_id: 'e1',
      reason: '550 5.1.1 The email account does not exist',
      status: '5.1.1',
      emma: first,
    },
    {
      email: 'ben@gmx.test',
      timestamp: 1_763_700_001,
      event: 'open',
      sg_event_id: 'e2',
      ip: '192.0.2.7',
      emma: second,
    },
    { email: 'ben@gmx.test', timestamp: 1_763_700_001, event: 'processed', sg_event_id: 'e3', emma: second },
  ],
  mailgun: first => {
    const [timestamp, token] = [String(NOW), 'c8ce431de0cfff71']
    const signature = createHmac('sha256', 'the-secret')
      .update(timestamp + token)
      .digest('hex')
    return {
      signature: { timestamp, token, signature },
      'event-data': {
        id: 'mg1',
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        timestamp: 1_763_700_000.5,
        recipient: 'ann@gmx.test',
        'user-variables': { emma: first },
        'delivery-status': { code: 550, message: '5.1.1 The email account does not exist' },
      },
    }
  },
  postmark: first => ({
    RecordType: 'Bounce',
    ID: 4_323_372_036,
    Type: 'HardBounce',
    TypeCode: 1,
    Email: 'ann@gmx.test',
    BouncedAt: '2026-11-20T16:34:52Z',
    Details: 'smtp;550 5.1.1 The email account does not exist',
    Metadata: { emma: first },
  }),
  sparkpost: (first, second) => [
    {
      msys: {
        message_event: {
          type: 'bounce',
          event_id: 'sp1',
          rcpt_to: 'ann@gmx.test',
          rcpt_meta: { emma: first },
          bounce_class: '10',
          raw_reason: '550 5.1.1 The email account does not exist',
          timestamp: '1763700000',
        },
      },
    },
    {
      msys: {
        track_event: {
          type: 'open',
          event_id: 'sp2',
          rcpt_to: 'ben@gmx.test',
          rcpt_meta: { emma: second },
          ip_address: '192.0.2.7',
          timestamp: '1763700001',
        },
      },
    },
  ],
  brevo: first => ({
    event: 'hard_bounce',
    email: 'ann@gmx.test',
    id: 1,
    'message-id': '<1@smtp-relay.mailin.fr>',
    ts_event: 1_763_700_000,
    reason: '550 5.1.1 The email account does not exist',
    'X-Mailin-custom': first,
  }),
  mailjet: (first, second) => [
    {
      event: 'bounce',
      time: 1_763_700_000,
      MessageID: 1,
      email: 'ann@gmx.test',
      hard_bounce: true,
      error: 'user unknown',
      comment: '550 5.1.1 The email account does not exist',
      CustomID: first,
    },
    {
      event: 'open',
      time: 1_763_700_001,
      MessageID: 2,
      email: 'ben@gmx.test',
      ip: '192.0.2.7',
      CustomID: second,
    },
  ],
}

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

describe.each(['sendgrid', 'mailgun', 'postmark', 'sparkpost', 'brevo', 'mailjet'] as const)('%s', esp => {
  it('R221 records signed events once, and no others', async () => {
    const path = await addLogin(esp)
    const body = JSON.stringify(REPLAYS[esp](reference(1), reference(2)))
    expect((await post(path, body, {})).statusCode).toBe(esp === 'mailgun' ? 200 : 401)
    const answer = await post(path, body, signed(esp, body))
    expect(answer.statusCode).toBe(200)
    // A repeated call adds nothing.
    expect((await post(path, body, signed(esp, body))).json()).toEqual({ recorded: 0 })
    const bounce = {
      type: 'bounce',
      member_id: 1,
      campagne_id: campaignId,
      email: 'ann@gmx.test',
      smtp_code: 550,
      enhanced: '5.1.1',
      class: 'bad-mailbox',
      hard: true,
      source: 'esp',
    }
    const open = { type: 'open', member_id: 2, verdict: 'human', ip: '192.0.2.7' }
    const hasOpen = ['sendgrid', 'sparkpost', 'mailjet'].includes(esp)
    expect(await events()).toMatchObject(hasOpen ? [bounce, open] : [bounce])
  })

  it('rejects a wrong signature, another token and a login without a secret', async () => {
    const body = JSON.stringify(REPLAYS[esp](reference(1), reference(2)))
    const path = await addLogin(esp)
    expect((await post(path, body.replace('5.1.1', '5.1.2'), forged(esp))).statusCode).toBe(
      esp === 'mailgun' ? 200 : 401,
    )
    expect((await post(`/hook/${esp}/nobody`, body, signed(esp, body))).statusCode).toBe(404)
    await sql`update esp_login set webhook_secret = null`.execute(tenant.db)
    expect((await post(path, body, signed(esp, body))).statusCode).toBe(401)
    await sql`update esp_login set active = false`.execute(tenant.db)
    expect((await post(path, body, signed(esp, body))).statusCode).toBe(404)
  })
})

it('ignores events of messages of other clients or other senders', async () => {
  const path = await addLogin('brevo')
  const foreign = signToken(tokenKey, { kind: 'campaign', clientId: 999, campaignId, memberId: 1 }, 'return')
  for (const text of [verpAddress(foreign, 'x.test').split('@')[0] ?? '', 'b-forged', '']) {
    const body = JSON.stringify(REPLAYS.brevo(text, ''))
    expect((await post(path, body, signed('brevo', body))).json()).toEqual({ recorded: 0 })
  }
  expect(await events()).toEqual([])
})

it('prevents reusing a Mailgun token to sign other calls', async () => {
  const path = await addLogin('mailgun')
  const body = JSON.stringify(REPLAYS.mailgun(reference(1), ''))
  expect((await post(path, body, {})).json()).toEqual({ recorded: 1 })
  const changed = body.replace('"mg1"', '"mg2"').replace(reference(1), reference(2))
  expect((await post(path, changed, {})).json()).toEqual({ recorded: 0 })
  expect(await events()).toMatchObject([{ member_id: 1 }])
})

it.each(['mailgun', 'sendgrid'] as const)('rejects a call of %s that is a week old', async esp => {
  const path = await addLogin(esp)
  const old = String(NOW - 7 * 86_400)
  const token = 'a'
  const signature = createHmac('sha256', 'the-secret')
    .update(old + token)
    .digest('hex')
  const body = JSON.stringify({ signature: { timestamp: old, token, signature } })
  const headers = {
    'x-twilio-email-event-webhook-timestamp': old,
    'x-twilio-email-event-webhook-signature': sign(
      'sha256',
      Buffer.from(old + body),
      pair.privateKey,
    ).toString('base64'),
  }
  expect((await post(path, body, headers)).statusCode).toBe(401)
})

it('classifies opens and clicks reported by an ESP like its own', async () => {
  const path = await addLogin('sendgrid')
  const event = (memberId: number, more: object) => ({
    event: 'open',
    timestamp: NOW,
    sg_event_id: randomBytes(8).toString('hex'),
    emma: reference(memberId),
    ...more,
  })
  const body = JSON.stringify([
    event(1, { sg_machine_open: true, useragent: 'Mozilla/5.0 (Macintosh)' }),
    event(2, { event: 'click', useragent: 'Barracuda Sentinel', ip: '192.0.2.7' }),
    event(3, { useragent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)', ip: '66.249.84.1' }),
  ])
  await post(path, body, signed('sendgrid', body))
  expect(await events()).toMatchObject([
    { type: 'open', verdict: 'apple_mpp', verdict_reason: 'esp' },
    { type: 'click', verdict: 'scanner', verdict_reason: 'filter_agent/Barracuda' },
    { type: 'open', verdict: 'human', verdict_reason: 'image_proxy' },
  ])
})

it("requests Amazon's certificate once, and confirms the expected subscription", async () => {
  const path = await addLogin('ses')
  const tell = (id: string, memberId: number) =>
    sns({
      Type: 'Notification',
      MessageId: id,
      Message: JSON.stringify({
        eventType: 'Bounce',
        bounce: {
          bounceType: 'Permanent',
          bouncedRecipients: [{ emailAddress: 'x@gmx.test', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
          feedbackId: id,
        },
        mail: { messageId: id, tags: { emma: [reference(memberId)] } },
      }),
    })
  for (const call of [tell('m1', 1), tell('m2', 2), tell('m2', 2)])
    expect((await post(path, call, {})).statusCode).toBe(200)
  expect(await events()).toMatchObject([
    { type: 'bounce', member_id: 1, hard: true },
    { type: 'bounce', member_id: 2, hard: true },
  ])
  const SubscribeURL = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
  const confirm = { Type: 'SubscriptionConfirmation', MessageId: 'm3', Message: 'Confirm', Token: 't' }
  expect((await post(path, sns({ ...confirm, SubscribeURL }), {})).statusCode).toBe(200)
  const elsewhere = sns({ ...confirm, SubscribeURL: 'https://169.254.169.254/latest/meta-data' })
  expect((await post(path, elsewhere, {})).statusCode).toBe(401)
  expect(asked).toEqual([CERTIFICATE_URL, SubscribeURL])
})

it('applies an unsubscribe to the member', async () => {
  const path = await addLogin('brevo')
  const event = { event: 'unsubscribed', 'message-id': '<2@x>', ts_event: 1, 'X-Mailin-custom': reference(3) }
  const body = JSON.stringify(event)
  expect((await post(path, body, signed('brevo', body))).json()).toEqual({ recorded: 1 })
  expect(await events()).toMatchObject([{ type: 'unsubscribe', member_id: 3, source: 'esp' }])
})

it('answers invalid and oversized calls without failing', async () => {
  const path = await addLogin('brevo')
  for (const body of [
    '',
    '{',
    '[]',
    '[null,1,"x"]',
    '{"event":"__proto__"}',
    '{"event":{"a":1},"message-id":[]}',
  ])
    expect((await post(path, body, signed('brevo', body))).statusCode).toBe(200)
  expect((await post(path, 'x'.repeat(10 * 1024 ** 2 + 1), signed('brevo', ''))).statusCode).toBe(413)
})

it('R221 accepts 10 MB of events, and reads no body for an unknown webhook', async () => {
  const path = await addLogin('brevo')
  const event = { event: 'unsubscribed', 'message-id': '<3@x>', ts_event: 1, 'X-Mailin-custom': reference(3) }
  const filler = Array.from({ length: 9_000 }, () => ({ event: 'request', subject: 'x'.repeat(1_000) }))
  const body = JSON.stringify([...filler, event])
  expect(body.length).toBeGreaterThan(9_000_000)
  expect((await post(path, body, signed('brevo', body))).json()).toEqual({ recorded: 1 })
  const tooLarge = 'x'.repeat(10 * 1024 ** 2 + 1)
  expect((await post('/hook/brevo/nobody', tooLarge, signed('brevo', ''))).statusCode).toBe(404)
})

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:ses'
const CERTIFICATE_URL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem'

/** A call of SNS, signed as documented. */
function sns(said: Record<string, string>): string {
  const message: Record<string, string> = { ...said, TopicArn: TOPIC, Timestamp: new Date().toISOString() }
  const text = Object.keys(message)
    .toSorted()
    .map(name => `${name}\n${message[name]}\n`)
    .join('')
  const Signature = sign('sha256', Buffer.from(text), TEST_CERTIFICATE.key).toString('base64')
  return JSON.stringify({ ...message, Signature, SignatureVersion: '2', SigningCertURL: CERTIFICATE_URL })
}

async function addLogin(esp: WebhookEsp): Promise<string> {
  const secret = sealSecret(secretKey, secretOf(esp))
  const { rows } = await sql<{ hook_token: string }>`
    insert into esp_login (client_id, esp, name, webhook_secret) values (${tenant.clientId}, ${esp}, 'Main', ${secret})
    returning hook_token`.execute(tenant.db)
  return `/hook/${esp}/${rows[0]?.hook_token}`
}

function secretOf(esp: WebhookEsp): string {
  if (esp === 'sendgrid') return publicKey
  if (esp === 'mailgun') return 'the-secret'
  if (esp === 'ses') return TOPIC
  return esp === 'brevo' ? 'a-token' : 'user:password'
}

function signed(esp: WebhookEsp, body: string): Record<string, string> {
  if (esp === 'mailgun') return {}
  if (esp === 'brevo') return { authorization: 'Bearer a-token' }
  if (esp !== 'sendgrid') return { authorization: `Basic ${Buffer.from('user:password').toString('base64')}` }
  const timestamp = String(NOW)
  return {
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': sign(
      'sha256',
      Buffer.from(timestamp + body),
      pair.privateKey,
    ).toString('base64'),
  }
}

function forged(esp: WebhookEsp): Record<string, string> {
  return esp === 'sendgrid' ? signed(esp, 'another body') : { authorization: 'Basic dXNlcjp3cm9uZw==' }
}

function post(url: string, payload: string, headers: Record<string, string>) {
  return app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

function reference(memberId: number): string {
  const token = signToken(
    tokenKey,
    { kind: 'campaign', clientId: tenant.clientId, campaignId, memberId },
    'return',
  )
  return verpAddress(token, 'bounce.shop.example').split('@')[0] ?? ''
}

async function events() {
  const { rows } = await sql<Record<string, unknown>>`select * from event order by member_id`.execute(
    tenant.db,
  )
  return rows
}
