import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { array, assert, constantFrom, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { splitRows } from './split-rows.ts'

function split(text: string, delimiter = ',', size = text.length): string[][] {
  const rows: string[][] = []
  const splitter = splitRows(delimiter, cells => rows.push(cells))
  for (let at = 0; at < text.length; at += size) splitter.push(text.slice(at, at + size))
  splitter.end()
  return rows
}

const cell = string({
  unit: constantFrom('a', 'ü', '😀', ' ', '"', ',', ';', '\n', '\r', '\t', "'", '\\'),
  maxLength: 6,
})

test('reads what another CSV writer wrote, in chunks of any size', () => {
  assert(
    property(
      array(array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
      constantFrom(',', ';', '\t', '|'),
      constantFrom('\n' as const, '\r\n' as const),
      integer({ min: 1, max: 9 }),
      (rows, delimiter, recordDelimiter, size) => {
        const text = stringify(rows, { delimiter, record_delimiter: recordDelimiter, quoted_match: /[\r\n]/ })
        expect(split(text, delimiter, Math.min(size, text.length || 1))).toEqual(rows)
      },
    ),
    { numRuns: 300 },
  )
})

test('reads the same rows as another CSV parser', () => {
  const text = 'a,b,c\n1,,3\n"x ""y""","1,5",\n"two\nlines",z,"end"'
  expect(split(text)).toEqual(parse(text, { relax_column_count: true }))
})

test('skips blank lines, but not rows of empty cells', () => {
  expect(split('a,b\n\n\r\n,\nc,d\n')).toEqual([
    ['a', 'b'],
    ['', ''],
    ['c', 'd'],
  ])
})

test('a quote inside an unquoted cell is literal', () => {
  expect(split('5" pipe,x\n"closed"late,y\n')).toEqual([
    ['5" pipe', 'x'],
    ['closedlate', 'y'],
  ])
})

test('an unclosed quote fails after 1 MB with its line number', () => {
  const splitter = splitRows(',', () => {})
  splitter.push('a,b\n"never closed,')
  expect(() => {
    for (let megabyte = 0; megabyte < 3; megabyte++) splitter.push('x\n'.repeat(300_000))
  }).toThrow('Line 2 is longer than 1 MB')
})

test('reads a last row without a line end', () => {
  expect(split('a,b\nc,"d')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})
