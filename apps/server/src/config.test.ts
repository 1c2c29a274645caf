import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { environmentSchema, loadConfig } from './config.ts'
import { secretFile } from './secret-key.ts'

let folder: string
beforeEach(context => {
  folder = mkdtempSync(join(tmpdir(), 'emma-config-'))
  const made = folder
  context.onTestFinished(() => rmSync(made, { recursive: true }))
})

test('the settings table of the README lists exactly the existing variables', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const rows = readme.split('\n').filter(line => line.startsWith('| `'))
  const named = rows.flatMap(row => (row.split('|')[1] ?? '').match(/[A-Z][A-Z0-9_]+/g) ?? [])
  // One is read by a command only, because secrets must not be arguments.
  const variables = [...environmentSchema.keyof().options, 'EMMA_USER_PASSWORD']
  expect(named.toSorted()).toEqual(variables.toSorted())
})

test('proxies are trusted by address or network; default: on this machine', () => {
  expect(load({}).isTrustedProxy('127.0.0.1')).toBe(true)
  expect(load({}).isTrustedProxy('10.0.0.1')).toBe(false)
  expect(load({ EMMA_TRUSTED_PROXIES: '10.0.0.0/8,2001:db8::/32' }).isTrustedProxy('10.0.0.1')).toBe(true)
  expect(load({ EMMA_TRUSTED_PROXIES: 'none' }).isTrustedProxy('127.0.0.1')).toBe(false)
})

test('an empty environment gives the documented defaults, and ports follow PORT', () => {
  expect(load({})).toMatchObject({
    port: 8080,
    publicUrl: 'http://localhost:8080',
    environment: 'production',
  })
  expect(load({ PORT: '9000', EMMA_INBOUND_PORT: '25' })).toMatchObject({
    port: 9000,
    trackingPort: 9001,
    inboundPort: 25,
    testbedSmtpPort: 9003,
    testbedDnsPort: 9004,
    databasePort: 9005,
    trackingUrl: 'http://localhost:9001',
  })
})

test('an empty variable counts as not set', () => {
  expect(load({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
})

test('URLs lose their trailing slash', () => {
  expect(load({ EMMA_PUBLIC_URL: 'https://mail.example.com/' }).publicUrl).toBe('https://mail.example.com')
})

test.each([
  [{ PORT: 'abc' }, 'PORT must be a port number between 1 and 65535, but is "abc"'],
  [{ PORT: '70000' }, 'PORT must be a port number between 1 and 65535, but is "70000"'],
  [{ PORT: '65534' }, 'EMMA_INBOUND_PORT would be 65536, past 65535'],
  [{ PORT: '8081', EMMA_TRACKING_PORT: '8081' }, 'PORT and EMMA_TRACKING_PORT are the same port, 8081'],
  [{ EMMA_PUBLIC_URL: 'mail.example.com' }, 'EMMA_PUBLIC_URL must be a web address'],
  [{ DATABASE_URL: 'mysql://x:geheim@y/z' }, /^DATABASE_URL must look like postgres:[^"]*$/],
  [{ EMMA_ADMIN_PASSWORD: 'geheim' }, /^EMMA_ADMIN_PASSWORD must have at least 8 characters$/],
  [{ EMMA_HOST: 'localhost' }, 'EMMA_HOST must be an IP address'],
  [{ EMMA_SUBMISSION_HOST: '0.0.0.0' }, 'set EMMA_SUBMISSION_TLS_KEY and EMMA_SUBMISSION_TLS_CERT'],
  [{ EMMA_SUBMISSION_HOST: '::' }, 'set EMMA_SUBMISSION_TLS_KEY and EMMA_SUBMISSION_TLS_CERT'],
  [{ EMMA_SUBMISSION_TLS_CERT: '/cert.pem' }, 'EMMA_SUBMISSION_TLS_CERT belong together'],
  [{ EMMA_TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, 'EMMA_TRUSTED_PROXIES must be addresses or networks'],
  [{ NODE_ENV: 'staging' }, 'NODE_ENV must be development, production or test, but is "staging"'],
])('%j is rejected with a message', (environment, words) => {
  expect(() => load(environment)).toThrow(words)
  expect(existsSync(secretFile(folder))).toBe(false)
})

test('all faults are reported at once', () => {
  expect(() => load({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT must[^]*\nLOG_LEVEL must/)
})

test('the secret is created once with mode 600, and every purpose has its own key', () => {
  const first = load({})
  const file = secretFile(folder)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const secret = readFileSync(file, 'utf8')
  const second = load({})
  expect(readFileSync(file, 'utf8')).toBe(secret)
  expect(second.deriveKey('tokens')).toEqual(first.deriveKey('tokens'))
  expect(second.deriveKey('tokens')).toHaveLength(32)
  expect(second.deriveKey('links')).not.toEqual(first.deriveKey('tokens'))
})

test('a given secret is used and not stored', () => {
  const one = load({ EMMA_SECRET: 'a secret of sixteen' })
  const other = load({ EMMA_SECRET: 'another secret of sixteen' })
  expect(one.deriveKey('tokens')).not.toEqual(other.deriveKey('tokens'))
  expect(existsSync(secretFile(folder))).toBe(false)
})

test('a data folder that cannot be created is reported', () => {
  expect(() => load({ EMMA_DATA: '/dev/null/data' })).toThrow('The data folder /dev/null/data cannot be used')
})

function load(environment: Record<string, string>) {
  return loadConfig({ EMMA_DATA: folder, ...environment })
}
