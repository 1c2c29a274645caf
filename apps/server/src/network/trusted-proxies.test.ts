import { expect, test } from 'vitest'
import { parseProxies } from './trusted-proxies.ts'

test.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['10.1.2.3', true],
  ['10.2.0.1', false],
  ['2001:db8::1', false],
  ['unix', false],
  ['', false],
])('trusted proxies: %s → %s', (address, isTrusted) => {
  expect(parseProxies(['127.0.0.0/8', '::1', '10.1.0.0/16'])?.(address)).toBe(isTrusted)
})

test('trusted proxies: an empty list trusts none', () => {
  expect(parseProxies([])?.('127.0.0.1')).toBe(false)
})

test.each(['loopback', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0.0/', ''])(
  'trusted proxies: %j is not a network',
  entry => {
    expect(parseProxies([entry])).toBeNull()
  },
)
