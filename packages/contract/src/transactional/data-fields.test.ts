import { describe, expect, test } from 'vitest'
import { type DataField, dataFields, dataSchema, exampleData } from './data-fields.ts'

const field = (name: string, type: DataField['type'], more: Partial<DataField> = {}): DataField => ({
  name,
  type,
  required: true,
  example: null,
  fields: [],
  ...more,
})

const order = [
  field('number', 'text', { example: 'A-1001' }),
  field('total', 'number', { example: '19.9' }),
  field('gift', 'boolean', { required: false }),
  field('placed', 'date'),
  field('invoice', 'url'),
  field('customer', 'object', { fields: [field('name', 'text')] }),
  field('items', 'list', { fields: [field('title', 'text'), field('price', 'number')] }),
  field('tags', 'list'),
]

test('the example of the fields fits their schema', () => {
  expect(exampleData(order)).toEqual({
    number: 'A-1001',
    total: 19.9,
    gift: true,
    placed: '2026-12-31',
    invoice: 'https://example.com/',
    customer: { name: 'name' },
    items: [{ title: 'title', price: 42 }],
    tags: ['tags'],
  })
  expect(dataSchema(order).safeParse(exampleData(order)).success).toBe(true)
})

describe('each faulty value is named', () => {
  const good = exampleData(order)
  test.each([
    ['a missing field', { ...good, number: undefined }, 'number'],
    ['a text instead of a number', { ...good, total: '19.90' }, 'total'],
    ['no date', { ...good, placed: '31.12.2026' }, 'placed'],
    ['a script as URL', { ...good, invoice: 'javascript:alert(1)' }, 'invoice'],
    ['a field of an object', { ...good, customer: { name: 7 } }, 'customer.name'],
    [
      'a field of an item',
      { ...good, items: [{ title: 'Tea', price: 3 }, { title: 'Cup' }] },
      'items.1.price',
    ],
    ['a misspelled field', { ...good, totl: 3 }, ''],
  ])('%s', (_, data, path) => {
    const parsed = dataSchema(order).safeParse(data)
    expect(parsed.error?.issues.map(issue => issue.path.join('.'))).toEqual([path])
  })
  test('optional fields may be absent or null', () => {
    const { gift: _, ...without } = good
    expect(dataSchema(order).safeParse(without).success).toBe(true)
    expect(dataSchema(order).safeParse({ ...good, gift: null }).success).toBe(true)
  })
  test('without fields, any data is accepted', () => {
    expect(dataSchema([]).safeParse({ anything: [1, { deep: true }] }).success).toBe(true)
  })
})

test('field definitions are bounded: names once a level, depth, number', () => {
  expect(dataFields.safeParse(order).success).toBe(true)
  const paths = (value: unknown) =>
    dataFields.safeParse(value).error?.issues.map(issue => issue.path.join('.'))
  expect(paths([field('a', 'text'), field('a', 'number')])).toEqual(['1.name'])
  expect(paths([field('1a', 'text')])).toEqual(['0.name'])
  const deep = field('a', 'object', {
    fields: [field('b', 'object', { fields: [field('c', 'object', { fields: [field('d', 'text')] })] })],
  })
  expect(paths([deep])).toEqual(['0.fields.0.fields.0.fields'])
  const wide = Array.from({ length: 60 }, (_, index) => field(`f${index}`, 'text'))
  expect(paths([field('a', 'object', { fields: wide }), field('b', 'object', { fields: wide })])).toEqual([
    '',
  ])
})
