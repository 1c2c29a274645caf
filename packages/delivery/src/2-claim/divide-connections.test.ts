import { array, assert, boolean, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConnectionUser, divideConnections, shareOf } from './divide-connections.ts'

describe('shareOf', () => {
  it('divides a limit over engines without remainder', () => {
    assert(
      property(integer({ min: 0, max: 1000 }), integer({ min: 1, max: 20 }), (cap, engines) => {
        const shares = Array.from({ length: engines }, (_, rank) => shareOf(cap, { rank, engines }))
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cap)
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('divideConnections', () => {
  const user = (name: string, isTransactional: boolean, ...caps: [string, number][]): ConnectionUser => ({
    name,
    isTransactional,
    caps: caps.map(([cap, connections]) => ({ name: cap, connections })),
  })

  it('reserves a fifth for transactional mail, and gives everything to a single user', () => {
    const both = [user('bulk', false, ['class', 10]), user('first', true, ['class', 10])]
    expect(Object.fromEntries(divideConnections(both))).toEqual({ bulk: 8, first: 2 })
    expect(divideConnections([user('first', true, ['class', 10])]).get('first')).toBe(10)
  })

  it('applies the lowest limit, including those shared by mail classes', () => {
    const users = [
      user('a', false, ['class a', 10], ['login', 5]),
      user('b', false, ['class b', 10], ['login', 4]),
      user('c', false, ['class c', 1]),
    ]
    expect(Object.fromEntries(divideConnections(users))).toEqual({ a: 2, b: 2, c: 1 })
  })

  it('never exceeds a limit, except a limit of one that transactional and bulk mail share', () => {
    assert(
      property(
        integer({ min: 0, max: 12 }),
        array(boolean(), { minLength: 1, maxLength: 8 }),
        (cap, kinds) => {
          const users = kinds.map((isFirst, index) => user(`${index}`, isFirst, ['class', cap]))
          const parts = [...divideConnections(users).values()]
          const isBoth = new Set(kinds).size === 2
          expect(parts.reduce((sum, part) => sum + part)).toBeLessThanOrEqual(cap === 1 && isBoth ? 2 : cap)
          expect(Math.max(...parts)).toBeGreaterThanOrEqual(Math.min(cap, 1))
        },
      ),
    )
  })

  it('divides zero into zero', () => {
    expect(divideConnections([user('a', false, ['class', 0])]).get('a')).toBe(0)
  })
})
