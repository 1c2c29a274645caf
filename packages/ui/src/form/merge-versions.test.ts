import { describe, expect, it } from 'vitest'
import { changedFields, compareVersions, isSame } from './merge-versions.ts'

describe('compareVersions', () => {
  it('merges changes of one side and leaves those of both undecided', () => {
    const base = { name: 'A', type: 'bulk', limit: 5, note: null }
    const mine = { name: 'B', type: 'bulk', limit: 9, note: '' }
    const theirs = { name: 'C', type: 'test', limit: 5, note: null }
    expect(compareVersions(base, mine, theirs)).toEqual([
      { field: 'name', mine: 'B', theirs: 'C', choice: null },
      { field: 'type', mine: 'bulk', theirs: 'test', choice: 'theirs' },
      { field: 'limit', mine: 9, theirs: 5, choice: 'mine' },
    ])
  })

  it('reports no difference if both sides made the same change', () => {
    expect(compareVersions({ a: 1 }, { a: 2 }, { a: 2 })).toEqual([])
  })
})

describe('changedFields', () => {
  it('compares content, not identity', () => {
    const base = { tags: ['a', 'b'], query: { and: [1] }, name: 'x' }
    expect(changedFields(base, { tags: ['a', 'b'], query: { and: [1] }, name: 'x' })).toEqual({})
    expect(changedFields(base, { tags: ['b', 'a'], query: { and: [1] }, name: 'x' })).toEqual({
      tags: ['b', 'a'],
    })
  })
})

describe('isSame', () => {
  it('treats empty text as null, and nothing else', () => {
    expect([isSame('', null), isSame(undefined, ''), isSame(0, null), isSame(false, '')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('distinguishes arrays from objects and counts keys', () => {
    expect(isSame([], {})).toBe(false)
    expect(isSame({ a: 1 }, { a: 1, b: 2 })).toBe(false)
    expect(isSame({ b: 2, a: 1 }, { a: 1, b: 2 })).toBe(true)
  })
})
