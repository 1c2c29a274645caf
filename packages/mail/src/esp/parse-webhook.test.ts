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
])('Postmark calls much a bounce that is none: %s', (Type, types) => {
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
])('so does SparkPost: %s', (bounceClass, types) => {
  const event = { type: 'out_of_band', event_id: '1', bounce_class: bounceClass }
  expect(typesOf('sparkpost', [{ msys: { message_event: event } }])).toEqual(types)
})

it.each([
  ['abuse', ['complaint']],
  [undefined, ['complaint']],
  ['not-spam', []],
  ['auth-failure', []],
])('feedback of the kind %s through Amazon', (complaintFeedbackType, types) => {
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
  ['Spam Reporting Address', ['bounce']],
])('SendGrid dropped a mail: %s', (reason, types) => {
  expect(typesOf('sendgrid', [{ event: 'dropped', reason, sg_event_id: '1' }])).toEqual(types)
})

it('takes any JSON for what it is', () => {
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
