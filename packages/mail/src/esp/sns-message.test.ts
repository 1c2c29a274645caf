import { sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { TEST_CERTIFICATE } from '../test/certificate.ts'
import { parseWebhook } from './parse-webhook.ts'
import { readSns } from './sns-message.ts'

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:ses'
const BOUNCE = {
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: 'ann@gmx.test', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
    timestamp: '2026-11-20T12:00:00.000Z',
    feedbackId: '0100-f',
  },
  mail: { messageId: '0100-1', tags: { emma: ['b-abc'] } },
}

function message(more: Record<string, string> = {}) {
  const said: Record<string, string> = {
    Type: 'Notification',
    MessageId: 'm1',
    TopicArn: TOPIC,
    Message: JSON.stringify(BOUNCE),
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
    ...more,
  }
  const names =
    said.Type === 'Notification'
      ? ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names.map(name => `${name}\n${said[name]}\n`).join('')
  return { ...said, Signature: sign('sha256', Buffer.from(text), TEST_CERTIFICATE.key).toString('base64') }
}

function read(json: unknown) {
  return readSns(json, TOPIC, async () => TEST_CERTIFICATE.cert)
}

it('accepts a message signed by Amazon, and its bounce', async () => {
  const found = await read(message())
  expect(found).toEqual({ type: 'notification', message: BOUNCE })
  expect(parseWebhook('ses', BOUNCE)).toMatchObject([
    { id: '0100-f', type: 'bounce', reference: 'b-abc', hard: true, code: 550, enhanced: '5.1.1' },
  ])
})

it.each([
  ['a changed word', { ...message(), Message: '{}' }],
  ['another topic', message({ TopicArn: 'arn:aws:sns:eu-central-1:666:mine' })],
  [
    'a certificate of another host',
    message({ SigningCertURL: 'https://sns.eu-central-1.amazonaws.com.evil.test/a.pem' }),
  ],
  ['a certificate over http', message({ SigningCertURL: 'http://sns.eu-central-1.amazonaws.com/a.pem' })],
  [
    'a certificate at another path of Amazon',
    message({ SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/?a=/SimpleNotificationService-1.pem' }),
  ],
  [
    'a message that is a week old',
    message({ Timestamp: new Date(Date.now() - 7 * 86_400_000).toISOString() }),
  ],
  ['a message without a timestamp', message({ Timestamp: 'soon' })],
  ['the name of an Object.prototype property', { ...message(), Type: '__proto__' }],
  ['an unexpected type', { ...message(), Type: 'UnsubscribeConfirmation' }],
  ['an empty message', null],
])('refuses %s', async (_, json) => {
  expect(await read(json)).toBeNull()
})

it('confirms a subscription only at Amazon', async () => {
  const confirm = (host: string) =>
    message({
      Type: 'SubscriptionConfirmation',
      Token: 't',
      SubscribeURL: `https://${host}/?Action=ConfirmSubscription`,
    })
  expect(await read(confirm('sns.eu-central-1.amazonaws.com'))).toMatchObject({ type: 'confirm' })
  expect(await read(confirm('169.254.169.254'))).toBeNull()
})
