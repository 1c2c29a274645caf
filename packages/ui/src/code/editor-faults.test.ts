import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { offsetOf } from './editor-faults.ts'

const state = EditorState.create({ doc: '<p>one</p>\n<b>two\n' })

test.each([
  [1, 1, 0],
  [1, 4, 3],
  [2, 1, 11],
  [2, 99, 17],
  [99, 1, 18],
  [0, 0, 0],
])('line %i, column %i is at %i', (line, column, offset) => {
  expect(offsetOf(state, { line, column })).toBe(offset)
})
