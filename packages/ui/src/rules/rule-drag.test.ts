import type { RuleGroupType } from 'react-querybuilder'
import { describe, expect, test } from 'vitest'
import { mayMove, moveTo, pathOfLanding } from './rule-drag.ts'

const rule = (field: string) => ({ field, operator: '=', value: '' })
const query: RuleGroupType = {
  combinator: 'and',
  rules: [
    rule('a'),
    rule('b'),
    { combinator: 'or', rules: [rule('c'), rule('d')] },
    { combinator: 'or', disabled: true, rules: [rule('locked')] },
  ],
}
const names = (group: RuleGroupType): unknown[] =>
  group.rules.map(entry =>
    typeof entry === 'string' ? entry : 'rules' in entry ? names(entry) : entry.field,
  )

describe('dragging rules', () => {
  test('R283 drops before, after and inside', () => {
    expect(pathOfLanding(query, [1], 'before')).toEqual([1])
    expect(pathOfLanding(query, [1], 'after')).toEqual([2])
    expect(pathOfLanding(query, [2], 'inside')).toEqual([2, 2])
    expect(pathOfLanding(query, [], 'inside')).toEqual([4])
  })

  test('R283 a rule moves into a group, and a group before a rule', () => {
    const inside = moveTo(query, [0], [2, 1], 5)
    expect(inside).toMatchObject({
      rules: [{ field: 'b' }, { rules: [{ field: 'c' }, { field: 'a' }, { field: 'd' }] }, {}],
    })
    const first = moveTo(query, [2], [0], 5)
    expect(first).toMatchObject({
      rules: [{ rules: [{ field: 'c' }, { field: 'd' }] }, { field: 'a' }, { field: 'b' }, {}],
    })
  })

  test('R285 no group moves deeper than the limit', () => {
    expect(mayMove(query, [2], [3, 0], 1)).toBe(false)
    const open: RuleGroupType = { combinator: 'and', rules: [query, { combinator: 'or', rules: [] }] }
    expect(mayMove(open, [0], [1, 0], 2)).toBe(false)
    expect(mayMove(open, [0], [1, 0], 3)).toBe(true)
  })

  test('R286 nothing moves into or out of locked groups, or into itself', () => {
    expect(mayMove(query, [0], [3, 0], 9)).toBe(false)
    expect(mayMove(query, [3, 0], [0], 9)).toBe(false)
    expect(mayMove(query, [2], [2, 0], 9)).toBe(false)
    expect(names(query)).toEqual(['a', 'b', ['c', 'd'], ['locked']])
  })
})
