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

it('reads what Amazon signed, and its bounce', async () => {
  const found = await read(message())
  expect(found).toEqual({ type: 'notification', message: BOUNCE })
  expect(parseWebhook('ses', BOUNCE)).toMatchObject([
    { id: '0100-f', type: 'bounce', reference: 'b-abc', hard: true, code: 550, enhanced: '5.1.1' },
  ])
})

it.each([
  ['a word changed', { ...message(), Message: '{}' }],
  ['another topic', message({ TopicArn: 'arn:aws:sns:eu-central-1:666:mine' })],
  [
    'a certificate from elsewhere',
    message({ SigningCertURL: 'https://sns.eu-central-1.amazonaws.com.evil.test/a.pem' }),
  ],
  ['a certificate over http', message({ SigningCertURL: 'http://sns.eu-central-1.amazonaws.com/a.pem' })],
  [
    'a certificate at another path of Amazon’s',
    message({ SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/?a=/SimpleNotificationService-1.pem' }),
  ],
  ['a message of last week', message({ Timestamp: new Date(Date.now() - 7 * 86_400_000).toISOString() })],
  ['a message without a time', message({ Timestamp: 'soon' })],
  ['the name of a thing every object has', { ...message(), Type: '__proto__' }],
  ['a kind that nobody asked for', { ...message(), Type: 'UnsubscribeConfirmation' }],
  ['nothing at all', null],
])('refuses %s', async (_, json) => {
  expect(await read(json)).toBeNull()
})

it('confirms a subscription at Amazon alone', async () => {
  const confirm = (host: string) =>
    message({
      Type: 'SubscriptionConfirmation',
      Token: 't',
      SubscribeURL: `https://${host}/?Action=ConfirmSubscription`,
    })
  expect(await read(confirm('sns.eu-central-1.amazonaws.com'))).toMatchObject({ type: 'confirm' })
  expect(await read(confirm('169.254.169.254'))).toBeNull()
})
