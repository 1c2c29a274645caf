import { describe, expect, it } from 'vitest'
import { mergeLines } from './merge-lines.ts'
import { changedFields, compareVersions, isSame, mergedValues } from './merge-versions.ts'

describe('compareVersions', () => {
  it('merges changes of one side and leaves those of both undecided', () => {
    const base = { name: 'A', type: 'bulk', limit: 5, note: null }
    const mine = { name: 'B', type: 'bulk', limit: 9, note: '' }
    const theirs = { name: 'C', type: 'test', limit: 5, note: null }
    expect(compareVersions(base, mine, theirs).differences).toEqual([
      { field: 'name', mine: 'B', theirs: 'C', choice: null },
      { field: 'type', mine: 'bulk', theirs: 'test', choice: 'theirs' },
      { field: 'limit', mine: 9, theirs: 5, choice: 'mine' },
    ])
  })

  it('reports no difference if both sides made the same change', () => {
    expect(compareVersions({ a: 1 }, { a: 2 }, { a: 2 }).differences).toEqual([])
  })
})

describe('a text merged by lines', () => {
  const merge = (base: string, mine: string, theirs: string) =>
    compareVersions(
      { body: base, name: '' },
      { body: mine, name: '' },
      { body: theirs, name: '' },
      { body: mergeLines },
    )
  const taken = (found: ReturnType<typeof merge>) => mergedValues({ body: '', name: '' }, found).body

  it('takes the changes of both sides, with every line end', () => {
    const found = merge('a\r\nb\nc\n\nd', 'a1\r\nb\nc\n\nd', 'a\r\nb\nc\n\nd1\n')
    expect(found.differences).toEqual([])
    expect(taken(found)).toBe('a1\r\nb\nc\n\nd1\n')
  })

  it('leaves places that both sides changed to the user', () => {
    const found = merge('a\nb\nc\nd\ne', 'a\nmine\nc\nd\nE', 'a\ntheirs\nmore\nc\nd\ne')
    expect(found.differences).toEqual([
      { field: 'body', place: { index: 1, line: 2 }, mine: 'mine', theirs: 'theirs\nmore', choice: null },
    ])
    const choose = (choice: 'mine' | 'theirs') =>
      taken({ ...found, differences: found.differences.map(one => ({ ...one, choice })) })
    expect(choose('mine')).toBe('a\nmine\nc\nd\nE')
    expect(choose('theirs')).toBe('a\ntheirs\nmore\nc\nd\nE')
  })

  it('keeps a line that one side removed and the other changed as a choice', () => {
    const found = merge('a\nb\nc', 'a\nc', 'a\nB\nc')
    expect(found.differences).toMatchObject([{ mine: '', theirs: 'B', choice: null }])
    expect(taken({ ...found, differences: found.differences.map(one => ({ ...one, choice: 'mine' })) })).toBe(
      'a\nc',
    )
  })

  it('compares whole fields if a text is too long to merge, or one side has none', () => {
    const long = 'x\n'.repeat(3_000)
    expect(merge(long, `${long}1`, `${long}2`).differences).toMatchObject([
      { mine: `${long}1`, choice: null },
    ])
    expect(mergeLines('a', 'b', 'a')).toEqual([{ lines: ['b'] }])
    expect(
      compareVersions({ body: 'a' }, { body: null }, { body: 'b' }, { body: mergeLines }).differences,
    ).toEqual([{ field: 'body', mine: null, theirs: 'b', choice: null }])
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
