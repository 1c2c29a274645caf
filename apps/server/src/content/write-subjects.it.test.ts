import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'

let app: TestApp
let token: string
let clientId: number
let service: Server
let url: string
let asked: { path: string; key: string; body: string }[]
let answer: (request: IncomingMessage, response: ServerResponse) => void

const says = (content: string) => (_: IncomingMessage, response: ServerResponse) =>
  void response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ choices: [{ message: { content } }] }))

beforeAll(async () => {
  app = await startTestApp({ EMMA_ALLOW_PRIVATE_WRITING_SERVICE: 'true' })
  token = await app.logInSuperadmin()
  const row = await app.db
    .insertInto('client')
    .values({ name: 'Shop' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  clientId = row.client_id
  service = createServer((request, response) => {
    void text(request).then(body => {
      asked.push({ path: request.url ?? '', key: request.headers.authorization ?? '', body })
      answer(request, response)
    })
  })
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`
})
afterAll(async () => {
  service.close()
  await app.close()
})
beforeEach(() => {
  asked = []
})

const save = (body: object) => app.call('PUT', '/v2/system-settings/writing', { token, body })
async function suggest(): Promise<string[]> {
  const body = { html: '<h1>Coffee</h1><p>For {{ member.email }}. Our roastery opens its doors.</p>' }
  const { json } = await app.call('POST', `/v2/emma/client/${clientId}/message:generate-subject`, {
    token,
    body,
  })
  return (json as unknown as { subject: string }[]).map(({ subject }) => subject)
}

test('R183 nothing is asked without settings', async () => {
  expect(await suggest()).toContain('Coffee')
  expect(asked).toEqual([])
})

test('R183 the service of the settings gets texts without placeholders, and its subjects come first', async () => {
  const saved = await save({ is_enabled: true, url, model: 'small', api_key: 'the key' })
  expect(saved.json).toMatchObject({ writing: { url, model: 'small', key_set: true } })
  expect(saved.text).not.toContain('the key')
  answer = says(
    'Here you are: [{"subject": "Come\\n in", "preheader": "Today"}, {"subject": "{{ member.email }}"}]',
  )
  const [first, ...others] = await suggest()
  expect(first).toBe('Come in')
  expect(others).toContain('Coffee')
  expect(others).not.toContain('{{ member.email }}')
  expect(asked).toMatchObject([{ path: '/v1/chat/completions', key: 'Bearer the key' }])
  expect(asked[0]?.body).toContain('Our roastery opens its doors.')
  expect(asked[0]?.body).not.toContain('member.email')
})

test.each([
  ['no JSON', says('I cannot do that.')],
  ['an error', (_: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end('down')],
  ['too much', (_: IncomingMessage, response: ServerResponse) => void response.end('x'.repeat(300_000))],
  [
    'a redirect',
    (_: IncomingMessage, response: ServerResponse) => void response.writeHead(302, { location: '/' }).end(),
  ],
])('R183 after %s the own suggestions remain', async (_, answers) => {
  answer = answers
  expect(await suggest()).toContain('Coffee')
  expect(asked).toHaveLength(1)
})

test('the key is not sent to another address', async () => {
  const { status, error } = await save({ is_enabled: true, url: 'https://evil.test/v1', model: 'small' })
  expect([status, error.fields]).toMatchObject([422, [{ field: 'api_key', code: 'field.secret_again' }]])
  const emptied = await save({ is_enabled: false, url: null, model: null })
  expect(emptied.json).toMatchObject({ writing: { key_set: false } })
  const missing = await save({ is_enabled: true, url: null, model: null })
  expect(missing.error.fields).toMatchObject([{ field: 'url' }, { field: 'model' }])
})
