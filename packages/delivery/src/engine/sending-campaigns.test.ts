import { expect, test } from 'vitest'
import type { Outcome } from '../model/outcome.ts'
import type { RunningCampaign } from './running-campaigns.ts'
import { SENDER_FAULT_LIMIT } from './sender-faults.ts'
import { SendingCampaigns } from './sending-campaigns.ts'

const campaign: RunningCampaign = {
  clientId: 1,
  campaignId: 2,
  domainId: 1,
  mailclassId: 1,
  espId: null,
  fromadr: 'news@sender.test',
  replyTo: '',
  memberTableId: 1,
  blacklistIds: [],
  resendUnknown: false,
  isTransactional: false,
  hasOwnHours: false,
  hasDue: true,
  isQuiet: false,
  poolDomains: [],
  error: null,
  buckets: [],
  routes: [],
}
const reply = { code: 550, enhanced: '5.7.1', text: '550 5.7.1 spam', class: 'spam', hard: false } as const
const refusal: Outcome = { kind: 'rejected', reply }
const returned: Outcome = { kind: 'returned', text: '' }

test('a campaign that receivers refuse is given out once, and nothing more of it begins', () => {
  const sending = new SendingCampaigns()
  sending.follow([campaign])
  const kinds = Array.from({ length: SENDER_FAULT_LIMIT + 3 }, () => sending.judge(refusal, campaign).kind)
  expect(kinds.lastIndexOf('rejected')).toBe(SENDER_FAULT_LIMIT - 2)
  expect(sending.find(campaign)).toBeNull()
  expect(sending.takeRefused()).toEqual([{ campaign, reply: reply.text }])
  expect(sending.takeRefused()).toEqual([])
})

test('until it is held, it stays refused, and what was on its way is returned', () => {
  const sending = new SendingCampaigns()
  sending.follow([campaign])
  for (let count = 0; count < SENDER_FAULT_LIMIT; count++) sending.judge(refusal, campaign)
  // It was still running when the campaigns were read.
  sending.follow([campaign])
  expect(sending.find(campaign)).toBeNull()
  expect(sending.judge(refusal, campaign)).toEqual(returned)
  expect(sending.takeRefused()).toHaveLength(1)
})

test('one that goes on after it was held is counted again', () => {
  const sending = new SendingCampaigns()
  sending.follow([campaign])
  for (let count = 0; count < SENDER_FAULT_LIMIT; count++) sending.judge(refusal, campaign)
  sending.takeRefused()
  sending.follow([])
  sending.follow([campaign])
  expect(sending.find(campaign)).toBe(campaign)
  expect(sending.judge(refusal, campaign).kind).toBe('rejected')
})
