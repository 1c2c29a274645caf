import { expect, test } from 'vitest'
import { isDemoBypass } from './demo.ts'

test.each([
  ['POST', '/auth/login', true],
  ['GET', '/auth/token', true],
  ['POST', '/v2/emma/client/20607/bav-confirm', true],
  ['POST', '/v2/emma/client/20607/message:generate-subject', true],
  ['POST', '/v2/emma/client/20607/download-job/validate-criteria', true],
  ['POST', '/v2/emma/client/20607/agb-confirm', false],
  ['GET', '/emma/campaign/', false],
  ['POST', '/emma/campaign/1/start', false],
  ['GET', '/v2/bav:latest', false],
])('R307 T12 %s %s goes to the server: %s', (method, path, isThrough) => {
  expect(isDemoBypass(method, path)).toBe(isThrough)
})
