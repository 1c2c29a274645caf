import { expect, test } from 'vitest'
import { judgeRelay, parseRelays } from './relays.ts'

test('relays: a port limits the entry to it', () => {
  const isRelay = parseRelays(['10.0.0.5', 'Relay.Internal:2526', '[fd00::1]:25', 'fd00::2'])
  const asked = [
    ['10.0.0.5', 9999],
    ['relay.internal', 2526],
    ['relay.internal.', 2526],
    ['fd00::1', 25],
    ['[fd00::1]', 25],
    ['fd00::2', 587],
  ] as const
  for (const [host, port] of asked)
    expect({ host, port, is: isRelay?.(host, port) }).toMatchObject({ is: true })
  expect(isRelay?.('relay.internal', 25)).toBe(false)
  expect(isRelay?.('10.0.0.50', 25)).toBe(false)
})

test.each(['10.0.0.5:0', '10.0.0.5:70000', 'a b', 'http://relay', '[nonsense]:25', ''])(
  'relays: rejects %s',
  text => {
    expect(parseRelays([text])).toBeNull()
  },
)

const rule = (addresses: string[]) => ({
  isRelay: () => false,
  allowPrivate: false,
  resolve: async () => addresses.map(address => ({ address, family: 4 })),
})

test.each([
  ['127.0.0.1', 25, [], 'host'],
  ['[::1]', 25, [], 'host'],
  ['169.254.169.254', 25, [], 'host'],
  ['localhost', 587, ['127.0.0.1'], 'host'],
  ['rebound.example.com', 587, ['93.184.216.34', '10.0.0.1'], 'host'],
  ['smtp.example.com', 6379, ['93.184.216.34'], 'port'],
  ['smtp.example.com', 587, ['93.184.216.34'], null],
  ['not-yet.example.com', 465, [], null],
] as const)('judge: %s port %s that resolves to %j: %s', async (host, port, addresses, fault) => {
  expect(await judgeRelay(host, port, rule([...addresses]))).toBe(fault)
  expect(await judgeRelay(host, port, { ...rule([...addresses]), isRelay: () => true })).toBeNull()
})
