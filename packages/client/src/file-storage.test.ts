import { expect, test } from 'vitest'
import { createFileStorage } from './file-storage.ts'
import { createLoadingCounter } from './loading-counter.ts'
import { createResponseCache } from './response-cache.ts'

const calls: { url: string; method: string | undefined; body: unknown }[] = []
let reply: () => Response

const storage = createFileStorage('https://emma.test/api', {
  transport: async (url, init) => {
    calls.push({ url, method: init.method, body: init.body })
    return reply()
  },
  token: () => 'token',
  cache: createResponseCache(() => ''),
  loading: createLoadingCounter(),
})

test('R302 names in paths are encoded, slashes are not', async () => {
  reply = () => Response.json({ status: 'success', data: { meta: { name: 'a' }, items: [] } })
  await storage.list('/7/news letter/')
  await storage.move('/7/a.png', '/7/b (1).png')
  expect(calls.slice(-2)).toEqual([
    { url: 'https://emma.test/api/cloudstorage/7/news%20letter/', method: 'GET', body: null },
    {
      url: 'https://emma.test/api/cloudstorage/7/a.png',
      method: 'PATCH',
      body: JSON.stringify({ new_path: '/7/b (1).png' }),
    },
  ])
})

test('R318 a rejection reads {message} ({code}) and keeps its fault for the translation', async () => {
  const details = { code: 'conflict', reason: 'file.exists', values: { name: 'a.png' } }
  reply = () =>
    Response.json(
      { status: 'error', code: 3400, message: '"a.png" exists already', details },
      { status: 409 },
    )
  await expect(storage.move('/7/b.png', '/7/a.png')).rejects.toMatchObject({
    message: '"a.png" exists already (3400)',
    code: 'conflict',
    fault: { code: 'file.exists', values: { name: 'a.png' } },
  })
})

test('R318 without a body of the protocol it reads {statusText} ({url})', async () => {
  reply = () => new Response('', { status: 502, statusText: 'Bad Gateway' })
  await expect(storage.remove('/7/a.png')).rejects.toThrow(
    'Bad Gateway (https://emma.test/api/cloudstorage/7/a.png)',
  )
})
