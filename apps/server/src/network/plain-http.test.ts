import { expect, test } from 'vitest'
import { findPlainHttp, localOrigin } from './plain-http.ts'

const HTTPS = { publicUrl: 'https://emma.example.com', trackingUrl: 'https://news.example.com' }
const PLAIN = { publicUrl: 'http://emma.example.com', trackingUrl: 'http://news.example.com' }

test.each([
  ['https everywhere', { ...HTTPS, host: '0.0.0.0' }, []],
  ['plain HTTP', { ...PLAIN, host: '0.0.0.0' }, ['EMMA_PUBLIC_URL', 'EMMA_TRACKING_URL']],
  [
    'plain links in messages',
    { ...HTTPS, trackingUrl: PLAIN.trackingUrl, host: '::' },
    ['EMMA_TRACKING_URL'],
  ],
  [
    'the first start on the own machine',
    { publicUrl: 'http://localhost:3000', trackingUrl: 'http://[::1]:3001', host: '0.0.0.0' },
    [],
  ],
  [
    'names that only look local',
    { publicUrl: 'http://localhost.example.com', trackingUrl: 'http://127.0.0.1:3001', host: '0.0.0.0' },
    ['EMMA_PUBLIC_URL'],
  ],
  ['plain HTTP on this machine only', { ...PLAIN, host: '127.0.0.1' }, []],
])('plain HTTP in production: %s', (_, config, variables) => {
  const warnings = findPlainHttp({ ...config, environment: 'production' })
  expect(warnings.map(words => words.split(' ')[0])).toEqual(variables)
  expect(findPlainHttp({ ...config, environment: 'development' })).toEqual([])
})

test.each([
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['192.0.2.1', 'http://192.0.2.1:80'],
])('a server that listens on %s is reached at %s', (host, origin) => {
  expect(localOrigin(host, 80)).toBe(origin)
})
