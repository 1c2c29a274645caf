import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from './create-client.ts'
import { createNotificationService } from './notification-service.ts'
import { startTestServer, type TestServer } from './test/server.ts'

let server: TestServer
let answer = ''
let status = 200

beforeAll(async () => {
  server = await startTestServer((_call, response) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(answer)
  })
})
afterAll(() => server.close())

const service = () =>
  createNotificationService(createClient({ apiHost: server.apiHost, token: () => 'token' }))

const stored = {
  id: 3,
  client_id: 1,
  kind: 'info',
  code: null,
  details: {},
  text: 'Hello',
  path: null,
  created_at: '2026-01-01T00:00:00.000Z',
  read_at: null,
}

test('R290 parses a list from text that begins with [, an object from {', async () => {
  answer = JSON.stringify([stored])
  expect(await service().find({ limit: 5 })).toEqual([stored])
  expect(server.calls.at(-1)).toMatchObject({ method: 'GET', url: '/notification/?limit=5' })
  answer = JSON.stringify(stored)
  expect(await service().findOne(3)).toEqual(stored)
  expect(await service().create({ text: 'Hello' })).toEqual(stored)
  expect(await service().delete(3)).toEqual(stored)
  expect(server.calls.at(-1)).toMatchObject({ method: 'DELETE', url: '/notification/3' })
})

test('R290 throws any other text unchanged', async () => {
  answer = 'The service sleeps'
  await expect(service().find()).rejects.toThrow('The service sleeps')
  await expect(service().findOne(3)).rejects.toThrow('The service sleeps')
  await expect(service().count()).rejects.toThrow('The service sleeps')
  answer = JSON.stringify(stored)
  await expect(service().find()).rejects.toThrow('Hello')
  answer = '[]'
  await expect(service().findOne(3)).rejects.toThrow('[]')
})

test('R290 throws a rejection with its plain text', async () => {
  answer = 'Forbidden'
  status = 403
  await expect(service().create({ text: 'x' })).rejects.toMatchObject({ message: 'Forbidden', status: 403 })
  status = 200
})
