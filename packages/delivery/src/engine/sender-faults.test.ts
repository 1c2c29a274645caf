import { classifyReply } from '@emma/mail/smtp/classify-reply.ts'
import { expect, test } from 'vitest'
import { refused } from '../4-deliver/esp/esp-api.ts'
import { keyOf } from '../model/campaign-key.ts'
import type { Outcome } from '../model/outcome.ts'
import { blameSender, SENDER_FAULT_LIMIT, SenderFaultCounter, senderFault } from './sender-faults.ts'

const campaign = { clientId: 1, campaignId: 2 }
const sent: Outcome = {
  kind: 'sent',
  reply: { code: 250, enhanced: null, text: 'OK', class: 'other', hard: false },
}

function rejected(text: string): Outcome {
  const code = Number(text.slice(0, 3))
  const enhanced = /^\d{3} (\d\.\d+\.\d+)/.exec(text)?.[1] ?? null
  const { class: reason, hard } = classifyReply({ code, enhanced, text, phase: 'rcpt' })
  return { kind: 'rejected', reply: { code, enhanced, text, class: reason, hard } }
}

test.each([
  ['550 5.7.26 This mail is unauthenticated: SPF and DKIM did not pass', true],
  ['550 5.7.1 Message contains spam or virus', true],
  ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using Spamhaus', true],
  ['550 5.7.1 Relaying denied', true],
  ['550 5.1.1 User unknown', false],
  ['552 5.2.2 Mailbox full', false],
  ['550 5.7.1 Recipient has refused mail from this sender', false],
])('%s: a fault of the sender? %s', (text, isFault) => {
  expect(senderFault(rejected(text)) !== null).toBe(isFault)
})

test('a sending service says whom it blames', () => {
  expect(senderFault(refused({ about: 'mail', text: 'Invalid sender' }))).not.toBeNull()
  expect(senderFault(refused({ about: 'policy', text: 'On the suppression list' }))).toBeNull()
  expect(senderFault(refused({ about: 'recipient', text: 'Invalid recipient' }))).toBeNull()
})

test('a fault of the sender is no hard bounce, and of a class that counts against nobody', () => {
  const reply = { code: null, enhanced: null, text: 'Invalid sender', class: 'other', hard: true } as const
  expect(blameSender({ kind: 'rejected', reply, isSenderFault: true })).toMatchObject({
    reply: { class: 'policy', hard: false },
  })
  const unknownUser = rejected('550 5.1.1 User unknown')
  expect(blameSender(unknownUser)).toEqual(unknownUser)
})

test('the limit is reached in a row alone: a delivery begins the count again, a bounce of a person does not', () => {
  const counter = new SenderFaultCounter()
  const fault = rejected('550 5.7.1 Message contains spam or virus')
  const faults = (count: number) => Array.from({ length: count }, () => counter.record(campaign, fault))
  expect(faults(SENDER_FAULT_LIMIT - 1)).not.toContain(true)
  expect(counter.record(campaign, sent)).toBe(false)
  expect(faults(SENDER_FAULT_LIMIT - 1)).not.toContain(true)
  expect(counter.record(campaign, rejected('550 5.1.1 User unknown'))).toBe(false)
  expect(counter.record({ ...campaign, campaignId: 3 }, fault)).toBe(false)
  expect(faults(2)).toEqual([true, true])
  // Held: what was on its way is answered afterwards.
  counter.keepOnly(new Set())
  expect(faults(1)).toEqual([true])
  counter.keepOnly(new Set([keyOf(campaign)]))
  expect(faults(1)).toEqual([false])
})
