import { describe, expect, it } from 'vitest'
import { changedSelection, fixedFirst } from './changed-selection.ts'

const [a, b, c] = ['a', 'b', 'c'].map(value => ({ value, label: value.toUpperCase() }))
if (!a || !b || !c) throw new Error('three options')

describe('changedSelection', () => {
  it('R272 keeps fixed options, even when everything is cleared', () => {
    const change = changedSelection([a, b, c], [], { fixed: ['b'], defaults: ['b'] })
    expect(change.options).toEqual([b])
    expect(change.removedDefaults).toEqual([])
  })

  it('R271 returns the default options that would be removed', () => {
    const change = changedSelection([a, b, c], [c], { fixed: [], defaults: ['a', 'c'] })
    expect(change).toEqual({ options: [c], removedDefaults: [a] })
  })

  it('returns none when an option is added or an ordinary one removed', () => {
    expect(changedSelection([a], [a, b], { fixed: [], defaults: ['a'] }).removedDefaults).toEqual([])
    expect(changedSelection([a, b], [a], { fixed: [], defaults: ['a'] }).removedDefaults).toEqual([])
  })
})

describe('fixedFirst', () => {
  it('moves fixed options to the front and keeps the order otherwise', () => {
    expect(fixedFirst([a, b, c], ['c'])).toEqual([c, a, b])
  })
})
