import { expect, test } from 'vitest'
import { createResponseCache, namesOfPath } from './response-cache.ts'
import { memoryCaches } from './test-caches.ts'

test.each([
  ['/v2/emma/client/{client_id}/message/{id}/render/{member_id}', ['message', 'render']],
  ['/v2/emma/client/{client_id}/campaign/{campaign_id}/mailclass:{type}', ['campaign', 'mailclass']],
  ['/emma/client/', ['client']],
  ['/v2/dataupload:quota', ['dataupload', 'quota']],
])('%s goes by %j', (path, names) => {
  expect(namesOfPath(path)).toEqual(names)
})

test('a changed message takes its renderings along, and leaves other answers', async () => {
  const cache = createResponseCache(() => '1', memoryCaches())
  await cache.keep('http://x/render', Response.json('a'), ['message', 'render'])
  await cache.keep('http://x/other', Response.json('b'), ['render'])
  await cache.keep('http://x/domain', Response.json('c'), ['domain'])
  await cache.evict(['message'])
  expect(await cache.read('http://x/render')).toBeUndefined()
  expect(await cache.read('http://x/other')).toBeUndefined()
  expect(await (await cache.read('http://x/domain'))?.json()).toBe('c')
})

test('without Cache Storage nothing is kept and nothing fails', async () => {
  const cache = createResponseCache(() => '1', undefined)
  await cache.keep('http://x/', Response.json(1), [])
  await cache.evict(['message'])
  await cache.clear()
  expect(await cache.read('http://x/')).toBeUndefined()
})
