import { expect, test } from 'vitest'
import { fault } from '@emma/contract/faults.ts'
import { isCallable, judgeWebhookUrl } from './webhook-address.ts'

const strict = { allowLoopback: false }
const isPrivate = fault('field.url_private')

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  '203.0.113.7',
  '::1',
  '::',
  'fe80::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'rubbish',
])('%s is rejected', address => {
  expect(isCallable(address, strict)).toBe(false)
})

test.each(['8.8.8.8', '93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(
  '%s is accepted',
  address => {
    expect(isCallable(address, strict)).toBe(true)
  },
)

test.each([
  'https://localhost/hook',
  'https://127.0.0.1/hook',
  'https://2130706433/hook',
  'https://0x7f.1/hook',
  'https://017700000001/hook',
  'https://[::1]/hook',
  'https://[::ffff:7f00:1]/hook',
  'https://169.254.169.254/latest/meta-data/',
])('%s is rejected in every notation', async url => {
  expect(await judgeWebhookUrl(url, strict)).toEqual(isPrivate)
})

test.each([
  ['ftp://example.com/', 'must be a web address'],
  ['javascript:alert(1)', 'must be a web address'],
  ['rubbish', 'must be a web address'],
  ['https://user:password@8.8.8.8/', 'user name or password'],
  ['http://8.8.8.8/', 'https://'],
])('%s: %s', async (url, words) => {
  expect((await judgeWebhookUrl(url, strict))?.message).toContain(words)
})

test('a name is checked by all its addresses', async () => {
  const resolving = (...addresses: string[]) => ({
    allowLoopback: false,
    resolve: async () => addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
  })
  const judge = (...addresses: string[]) =>
    judgeWebhookUrl('https://hook.example.com/', resolving(...addresses))
  expect(await judge('8.8.8.8')).toBeNull()
  expect(await judge('8.8.8.8', '10.0.0.1')).toEqual(isPrivate)
  expect(await judge('8.8.8.8', 'fe80::1')).toEqual(isPrivate)
})

test('a name that does not resolve yet can be saved', async () => {
  const resolve = () => Promise.reject(new Error('ENOTFOUND'))
  expect(await judgeWebhookUrl('https://soon.example.com/', { allowLoopback: false, resolve })).toBeNull()
})

test('in development this machine may be called without TLS, but no other private address', async () => {
  const open = { allowLoopback: true }
  expect(await judgeWebhookUrl('http://127.0.0.1:9000/', open)).toBeNull()
  expect(await judgeWebhookUrl('http://localhost:9000/', open)).toBeNull()
  expect(await judgeWebhookUrl('http://10.0.0.1/', open)).toEqual(isPrivate)
  expect((await judgeWebhookUrl('http://8.8.8.8/', open))?.message).toContain('https://')
})
