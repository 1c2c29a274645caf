import { expect, test } from 'vitest'
import { fileColumns, suggestColumn, toKept, toShown } from './file-columns.ts'

const header = ['email', 'Name', '', 'Name', 'Name (2)']
const sample = [
  ['a@example.com', 'Ann', 'x', 'Abt', ''],
  ['b@example.com', '', 'y', 'Bo', ''],
]

const suggest = (name: string) => suggestColumn(name, undefined)

test('columns with the same or no header get unique names', () => {
  const names = fileColumns(header, sample).map(column => column.name)
  expect(names).toEqual(['email', 'Name', '#3', 'Name (2)', 'Name (2) (2)'])
  expect(new Set(names).size).toBe(header.length)
})

test('samples omit empty cells', () => {
  expect(fileColumns(header, sample)[1]?.samples).toEqual(['Ann'])
})

test('a mapping is converted by index and back', () => {
  const columns = fileColumns(header, sample)
  const kept = [
    { index: 0, column: 'email' },
    { index: 1, column: null },
    { index: 2, column: null },
    { index: 3, column: 'lastname' },
    { index: 4, column: null },
  ]
  expect(toShown(kept, columns)['Name (2)']).toBe('lastname')
  expect(toKept(toShown(kept, columns), columns, {}, suggest)).toEqual(kept)
})

test('a new column is named by its header and converted back', () => {
  const columns = fileColumns(['Mail', 'Kunde seit (Größe)'], [])
  const format = { data_type: 'date', date_order: null, decimal_sign: null } as const
  expect(suggestColumn('Kunde seit (Größe)', format)).toEqual({
    column_name: 'kunde_seit_groesse',
    label: 'Kunde seit (Größe)',
    data_type: 'date',
  })
  const kept = [
    { index: 0, column: 'email' },
    { index: 1, column: 'since', new_column: { label: 'Since', data_type: 'date' as const } },
  ]
  const shown = toShown(kept, columns)
  expect(shown).toEqual({ Mail: 'email', 'Kunde seit (Größe)': '+' })
  const asked = () => ({ column_name: 'since', label: 'Since', data_type: 'date' as const })
  expect(toKept(shown, columns, {}, asked)).toEqual(kept)
})

test('columns without a mapping on the server are omitted', () => {
  const columns = fileColumns(['a', 'b'], [])
  expect(toShown([{ index: 1, column: 'email' }], columns)).toEqual({ a: null, b: 'email' })
})
