import { expect, test } from 'vitest'
import { addressColumns, personalAddress } from './personal-address.ts'

test.each([
  ['https://shop.test/o?c={{ member.customer_id }}&l={{member.lang}}', ['customer_id', 'lang']],
  ['https://shop.test/offers', []],
  ['https://{{ member.host }}/offers', null],
  ['https://shop.test{{ member.port }}/offers', null],
  ['https://me@{{ member.host }}/', null],
  ['{{ member.url }}', null],
  ['https://shop.test/{{ client.name }}', null],
  ['https://shop.test/{{ member.a | raw }}', null],
  ['https://shop.test/{% if member.a %}a{% endif %}', null],
])('columns of %s', (template, columns) => {
  expect(addressColumns(template)).toEqual(columns)
})

const address = (path: string, member: Record<string, unknown>) =>
  personalAddress(`https://shop.test${path}`, member)

test('values are encoded, and change neither host nor path', () => {
  expect(address('/o/{{ member.a }}?b={{ member.b }}', { a: 'x/../y?z#', b: 'Ö&c=1@evil.test' })).toBe(
    'https://shop.test/o/x%2F..%2Fy%3Fz%23?b=%C3%96%26c%3D1%40evil.test',
  )
  for (const a of ['..', '.', '', ' ', null, undefined])
    expect(address('/o/{{ member.a }}', { a })).toBeNull()
  expect(address('/o/{{ member.a }}{{ member.a }}', { a: '.' })).toBeNull()
  expect(address('/o/{{ member.constructor }}', {})).toBeNull()
  expect(address('/o?a={{ member.a }}', { a: 'x'.repeat(5_000) })).toBeNull()
})
