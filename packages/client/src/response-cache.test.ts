import { expect, test } from 'vitest'
import { createResponseCache, namesOfPath } from './response-cache.ts'
import { memoryCaches } from './test/caches.ts'

test.each([
  ['/v2/emma/client/{client_id}/message/{id}/render/{member_id}', ['message', 'render']],
  ['/v2/emma/client/{client_id}/campaign/{campaign_id}/mailclass:{type}', ['campaign', 'mailclass']],
  ['/emma/client/', ['client']],
  ['/v2/dataupload:quota', ['dataupload', 'quota']],
])('R168 %s has the names %j', (path, names) => {
  expect(namesOfPath(path)).toEqual(names)
})

test.each([
  ['agb-confirm', '/v2/emma/client/{client_id}/agb-confirm'],
  ['bav-confirm', '/v2/emma/client/{client_id}/bav-confirm'],
  ['campaign', '/emma/campaign/'],
  ['message', '/emma/message/'],
  ['report', '/emma/report/'],
  ['subreport', '/emma/campaign/{campaign_id}/subreport/'],
  ['dataupload', '/v2/dataupload/'],
  ['member', '/emma/list/{list_id}/member/'],
  ['multiblacklist', '/emma/multiblacklist/'],
  ['domain', '/v2/emma/client/{client_id}/domain/'],
  ['mailclass', '/emma/mailclass/'],
  ['placeholder', '/emma/placeholder/'],
  ['render', '/v2/emma/client/{client_id}/message/{id}/render/{member_id}'],
  ['transactionalcampaign', '/transactionalcampaign/'],
])('R167 R168 a write to %s evicts responses of %s', async (name, path) => {
  const cache = createResponseCache(() => '1', memoryCaches())
  await cache.keep('http://x/kept', Response.json(1), namesOfPath(path), cache.moment())
  await cache.keep('http://x/other', Response.json(1), ['stranger'], cache.moment())
  await cache.evict([name])
  expect(await cache.read('http://x/kept')).toBeUndefined()
  expect(await cache.read('http://x/other')).toBeDefined()
})

test('R168 a changed message evicts its renderings, but no other responses', async () => {
  const cache = createResponseCache(() => '1', memoryCaches())
  await cache.keep('http://x/render', Response.json('a'), ['message', 'render'], cache.moment())
  await cache.keep('http://x/other', Response.json('b'), ['render'], cache.moment())
  await cache.keep('http://x/domain', Response.json('c'), ['domain'], cache.moment())
  await cache.evict(['message'])
  expect(await cache.read('http://x/render')).toBeUndefined()
  expect(await cache.read('http://x/other')).toBeUndefined()
  expect(await (await cache.read('http://x/domain'))?.json()).toBe('c')
})

test('R166 without Cache Storage nothing is cached and nothing fails', async () => {
  const cache = createResponseCache(() => '1', undefined)
  await cache.keep('http://x/', Response.json(1), [], cache.moment())
  await cache.evict(['message'])
  await cache.clear()
  expect(await cache.read('http://x/')).toBeUndefined()
})

test('R167 T13a an outdated response is not cached', async () => {
  let scope = '1'
  const cache = createResponseCache(() => scope, memoryCaches())
  const [url, asked] = ['http://x/', cache.moment()]
  await cache.evict(['domain'])
  await cache.keep(url, Response.json(1), ['domain'], asked)
  expect(await cache.read(url)).toBeUndefined()
  await cache.keep(url, Response.json(1), ['client'], asked)
  expect(await cache.read(url)).toBeDefined()

  await cache.clear()
  await cache.keep(url, Response.json(1), ['client'], asked)
  expect(await cache.read(url)).toBeUndefined()

  const before = cache.moment()
  scope = '2'
  await cache.keep(url, Response.json(1), ['client'], before)
  expect(await cache.read(url)).toBeUndefined()
})
