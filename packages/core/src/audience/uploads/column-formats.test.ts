import { expect, test } from 'vitest'
import { valueReader } from '../members/member-values.ts'
import { decimalReader, integerReader } from '../members/read-number.ts'
import { dateReader, timeReader } from '../members/read-date.ts'
import { countFormats } from './column-formats.ts'

function formatsOf(rows: string[][]) {
  const counter = countFormats(rows[0]?.length ?? 0)
  for (const row of rows) counter.add(row)
  return counter.formats()
}
const column = (cells: string[]) => formatsOf(cells.map(cell => [cell]))[0]

test.for<[string[], string | null]>([
  [['01/02/2026', '25/12/2026', ''], 'dmy'],
  [['01/02/2026', '12/25/2026'], 'mdy'],
  [['01/02/2026', '03-04-2026'], 'unclear'],
  [['13/01/2026', '01/13/2026', '01/02/2026'], 'unclear'],
  [['01.02.2026', '2026-12-31'], null],
  [['01/02/2026 18:30', '2/25/2026 09:00'], 'mdy'],
  [['99/99/2026', 'text', '25/12/2026'], null],
])('dates %j have the order %s', ([cells, order]) => {
  expect(column(cells)?.date_order).toBe(order)
})

test.for<[string[], string | null]>([
  [['1,234', '1,234.50', '7'], '.'],
  [['1.234', '1.234,50'], ','],
  [['1.234', '12,5'], ','],
  [['1,234', '0.75'], '.'],
  [['1.234', '2.345'], 'unclear'],
  [['12', '-345'], null],
  [['1.234.567'], ','],
  [['12345 Berlin', 'Köln', '1,5'], null],
])('numbers %j have the decimal separator %s', ([cells, sign]) => {
  expect(column(cells)?.decimal_sign).toBe(sign)
})

test.for<[string[], string]>([
  [['12', '-345', ''], 'int'],
  [['12', '1.5'], 'decimal'],
  [['ja', 'nein'], 'bool'],
  [['1', '0'], 'bool'],
  [['1', '2'], 'int'],
  [['2026-12-31', '01.02.2026'], 'date'],
  [['2026-12-31', '2026-12-31 18:30'], 'datetime'],
  [['01069', '10115'], 'string'],
  [['+49301234567'], 'string'],
  [['12', 'Köln'], 'string'],
  [['two\nlines'], 'text'],
  [['', ''], 'string'],
])('cells %j fit a column of %s', ([cells, type]) => {
  expect(column(cells)?.data_type).toBe(type)
})

test('an unclear column takes the format of the others when they agree', () => {
  expect(formatsOf([['01/02/2026', '12/25/2026', '1,234', '0.5']])).toEqual([
    { data_type: 'date', date_order: 'mdy', decimal_sign: null },
    { data_type: 'date', date_order: 'mdy', decimal_sign: null },
    { data_type: 'decimal', date_order: null, decimal_sign: '.' },
    { data_type: 'decimal', date_order: null, decimal_sign: '.' },
  ])
  expect(formatsOf([['01/02/2026', '12/25/2026', '25/12/2026']])[0]).toMatchObject({ date_order: 'unclear' })
})

test('each column has one decimal separator: 1,234 is never read in two ways', () => {
  const [point, comma, unclear] = [decimalReader('.'), decimalReader(','), decimalReader('unclear')]
  expect(['1,234', '1,234.50', '12.5', '7'].map(text => point(text))).toEqual([
    '1234',
    '1234.50',
    '12.5',
    '7',
  ])
  expect(['1.234', '1.234,50', '12,5', '7'].map(text => comma(text))).toEqual([
    '1234',
    '1234.50',
    '12.5',
    '7',
  ])
  expect(point('12,5')).toMatchObject({ message: 'is not a number' })
  expect(comma('12.5')).toMatchObject({ message: 'is not a number' })
  expect(unclear('1.234')).toMatchObject({ message: expect.stringContaining('two numbers') })
  expect(['12,5', '0.123', '1.234,5'].map(text => unclear(text))).toEqual(['12.5', '0.123', '1234.5'])
  expect(integerReader('.')('1,234')).toBe('1234')
  expect(integerReader('unclear')('1,234')).toMatchObject({ message: 'is not a whole number' })
})

test('a single API value has a decimal point and is rejected when ambiguous', () => {
  const read = valueReader({ ...anyColumn, data_type: 'decimal' })
  expect(read('1.234')).toBe('1.234')
  expect(read('1,234')).toMatchObject({ message: expect.stringContaining('two numbers') })
  const day = valueReader({ ...anyColumn, data_type: 'date' })
  expect(day('01/02/2026')).toMatchObject({ message: expect.stringContaining('two dates') })
  expect([day('31/12/2026'), day('01/01/2026'), day('01.02.2026')]).toEqual([
    '2026-12-31',
    '2026-01-01',
    '2026-02-01',
  ])
  expect(valueReader({ ...anyColumn, data_type: 'datetime' })('2026-12-31 18:30')).toBe(
    '2026-12-31T18:30:00Z',
  )
})

const anyColumn = {
  column_name: 'any',
  label: 'Any',
  data_type: 'string' as const,
  length: null,
  options: [],
  is_key: false,
  nullable: true,
  is_filterable: true,
  is_pii: false,
  topic: null,
  is_fixed: false,
  position: 0,
}

test('dates follow the order of their column, local times keep no offset', () => {
  expect([dateReader('mdy')('01/02/2026'), dateReader('dmy')('01/02/2026')]).toEqual([
    '2026-01-02',
    '2026-02-01',
  ])
  expect(dateReader('mdy')('25/12/2026')).toMatchObject({ message: expect.stringContaining('is not a date') })
  const local = timeReader({ dateOrder: 'mdy', decimalSign: '.', isLocalTime: true }, '24:00:00')
  expect(['12/31/2026', '12/31/2026 8:30', '2026-12-31T08:30Z'].map(text => local(text))).toEqual([
    '2026-12-31T24:00:00',
    '2026-12-31T08:30:00',
    '2026-12-31T08:30:00Z',
  ])
})
