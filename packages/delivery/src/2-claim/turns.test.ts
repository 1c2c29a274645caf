import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTurns, type Sharers, type Turns } from './turns.ts'

const ONE = sharers('login', 1, 'a', 'b')
const STEP = 250

describe('lanes that share one connection', () => {
  it('have it in turns, the first that had it longest, and nobody before the last mail of another is through', () => {
    const { turns, pass, engine } = clock()
    expect(pass([sharers('login', 1, 'a')], 3)).toEqual([[], [], []])
    engine.open = new Set(['a'])
    engine.busy = new Set(['a', 'b'])
    expect(turns.take([ONE])).toEqual({ scarce: new Set(['login']), lanes: new Set(['a']) })
    expect(pass([ONE], 19).every(lanes => lanes.join('') === 'a')).toBe(true)
    expect(pass([ONE], 1)).toEqual([[]])
    engine.open.clear()
    engine.closing.add('a')
    expect(pass([ONE], 30).flat()).toEqual([])
    engine.closing.clear()
    expect(pass([ONE], 1)).toEqual([['b']])
    engine.open.add('b')
    expect(pass([ONE], 19).every(lanes => lanes.join('') === 'b')).toBe(true)
    expect(pass([ONE], 1)).toEqual([[]])
    engine.open.clear()
    expect(pass([ONE], 1)).toEqual([['a']])
  })

  it('leave it early when they have no mail, and keep it when nobody else wants it', () => {
    const { pass, engine } = clock()
    engine.busy = new Set(['b'])
    const had = pass([ONE], 200).flat()
    // Two seconds of every seven, and a step each for handing over.
    expect(had.filter(lane => lane === 'a').length).toBeLessThan(had.length / 3)
    expect(new Set(had)).toEqual(new Set(['a', 'b']))
    engine.open = new Set(['b'])
    const other = sharers('login', 0, 'a')
    expect(pass([sharers('login', 1, 'b'), { ...other, name: 'ip' }], 100).flat()).toEqual([])
  })

  it('wait for what is on its way of one that is not asked for any more', () => {
    const { turns, engine } = clock()
    engine.open = new Set(['a'])
    turns.take([sharers('login', 1, 'a')])
    engine.open.clear()
    engine.closing.add('a')
    expect(turns.take([sharers('login', 1, 'b')])).toEqual({ scarce: new Set(['login']), lanes: new Set() })
    engine.closing.clear()
    expect(turns.take([sharers('login', 1, 'b')]).scarce).toEqual(new Set())
  })

  it('all have their turn, however they share logins and IPs, and never more than there are', () => {
    const lane = constantFrom('a', 'b', 'c', 'd', 'e')
    const some = record({
      connections: integer({ min: 1, max: 3 }),
      lanes: array(lane, { minLength: 1, maxLength: 8 }),
    })
    assert(
      property(array(some, { minLength: 1, maxLength: 4 }), boolean(), (groups, isSlow) => {
        const all = groups.map(({ connections, lanes }, index) =>
          sharers(`${index}`, connections, ...new Set(lanes)),
        )
        const { turns, engine, step } = clock(isSlow ? 3 : 1)
        engine.busy = new Set(['a', 'b', 'c', 'd', 'e'])
        const had = new Set<string>()
        const { scarce } = turns.take(all)
        for (let round = 0; round < 600; round++) {
          const { lanes } = step(all)
          for (const one of lanes) had.add(one)
          for (const { name, connections, lanes: own } of all)
            if (scarce.has(name))
              expect(own.filter(one => engine.isInUse(one)).length).toBeLessThanOrEqual(connections)
        }
        for (const { name, lanes } of all)
          if (scarce.has(name)) for (const one of lanes) expect(had).toContain(one)
      }),
      { numRuns: 60 },
    )
  })
})

function sharers(name: string, connections: number, ...lanes: string[]): Sharers {
  return { name, connections, lanes }
}

/** An engine whose lanes take some steps to bring their last mails to an end. */
function clock(slow = 1) {
  let at = 0
  const engine = {
    open: new Set<string>(),
    closing: new Set<string>(),
    busy: new Set<string>(),
    isInUse: (lane: string) => engine.open.has(lane) || engine.closing.has(lane),
  }
  const until = new Map<string, number>()
  const turns: Turns = createTurns(
    {
      isOpen: lane => engine.open.has(lane),
      isClosing: lane => engine.closing.has(lane),
      isBusy: lane => engine.busy.has(lane),
    },
    () => at,
  )
  return {
    turns,
    engine,
    step,
    pass: (all: Sharers[], steps: number) => Array.from({ length: steps }, () => taken(all)),
  }

  function taken(all: Sharers[]): string[] {
    at += STEP
    return [...turns.take(all).lanes].toSorted()
  }

  /** As the engine does: who has no connection any more closes, and who has one opens it. */
  function step(all: Sharers[]) {
    at += STEP
    for (const [lane, end] of until) if (end <= at && until.delete(lane)) engine.closing.delete(lane)
    const now = turns.take(all)
    const shared = new Set(all.flatMap(one => (now.scarce.has(one.name) ? one.lanes : [])))
    for (const lane of engine.open)
      if (shared.has(lane) && !now.lanes.has(lane)) {
        engine.open.delete(lane)
        engine.closing.add(lane)
        until.set(lane, at + slow * STEP)
      }
    for (const lane of now.lanes) engine.open.add(lane)
    return now
  }
}
