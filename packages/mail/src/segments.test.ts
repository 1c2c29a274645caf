import { describe, expect, it } from 'vitest'
import { type MergeData, mergeConstants, renderSegments } from './segments.ts'

const slot = () => '<slot>'
const data: MergeData = { member: { firstname: 'Ada' }, campaign: {}, client: {}, token: 'T', pageToken: 'T' }

describe('segments', () => {
  it('renders constants and slots in order', () => {
    expect(renderSegments(['Hello ', d => String(d.member['firstname']), '!', d => d.token], data)).toBe(
      'Hello Ada!T',
    )
    expect(renderSegments([], data)).toBe('')
  })

  it('merges adjacent constants without changing the output', () => {
    const merged = mergeConstants(['', 'a', '', 'b', slot, slot, '', 'c'])
    expect(merged).toEqual(['ab', slot, slot, 'c'])
    expect(renderSegments(merged, data)).toBe('ab<slot><slot>c')
  })
})
