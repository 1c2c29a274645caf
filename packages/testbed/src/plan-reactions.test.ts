import { describe, expect, it } from 'vitest'
import { chooseFate } from './choose-fate.ts'
import { domainOf, indexProviders } from './find-provider.ts'
import { planReactions } from './plan-reactions.ts'
import { PROVIDER_PROFILES } from './provider-profiles.ts'

const findProvider = indexProviders(PROVIDER_PROFILES)

function plan(address: string, subject = 'Sale', folder: 'inbox' | 'spam' = 'inbox') {
  const provider = findProvider(domainOf(address))
  if (!provider) throw new Error('no provider')
  return planReactions(address, chooseFate(address, provider, 'seed'), { subject, folder }, 'seed')
}

const kinds = (address: string) => plan(address).map(({ kind }) => kind)

const openers = (subject: string) =>
  Array.from({ length: 500 }, (_, index) => plan(`m${index}@gmx.test`, subject).length > 0)

const agents = (domain: string, kind: string) =>
  new Set(
    Array.from({ length: 500 }, (_, index) => plan(`m${index}@${domain}`))
      .flat()
      .filter(reaction => reaction.kind === kind)
      .map(({ agent }) => agent),
  )

describe('planReactions', () => {
  it.each([
    ['ok-1@gmail.test', []],
    ['quiet-1@icloud.test', []],
    ['spam-1@gmail.test', []],
    ['open-1@gmail.test', ['open']],
    ['click-1@gmail.test', ['open', 'click']],
    ['scan-1@gmail.test', ['scan']],
    ['complain-1@gmail.test', ['open', 'complaint']],
    ['dsn-1@gmail.test', ['dsn']],
  ])('does for %s what the name says', (address, expected) => {
    expect(kinds(address)).toEqual(expected)
  })

  it('unsubscribes by either method', () => {
    const ways = new Set(Array.from({ length: 50 }, (_, index) => kinds(`unsub-${index}@gmx.test`).at(-1)))
    expect(ways).toEqual(new Set(['unsubscribe-post', 'unsubscribe-mail']))
  })

  it('plans the same for the same campaign, and other readers for another', () => {
    expect(openers('Sale')).toEqual(openers('Sale'))
    expect(openers('Sale')).not.toEqual(openers('News'))
  })

  it('leaves messages in the spam folder unread', () => {
    const reactions = Array.from({ length: 500 }, (_, index) => plan(`m${index}@gmx.test`, 'Sale', 'spam'))
    expect(reactions.flat().filter(({ kind }) => kind !== 'dsn')).toEqual([])
  })

  it('opens about as often as the profile says, and never too early', () => {
    const plans = Array.from({ length: 10_000 }, (_, index) => plan(`m${index}@gmx.test`))
    const opens = plans.flat().filter(({ kind }) => kind === 'open')
    expect(opens.length / plans.length).toBeGreaterThan(0.27)
    expect(opens.length / plans.length).toBeLessThan(0.32)
    expect(Math.min(...opens.map(({ delay }) => delay))).toBeGreaterThanOrEqual(120)
  })

  it("uses the provider's agents", () => {
    expect(agents('gmail.test', 'open')).toEqual(new Set(['google-proxy']))
    expect(agents('yahoo.test', 'open')).toEqual(new Set(['yahoo-proxy']))
    expect(agents('icloud.test', 'open')).toEqual(new Set(['apple-mpp']))
    expect(agents('example-shop.test', 'scan')).toEqual(new Set(['gateway-scanner', 'barracuda-scanner']))
    expect(agents('gmail.test', 'click').size).toBeGreaterThan(3)
  })
})
