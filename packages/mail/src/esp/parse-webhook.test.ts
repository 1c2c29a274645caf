import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseWebhook, webhookEsps } from './parse-webhook.ts'

const typesOf = (esp: (typeof webhookEsps)[number], body: unknown) =>
  parseWebhook(esp, body).map(({ type, hard }) => (hard ? `hard ${type}` : type))

it.each([
  ['HardBounce', ['hard bounce']],
  ['BadEmailAddress', ['hard bounce']],
  ['SoftBounce', ['bounce']],
  ['Transient', ['deferred']],
  ['DnsError', ['deferred']],
  ['AutoResponder', ['auto_reply']],
  ['Unsubscribe', ['unsubscribe']],
  ['Subscribe', []],
  ['ChallengeVerification', []],
  ['OpenRelayTest', []],
  ['__proto__', ['bounce']],
])('Postmark reports events as bounces that are none: %s', (Type, types) => {
  expect(typesOf('postmark', { RecordType: 'Bounce', Type, ID: 1 })).toEqual(types)
})

it.each([
  ['10', ['hard bounce']],
  ['30', ['hard bounce']],
  ['22', ['bounce']],
  ['60', ['auto_reply']],
  ['80', []],
  ['90', ['unsubscribe']],
  ['100', []],
])('SparkPost does the same: %s', (bounceClass, types) => {
  const event = { type: 'out_of_band', event_id: '1', bounce_class: bounceClass }
  expect(typesOf('sparkpost', [{ msys: { message_event: event } }])).toEqual(types)
})

it.each([
  ['abuse', ['complaint']],
  [undefined, ['complaint']],
  ['not-spam', []],
  ['auth-failure', []],
  ['opt-out', ['unsubscribe']],
])('Amazon SES feedback of type %s', (complaintFeedbackType, types) => {
  const message = {
    eventType: 'Complaint',
    complaint: {
      complaintFeedbackType,
      complainedRecipients: [{ emailAddress: 'a@b.test' }],
      feedbackId: '1',
    },
    mail: { tags: { emma: ['b-abc'] } },
  }
  expect(typesOf('ses', message)).toEqual(types)
})

it.each([
  ['Bounced Address', ['hard bounce']],
  ['Invalid', ['hard bounce']],
  ['Invalid SMTPAPI header', ['bounce']],
  ['Unsubscribed Address', ['unsubscribe']],
  ['Spam Reporting Address', ['unsubscribe']],
])('SendGrid dropped a mail: %s', (reason, types) => {
  expect(typesOf('sendgrid', [{ event: 'dropped', reason, sg_event_id: '1' }])).toEqual(types)
})

const UNINTELLIGIBLE = '550 5.0.0 Zork 7 qux'
const SPAM_BLOCK = '550 5.7.1 Our system has detected that this message is likely unsolicited mail.'
const NO_SUCH_USER = '550 5.1.1 The email account that you tried to reach does not exist.'

const hardBounce = {
  ses: (reply: string) => ({
    eventType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bouncedRecipients: [{ emailAddress: 'a@b.test', diagnosticCode: reply }],
    },
  }),
  mailgun: (reply: string) => ({
    'event-data': {
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      'delivery-status': { message: reply },
    },
  }),
  sendgrid: (reply: string) => [{ event: 'bounce', type: 'bounce', reason: reply }],
  postmark: (reply: string) => ({ RecordType: 'Bounce', Type: 'HardBounce', Details: reply }),
  sparkpost: (reply: string) => [
    { msys: { message_event: { type: 'bounce', bounce_class: '10', raw_reason: reply } } },
  ],
  brevo: (reply: string) => ({ event: 'hard_bounce', reason: reply }),
  mailjet: (reply: string) => ({ event: 'bounce', hard_bounce: true, comment: reply }),
}

it.each(webhookEsps)('%s: a hard bounce needs a reply about the address, or no reply', esp => {
  expect(typesOf(esp, hardBounce[esp](NO_SUCH_USER))).toEqual(['hard bounce'])
  expect(typesOf(esp, hardBounce[esp](''))).toEqual(['hard bounce'])
  expect(typesOf(esp, hardBounce[esp](SPAM_BLOCK))).toEqual(['bounce'])
})

it.each(webhookEsps)('%s: a hard bounce with an unclassified reply', esp => {
  // SparkPost's class 10 means "invalid recipient".
  const expected = esp === 'sparkpost' ? 'hard bounce' : 'bounce'
  expect(typesOf(esp, hardBounce[esp](UNINTELLIGIBLE))).toEqual([expected])
  expect(typesOf(esp, hardBounce[esp](`550 5.1.1 ${UNINTELLIGIBLE.slice(10)}`))).toEqual(['hard bounce'])
  expect(typesOf(esp, hardBounce[esp]('smtp; 550 5.0.0 <a@b.test>'))).toEqual(['hard bounce'])
})

it.each([
  ['postmark', { RecordType: 'Bounce', Type: 'BadEmailAddress', Details: '550 5.0.0 Zork 7 qux' }],
  ['brevo', { event: 'invalid_email', reason: '550 5.0.0 Zork 7 qux' }],
  [
    'sendgrid',
    [{ event: 'bounce', bounce_classification: 'Invalid Address', reason: '550 5.0.0 Zork 7 qux' }],
  ],
] as const)('%s: a category for invalid addresses does not need a classified reply', (esp, body) => {
  expect(typesOf(esp, body)).toEqual(['hard bounce'])
})

it.each([
  [true, ['unsubscribe']],
  [false, []],
  [undefined, []],
])('SES: a change of preferences unsubscribes only with unsubscribeAll (%s)', (unsubscribeAll, types) => {
  const subscription = { source: 'UnsubscribeHeader', newTopicPreferences: { unsubscribeAll } }
  expect(typesOf('ses', { eventType: 'Subscription', subscription })).toEqual(types)
})

it.each([
  ['bounce', ['hard bounce']],
  ['blocked', ['bounce']],
  ['expired', ['bounce']],
])('SendGrid: a bounce of type %s', (type, types) => {
  expect(typesOf('sendgrid', [{ event: 'bounce', type, sg_event_id: '1' }])).toEqual(types)
})

it.each([
  ['complaint', ['complaint']],
  ['spam', ['complaint']],
  ['opened', ['open']],
  ['unique_opened', ['open']],
  ['proxy_open', ['open']],
  ['unique_proxy_open', ['open']],
])('Brevo: %s', (event, types) => {
  expect(typesOf('brevo', { event, 'message-id': '<1@x>' })).toEqual(types)
})

it('Brevo: an open reported under two names counts once, and one through a proxy is Apple’s', () => {
  const open = { 'message-id': '<1@x>', ts_event: 1_790_000_000 }
  const [first, unique, proxy] = parseWebhook('brevo', [
    { ...open, event: 'opened' },
    { ...open, event: 'unique_opened' },
    { ...open, event: 'unique_proxy_open', ts_event: 1_790_000_001 },
  ])
  expect(unique?.id).toBe(first?.id)
  expect(proxy?.id).not.toBe(first?.id)
  expect([first, unique, proxy].map(event => event?.isAppleProxy)).toEqual([false, false, true])
})

it('Mailjet: greylisting is a deferral', () => {
  const greylisted = { event: 'bounce', error: 'greylisted', hard_bounce: false }
  expect(typesOf('mailjet', greylisted)).toEqual(['deferred'])
  expect(typesOf('mailjet', { ...greylisted, event: 'blocked' })).toEqual(['deferred'])
  expect(typesOf('mailjet', { ...greylisted, error: 'spam reporter' })).toEqual(['bounce'])
})

it('SparkPost: a message that could not be generated has failed', () => {
  const event = { type: 'generation_failure', event_id: '1', raw_reason: 'Error while rendering part html' }
  expect(typesOf('sparkpost', [{ msys: { gen_event: event } }])).toEqual(['bounce'])
})

it('accepts any JSON', () => {
  const names = [
    'event',
    'Type',
    'RecordType',
    'msys',
    'event-data',
    'eventType',
    'mail',
    'bounce',
    'reason',
    'timestamp',
  ]
  const words = [
    'bounce',
    'Bounce',
    'failed',
    'open',
    'click',
    '__proto__',
    'constructor',
    'toString',
    '\0',
    '\ud800',
  ]
  const value = fc.letrec(tie => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...words, null, true, 0, -1, 1e300, Number.NaN),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 4 }),
    ),
  })).any
  fc.assert(
    fc.property(fc.constantFrom(...webhookEsps), value, (esp, body) => {
      for (const event of parseWebhook(esp, body)) {
        expect(event.at.getTime()).toBeLessThanOrEqual(Date.now())
        expect([null, 'number']).toContain(event.code === null ? null : typeof event.code)
        expect(typeof event.id).toBe('string')
      }
    }),
    { numRuns: 2_000 },
  )
})
