import type { RuleGroup } from '@emma/contract/rules.ts'
import { describe, expect, test } from 'vitest'
import { differsInValues, noHistory, recordChange, sameQuery, stepBack, stepForth } from './query-history.ts'

const city = (value: string, id?: string): RuleGroup['rules'][number] => ({
  field: 'city',
  operator: '=',
  value,
  ...(id === undefined ? {} : { id }),
})
const group = (...rules: RuleGroup['rules']): RuleGroup => ({ combinator: 'and', rules })

describe('history of a query', () => {
  test('R283 undoes and redoes, and drops redo steps after a new change', () => {
    const [one, two, three] = [group(), group(city('a')), group(city('a'), city('b'))]
    let history = recordChange(noHistory, one, two, false)
    history = recordChange(history, two, three, false)
    const back = stepBack(history, three)
    expect(back?.query).toBe(two)
    if (!back) throw new Error('a step back')
    expect(stepForth(back.history, two)?.query).toBe(three)
    const changed = recordChange(back.history, two, group(city('c')), false)
    expect(changed.future).toEqual([])
    expect(stepBack(noHistory, one)).toBeNull()
  })

  test('R283 ids of the builder are not a change', () => {
    const marked = { ...group(city('a', 'r1')), id: 'g1' }
    expect(sameQuery(group(city('a')), marked)).toBe(true)
    expect(recordChange(noHistory, group(city('a')), marked, false)).toBe(noHistory)
  })

  test('R283 a word typed into one rule is one step', () => {
    const [start, b, be] = [group(city('')), group(city('B')), group(city('Be'))]
    expect(differsInValues(b, be)).toBe(true)
    expect(differsInValues(b, group(city('B'), city('')))).toBe(false)
    const history = recordChange(recordChange(noHistory, start, b, false), b, be, true)
    expect(stepBack(history, be)?.query).toBe(start)
  })

  test('R283 detects changes inside behavior rules', () => {
    const opened = (days: number): RuleGroup =>
      group({
        field: 'opened',
        operator: '=',
        match: { mode: 'some' },
        value: group({ field: 'ts', operator: 'inLast', value: days }),
      })
    expect(sameQuery(opened(30), opened(30))).toBe(true)
    expect(sameQuery(opened(30), opened(7))).toBe(false)
    expect(differsInValues(opened(30), opened(7))).toBe(true)
  })
})
