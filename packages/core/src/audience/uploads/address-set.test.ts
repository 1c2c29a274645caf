import { expect, test } from 'vitest'
import { AddressSet } from './address-set.ts'

test('recognises each of many addresses, ignoring case', () => {
  const set = new AddressSet()
  const addresses = Array.from({ length: 300_000 }, (_, n) => `person.${n}@example.com`)
  expect(addresses.filter(address => set.add(address))).toHaveLength(addresses.length)
  expect(addresses.filter(address => set.add(address.toUpperCase()))).toHaveLength(0)
  expect(set.add('')).toBe(true)
  expect(set.add('')).toBe(false)
})
