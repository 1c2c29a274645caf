import { expect, test } from 'vitest'
import { assertReachable, guardedFetch } from './guarded-fetch.ts'

test.each([
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '127.0.0.1',
  '::1',
  'fd00::1',
  '0.0.0.0',
  '::ffff:10.0.0.1',
])('%s is no public address', address => {
  expect(() => assertReachable(address, 'public')).toThrow('not a public address')
  expect(() => assertReachable(address, 'private')).not.toThrow()
})

test('loopback is reached where that is allowed, and nothing else that is private', () => {
  expect(() => assertReachable('127.0.0.1', 'loopback')).not.toThrow()
  expect(() => assertReachable('10.0.0.1', 'loopback')).toThrow('not a public address')
  expect(() => assertReachable('93.184.216.34', 'public')).not.toThrow()
})

test('a name that leads to a private address is not asked', async () => {
  const get = guardedFetch('public')
  await expect(get('http://localhost:2999/', {})).rejects.toMatchObject({
    cause: { name: 'RefusedAddressError' },
  })
  await expect(get('http://[::1]:2999/', {})).rejects.toThrow('not a public address')
})
