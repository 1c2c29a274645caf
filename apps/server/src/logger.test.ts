import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

test('lines are JSON with the role, and secrets are removed at any depth', () => {
  const lines: string[] = []
  const logger = createLogger('api', 'info', { write: line => void lines.push(line) })
  logger.info({ password: 'geheim', user: { name: 'anna', token: 'geheim' } }, 'Login')
  logger.warn({ req: { headers: { authorization: 'Bearer geheim', cookie: 'geheim' } } }, 'Refused')
  logger.error({ err: brokenUrl() }, 'Broken')
  logger.debug('not at this level')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'info', role: 'api', msg: 'Login', user: { name: 'anna' } },
    { level: 'warn', role: 'api', msg: 'Refused' },
    { level: 'error', err: { message: 'Invalid URL' } },
  ])
  expect(lines.join('')).not.toContain('geheim')
})

function brokenUrl(): unknown {
  try {
    return new URL('postgres://emma:geheim@host:port/x')
  } catch (error) {
    return error
  }
}
