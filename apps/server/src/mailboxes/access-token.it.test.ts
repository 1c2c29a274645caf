import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchAccessToken } from './access-token.ts'
import { MailboxFault } from './mailbox.ts'

let answer: { status: number; body: string }
let asked = ''
const server = createServer((request, response) => {
  asked = ''
  request.on('data', chunk => {
    asked += String(chunk)
  })
  request.on('end', () => {
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
})
let token_url: string

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  token_url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/token`
})
afterAll(() => void server.close())

const request = () => ({
  token_url,
  oauth_client_id: 'app',
  oauth_scope: 'imap',
  clientSecret: 'secret',
  refreshToken: 'first',
})

async function faultOf(fetching: Promise<unknown>) {
  const error = await fetching.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof MailboxFault ? error.fault : error
}

test('an access token is fetched for the refresh token, and a new refresh token is returned', async () => {
  answer = { status: 200, body: JSON.stringify({ access_token: 'access', refresh_token: 'second' }) }
  expect(await fetchAccessToken(request(), 'loopback')).toEqual({
    accessToken: 'access',
    refreshToken: 'second',
  })
  expect(Object.fromEntries(new URLSearchParams(asked))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'first',
    client_id: 'app',
    client_secret: 'secret',
    scope: 'imap',
  })
})

test.each([
  { status: 400, body: JSON.stringify({ error: 'invalid_grant' }), reply: 'invalid_grant' },
  { status: 200, body: '{}', reply: '200' },
  { status: 200, body: '<html>', reply: 'SyntaxError' },
])('a provider that gives none is named: $reply', async ({ status, body, reply }) => {
  answer = { status, body }
  const fault = await faultOf(fetchAccessToken(request(), 'loopback'))
  expect(fault).toMatchObject({ code: 'imap.token', values: { reply } })
  expect(JSON.stringify(fault)).not.toContain('first')
})

test('an address of this machine is not asked, unless for development', async () => {
  answer = { status: 200, body: JSON.stringify({ access_token: 'access' }) }
  asked = 'nothing'
  expect(await faultOf(fetchAccessToken(request(), 'public'))).toMatchObject({ code: 'imap.token' })
  expect(asked).toBe('nothing')
})
