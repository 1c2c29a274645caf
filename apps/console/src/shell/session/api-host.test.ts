import { afterEach, expect, test, vi } from 'vitest'
import { apiHost, apiOf, type Deployments, environmentOf, socketAddress } from './api-host.ts'

const known: Deployments = {
  development: { hosts: ['localhost', '*.localhost'], api: 'https://dev.api.example' },
  staging: { hosts: ['staging.example'], api: 'https://staging.api.example' },
  test: { hosts: ['test.example'], api: 'https://test.api.example' },
  mailService: { hosts: ['mail.example'], api: 'https://mail.api.example' },
  production: { api: 'https://api.example' },
}

afterEach(() => vi.unstubAllGlobals())

function openPage(url: string, override: string | null = null): void {
  vi.stubGlobal('location', new URL(url))
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => (key === 'apiHost' ? override : null) })
}

test.each([
  ['localhost', 'https://dev.api.example', 'dev'],
  ['ems.localhost', 'https://dev.api.example', 'dev'],
  ['staging.example', 'https://staging.api.example', 'prod'],
  ['test.example', 'https://test.api.example', 'prod'],
  ['mail.example', 'https://mail.api.example', 'prod'],
  ['anything.else.example', 'https://api.example', 'prod'],
  ['notlocalhost', 'https://api.example', 'prod'],
])('R298 a page of %s talks to %s', (hostname, api, environment) => {
  expect(apiOf({ hostname, origin: `https://${hostname}` }, known)).toBe(api)
  expect(environmentOf(hostname, known)).toBe(environment)
})

test('R298 without configuration the API and its socket are on the origin of the page', () => {
  openPage('https://emma.example.com:8443/campaigns')
  expect(apiHost()).toBe('https://emma.example.com:8443/api')
  expect(socketAddress()).toBe('wss://emma.example.com:8443/api/socket')
})

test('R298 the override in session storage wins', () => {
  openPage('https://emma.example.com/', 'https://other.example/api')
  expect(apiHost()).toBe('https://other.example/api')
})
