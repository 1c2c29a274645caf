import { describe, expect, it } from 'vitest'
import type { CampaignKey } from '../model/campaign-key.ts'
import { divideSlots } from './divide-slots.ts'
import { createRoundRobin, type RoundRobin } from './round-robin.ts'

const one = { clientId: 1, campaignId: 11 }
const two = { clientId: 2, campaignId: 21 }
const three = { clientId: 3, campaignId: 31 }
const more = { clientId: 1, campaignId: 12 }

describe('a line', () => {
  it.each([[[1]], [[3]], [[3, 2]], [[2, 3, 3]], [[5, 4, 7]]])(
    'gives tenants equal parts of claims of %j mails',
    sizes => {
      const order = createRoundRobin()
      const mails = deal(order, [one, more, two, three], 60 * sizes.length, round => [
        sizes[round % sizes.length] ?? 0,
      ])
      const ofTenants = [mails(one) + mails(more), mails(two), mails(three)]
      expect(Math.max(...ofTenants) - Math.min(...ofTenants)).toBeLessThan(4)
      expect(Math.abs(mails(one) - mails(more))).toBeLessThan(4)
    },
  )

  it('gives equal parts where several limits leave one mail over each', () => {
    const mails = deal(createRoundRobin(), [one, two], 50, () => [1, 1])
    expect([mails(one), mails(two)]).toEqual([50, 50])
  })

  it('owes nothing to who comes later, and nothing to who was away', () => {
    const order = createRoundRobin()
    deal(order, [one, two], 50, () => [3])
    const mails = deal(order, [one, two, three], 30, () => [1])
    expect([mails(one), mails(two), mails(three)]).toEqual([10, 10, 10])
    const later = deal(order, [two, three], 30, () => [1])
    expect([later(two), later(three)]).toEqual([15, 15])
  })
})

/** Deals what each limit holds in each round, as claims do. */
function deal(
  order: RoundRobin,
  campaigns: CampaignKey[],
  rounds: number,
  limits: (round: number) => number[],
) {
  const mails = new Map(campaigns.map(campaign => [campaign.campaignId, 0]))
  for (let round = 0; round < rounds; round++) {
    const demands = order.order(campaigns).map(campaign => ({ ...campaign, room: 100 }))
    const parts = limits(round).map(free => divideSlots(free, demands))
    const served = demands.map((campaign, index) => ({
      ...campaign,
      mails: parts.reduce((sum, part) => sum + (part[index] ?? 0), 0),
    }))
    order.record(served)
    for (const { campaignId, mails: more } of served)
      mails.set(campaignId, (mails.get(campaignId) ?? 0) + more)
  }
  return (campaign: CampaignKey) => mails.get(campaign.campaignId) ?? 0
}
