import { expect, test } from 'vitest'
import { createWordCursors } from './create-word-cursors.ts'
import { eggWords } from './egg-words.ts'

function typed(text: string): string[] {
  const press = createWordCursors(eggWords)
  return text.split('').flatMap(key => press(key))
}

test.each(Object.entries(eggWords))('R322 %s is completed by %s, in either case', (name, word) => {
  expect(typed(word)).toEqual([name])
  expect(typed(word.toLowerCase())).toEqual([name])
})

test('R322 T24 a mismatch resets the cursor and does not count as a first letter', () => {
  expect(typed('QQUAKE')).toEqual([])
  expect(typed('QUAQUAKE')).toEqual([])
  expect(typed('QUAXQUAKE')).toEqual(['earthquake'])
})

test('R322 each word has its own cursor, which restarts after a match', () => {
  expect(typed('FLIPFLIP')).toEqual(['flip', 'flip'])
  expect(typed('CLICKROLL')).toEqual(['click', 'roll'])
  expect(typed('CCATCHPHRASE')).toEqual([])
})

test('R322 non-letter keys count as mismatches', () => {
  const press = createWordCursors(eggWords)
  const keys = ['F', 'L', 'Shift', 'I', 'P']
  expect(keys.flatMap(press)).toEqual([])
})
