import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeSlices, type SharedLimit, type ConnectionTimeSlices } from './connection-time-slices.ts'

const ONE = sharers('login', 1, 'a', 'b')
const STEP = 250

describe('pools that share one connection', () => {
  it("take turns, longest wait first, and never before the other's last message has finished", () => {
    const { timeSlices, pass, engine } = clock()
    expect(pass([sharers('login', 1, 'a')], 3)).toEqual([[], [], []])
    engine.open = new Set(['a'])
    engine.busy = new Set(['a', 'b'])
    expect(timeSlices.take([ONE])).toEqual({ oversubscribed: new Set(['login']), pools: new Set(['a']) })
    expect(pass([ONE], 19).every(pools => pools.join('') === 'a')).toBe(true)
    expect(pass([ONE], 1)).toEqual([[]])
    engine.open.clear()
    engine.closing.add('a')
    expect(pass([ONE], 30).flat()).toEqual([])
    engine.closing.clear()
    expect(pass([ONE], 1)).toEqual([['b']])
    engine.open.add('b')
    expect(pass([ONE], 19).every(pools => pools.join('') === 'b')).toBe(true)
    expect(pass([ONE], 1)).toEqual([[]])
    engine.open.clear()
    expect(pass([ONE], 1)).toEqual([['a']])
  })

  it('yield early without messages, and continue if no other pool waits', () => {
    const { pass, engine } = clock()
    engine.busy = new Set(['b'])
    const had = pass([ONE], 200).flat()
    // Two seconds of every seven, and one step per handover.
    expect(had.filter(pool => pool === 'a').length).toBeLessThan(had.length / 3)
    expect(new Set(had)).toEqual(new Set(['a', 'b']))
    engine.open = new Set(['b'])
    const other = sharers('login', 0, 'a')
    expect(pass([sharers('login', 1, 'b'), { ...other, name: 'ip' }], 100).flat()).toEqual([])
  })

  it('wait for messages in flight of a pool that is no longer requested', () => {
    const { timeSlices, engine } = clock()
    engine.open = new Set(['a'])
    timeSlices.take([sharers('login', 1, 'a')])
    engine.open.clear()
    engine.closing.add('a')
    expect(timeSlices.take([sharers('login', 1, 'b')])).toEqual({
      oversubscribed: new Set(['login']),
      pools: new Set(),
    })
    engine.closing.clear()
    expect(timeSlices.take([sharers('login', 1, 'b')]).oversubscribed).toEqual(new Set())
  })

  it('all get their turn, however they share logins and IPs, and never exceed the limit', () => {
    const pool = constantFrom('a', 'b', 'c', 'd', 'e')
    const some = record({
      connections: integer({ min: 1, max: 3 }),
      pools: array(pool, { minLength: 1, maxLength: 8 }),
    })
    assert(
      property(array(some, { minLength: 1, maxLength: 4 }), boolean(), (groups, isSlow) => {
        const all = groups.map(({ connections, pools }, index) =>
          sharers(`${index}`, connections, ...new Set(pools)),
        )
        const { timeSlices, engine, step } = clock(isSlow ? 3 : 1)
        engine.busy = new Set(['a', 'b', 'c', 'd', 'e'])
        const had = new Set<string>()
        const { oversubscribed } = timeSlices.take(all)
        for (let round = 0; round < 600; round++) {
          const { pools } = step(all)
          for (const one of pools) had.add(one)
          for (const { name, connections, pools: own } of all)
            if (oversubscribed.has(name))
              expect(own.filter(one => engine.isInUse(one)).length).toBeLessThanOrEqual(connections)
        }
        for (const { name, pools } of all)
          if (oversubscribed.has(name)) for (const one of pools) expect(had).toContain(one)
      }),
      { numRuns: 60 },
    )
  })
})

function sharers(name: string, connections: number, ...pools: string[]): SharedLimit {
  return { name, connections, pools }
}

/** Simulates an engine whose pools need some steps to finish their last messages. */
function clock(slow = 1) {
  let at = 0
  const engine = {
    open: new Set<string>(),
    closing: new Set<string>(),
    busy: new Set<string>(),
    isInUse: (pool: string) => engine.open.has(pool) || engine.closing.has(pool),
  }
  const until = new Map<string, number>()
  const timeSlices: ConnectionTimeSlices = createTimeSlices(
    {
      isOpen: pool => engine.open.has(pool),
      isClosing: pool => engine.closing.has(pool),
      isBusy: pool => engine.busy.has(pool),
    },
    () => at,
  )
  return {
    timeSlices,
    engine,
    step,
    pass: (all: SharedLimit[], steps: number) => Array.from({ length: steps }, () => taken(all)),
  }

  function taken(all: SharedLimit[]): string[] {
    at += STEP
    return [...timeSlices.take(all).pools].toSorted()
  }

  /** Like the engine: pools without a connection close, pools with one open it. */
  function step(all: SharedLimit[]) {
    at += STEP
    for (const [pool, end] of until) if (end <= at && until.delete(pool)) engine.closing.delete(pool)
    const now = timeSlices.take(all)
    const shared = new Set(all.flatMap(one => (now.oversubscribed.has(one.name) ? one.pools : [])))
    for (const pool of engine.open)
      if (shared.has(pool) && !now.pools.has(pool)) {
        engine.open.delete(pool)
        engine.closing.add(pool)
        until.set(pool, at + slow * STEP)
      }
    for (const pool of now.pools) engine.open.add(pool)
    return now
  }
}
