import type { RuleGroup } from '@emma/contract/rules.ts'
import { expect, test } from 'vitest'
import { isComplete, storedQuery } from './segment-query.ts'

const opened: RuleGroup = {
  id: 'g',
  combinator: 'and',
  rules: [
    { id: 'a', field: 'city', operator: '=', value: 'Köln' },
    {
      id: 'b',
      field: 'opened',
      operator: '=',
      match: { mode: 'atLeast', threshold: 2 },
      value: { id: 'c', combinator: 'and', rules: [{ id: 'd', field: 'ts', operator: 'inLast', value: 30 }] },
    },
  ],
}

test('a query without rules is stored as null', () => {
  expect(storedQuery({ id: 'x', combinator: 'or', rules: [] })).toBeNull()
})

test('ids of the rule builder are removed at any depth', () => {
  expect(storedQuery(opened)).toEqual({
    combinator: 'and',
    rules: [
      { field: 'city', operator: '=', value: 'Köln' },
      {
        field: 'opened',
        operator: '=',
        match: { mode: 'atLeast', threshold: 2 },
        value: { combinator: 'and', rules: [{ field: 'ts', operator: 'inLast', value: 30 }] },
      },
    ],
  })
})

test.each<[string, RuleGroup['rules'][number], boolean]>([
  ['a rule with a value', { field: 'city', operator: '=', value: 'Köln' }, true],
  ['zero and false are values', { field: 'n', operator: '=', value: 0 }, true],
  ['an empty text', { field: 'city', operator: '=', value: '' }, false],
  ['a pair with one end', { field: 'n', operator: 'between', value: [1, ''] }, false],
  ['a list without entries', { field: 'n', operator: 'in', value: [] }, false],
  ['an operator without a value', { field: 'n', operator: 'null', value: '' }, true],
  ['a muted rule', { field: 'n', operator: '=', value: '', muted: true }, true],
  ['behavior without conditions', { field: 'opened', operator: '=', match: { mode: 'some' } }, true],
])('%s', (_, rule, complete) => {
  expect(isComplete({ combinator: 'and', rules: [rule] })).toBe(complete)
})
