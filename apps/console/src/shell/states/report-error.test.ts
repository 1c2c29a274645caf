import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const sendError = vi.fn<(error: unknown) => Promise<void>>()
vi.mock('./send-error.ts', () => ({ sendError }))

beforeEach(() => {
  vi.resetModules()
  sendError.mockReset()
})
afterEach(() => vi.unstubAllEnvs())

async function report(...errors: unknown[]): Promise<void> {
  const { reportError } = await import('./report-error.ts')
  for (const error of errors) await reportError(error)
}

test('R021 a development build sends nothing', async () => {
  vi.stubEnv('PROD', false)
  await report(new Error('broken'))
  expect(sendError).not.toHaveBeenCalled()
})

test('R021 in production each error is sent once', async () => {
  vi.stubEnv('PROD', true)
  await report(new Error('broken'), new Error('broken'), new Error('also broken'))
  expect(sendError).toHaveBeenCalledTimes(2)
})

test('R021 reports stop after a number of different errors', async () => {
  vi.stubEnv('PROD', true)
  await report(...Array.from({ length: 30 }, (_, index) => new Error(`broken ${index}`)))
  expect(sendError).toHaveBeenCalledTimes(10)
})

test('R021 an unreachable service causes no further error', async () => {
  vi.stubEnv('PROD', true)
  sendError.mockRejectedValue(new Error('no way'))
  await expect(report(new Error('broken'))).resolves.toBeUndefined()
})

test.each([
  'Faulty X-Revision value provided',
  'Login token has expired!',
  'No token found!',
  'Expired token',
  'Unauthorized',
  'Wrong user or password',
  'Failed to fetch',
  'signal is aborted without reason',
  'The upload was cancelled.',
])('R320 “%s” is never reported', async message => {
  vi.stubEnv('PROD', true)
  await report(new Error(message))
  expect(sendError).not.toHaveBeenCalled()
})
