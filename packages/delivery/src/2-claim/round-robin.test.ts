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
    'gives tenants equal shares of claims of %j messages',
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

  it('gives equal shares if several limits leave one message over each', () => {
    const mails = deal(createRoundRobin(), [one, two], 50, () => [1, 1])
    expect([mails(one), mails(two)]).toEqual([50, 50])
  })

  it('does not compensate for time before arrival or during absence', () => {
    const order = createRoundRobin()
    deal(order, [one, two], 50, () => [3])
    const mails = deal(order, [one, two, three], 30, () => [1])
    expect([mails(one), mails(two), mails(three)]).toEqual([10, 10, 10])
    const later = deal(order, [two, three], 30, () => [1])
    expect([later(two), later(three)]).toEqual([15, 15])
  })
})

/** Distributes the tokens of each limit in each round, like claims. */
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
