import { describe, expect, it } from 'vitest'
import { applyEdits } from './html-edits.ts'

describe('applyEdits', () => {
  it('changes only the given ranges', () => {
    expect(
      applyEdits('0123456789', [
        { start: 8, end: 9, text: 'X' },
        { start: 2, end: 4, text: '' },
        { start: 4, end: 4, text: 'a' },
        { start: 4, end: 4, text: 'b' },
        { start: 10, end: 10, text: '!' },
      ]),
    ).toBe('01ab4567X9!')
  })

  it('rejects overlapping edits', () => {
    expect(() =>
      applyEdits('0123', [
        { start: 0, end: 2, text: 'a' },
        { start: 1, end: 3, text: 'b' },
      ]),
    ).toThrow(RangeError)
  })
})
