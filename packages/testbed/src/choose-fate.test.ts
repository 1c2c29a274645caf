import { describe, expect, it } from 'vitest'
import { chooseFate, draw } from './choose-fate.ts'
import { indexProviders } from './find-provider.ts'
import type { ProviderProfile } from './provider-profile.ts'
import { PROVIDER_PROFILES } from './provider-profiles.ts'

const findProvider = indexProviders(PROVIDER_PROFILES)

function provider(domain: string): ProviderProfile {
  const found = findProvider(domain)
  if (!found) throw new Error(`no provider for ${domain}`)
  return found
}

describe('chooseFate', () => {
  it.each([
    ['bounce-1@gmail.test', 'unknown'],
    ['FULL-x@gmail.test', 'full'],
    ['grey-1@gmail.test', 'greylist'],
    ['busy-1@gmail.test', 'defer'],
    ['reject-1@gmail.test', 'reject'],
    ['slow@gmail.test', 'slow'],
    ['drop-1@gmail.test', 'drop'],
    ['cut-1@gmail.test', 'cut'],
    ['dsn-1@gmail.test', 'dsn'],
    ['ok-1@gmail.test', 'accept'],
    ['complain-1@gmail.test', 'accept'],
  ])('treats %s as %s', (address, behaviour) => {
    expect(chooseFate(address, provider('gmail.test'), 'any').behaviour).toBe(behaviour)
  })

  it('matches a special word only as a whole', () => {
    expect(chooseFate('spammy-1@gmail.test', provider('gmail.test'), 'a').forced).toBeNull()
    expect(chooseFate('constructor-1@gmail.test', provider('gmail.test'), 'a').forced).toBeNull()
    expect(chooseFate('spam-1@gmail.test', provider('gmail.test'), 'a').folder).toBe('spam')
  })

  it('treats an address the same every time, and differently with another seed', () => {
    const fates = (seed: string) =>
      Array.from(
        { length: 2000 },
        (_, index) => chooseFate(`a${index}@flaky.test`, provider('flaky.test'), seed).behaviour,
      )
    expect(fates('one')).toEqual(fates('one'))
    expect(fates('one')).not.toEqual(fates('two'))
    expect(chooseFate('ANNA.K@flaky.test', provider('flaky.test'), 's')).toEqual(
      chooseFate('anna.k@flaky.test', provider('flaky.test'), 's'),
    )
  })

  it.each(PROVIDER_PROFILES.map(profile => [profile.name, profile] as const))(
    'follows the weights of %s',
    (_name, profile) => {
      const addresses = Array.from({ length: 50_000 }, (_, index) => `member${index}@${profile.domains[0]}`)
      const counts = new Map<string, number>()
      for (const address of addresses) {
        const { behaviour } = chooseFate(address, profile, 'seed')
        counts.set(behaviour, (counts.get(behaviour) ?? 0) + 1)
      }
      for (const [behaviour, weight] of Object.entries(profile.weights)) {
        const share = ((counts.get(behaviour) ?? 0) / addresses.length) * 1000
        // Four standard deviations of the count.
        expect({ behaviour, off: Math.abs(share - weight) > 4 * Math.sqrt(weight / 50) + 0.1 }).toEqual({
          behaviour,
          off: false,
        })
      }
    },
  )

  it('breaks connections only at the flaky provider', () => {
    const breaking = PROVIDER_PROFILES.filter(({ weights }) => weights.drop || weights.cut)
    expect(breaking.map(({ name }) => name)).toEqual(['Flaky'])
  })
})

describe('draw', () => {
  it('gives independent numbers for different purposes', () => {
    const pairs = Array.from({ length: 20_000 }, (_, index) => [
      draw(`m${index}@x.test`, 's', 'open'),
      draw(`m${index}@x.test`, 's', 'click'),
    ])
    const both = pairs.filter(([open = 1, click = 1]) => open < 0.3 && click < 0.3).length / pairs.length
    expect(both).toBeGreaterThan(0.08)
    expect(both).toBeLessThan(0.1)
  })
})

describe('indexProviders', () => {
  it('finds a domain in any form', () => {
    expect(findProvider('müller.test')?.name).toBe('Müller')
    expect(findProvider('xn--mller-kva.test')?.name).toBe('Müller')
    expect(findProvider('example.com')).toBeUndefined()
    expect(findProvider('')).toBeUndefined()
  })
})
