import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { makeWebhookSecret, signWebhook } from './webhook-secret.ts'

const body = JSON.stringify({ type: 'events', data: [{ type: 'mail.opened', name: 'Jürgen 📨' }] })

function headers(secrets: string[], sent = body, seconds = Math.floor(Date.now() / 1000)) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secrets, 'msg_1', seconds, sent),
  }
}

test('the Standard Webhooks library accepts the signature and rejects another body, secret or time', () => {
  const secret = makeWebhookSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const receiver = new Webhook(secret)
  expect(receiver.verify(body, headers([secret]))).toEqual(JSON.parse(body))
  expect(() => receiver.verify(`${body} `, headers([secret]))).toThrow('No matching signature')
  expect(() => receiver.verify(body, headers([makeWebhookSecret()]))).toThrow('No matching signature')
  expect(() => receiver.verify(body, headers([secret], body, 1_000))).toThrow('timestamp')
})

test('after a rotation the signature is valid for either secret', () => {
  const [before, after] = [makeWebhookSecret(), makeWebhookSecret()]
  const sent = headers([after, before])
  expect(new Webhook(before).verify(body, sent)).toBeTruthy()
  expect(new Webhook(after).verify(body, sent)).toBeTruthy()
})
