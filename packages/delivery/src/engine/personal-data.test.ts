import { fault } from '@emma/contract/faults.ts'
import { FeedFault, type FetchFeed } from '@emma/core/content/feeds.ts'
import { expect, test } from 'vitest'
import { PersonalData } from './personal-data.ts'

const source = {
  moduleId: 1,
  name: 'shop',
  url: 'https://shop.test/{{ member.id }}',
  header: null,
  secret: null,
  ifEmpty: 'skip',
} as const

const limits = { total: 3, perClient: 2, answers: 2, answerMs: 60_000 }
const always = () => true

/** A server whose answers are given by hand. */
function slowShop() {
  const open: { url: string; answer: (data: string) => void }[] = []
  const fetchFeed: FetchFeed = ({ url }) =>
    new Promise(resolve => open.push({ url, answer: data => resolve({ data }) }))
  return { open, fetchFeed, settled: () => new Promise(resolve => setImmediate(resolve)) }
}

test('a client with a slow server has few requests, and others are not delayed', async () => {
  const { open, fetchFeed, settled } = slowShop()
  const data = new PersonalData(fetchFeed, limits)
  const slow = [1, 2, 3, 4].map(id => data.of(1, [source], { id }, always))
  const other = data.of(2, [source], { id: 9 }, always)
  await settled()
  expect(open.map(({ url }) => url.slice(-1))).toEqual(['1', '2', '9'])
  open[2]?.answer('other')
  expect(await other).toEqual({ data: { shop: 'other' } })
  for (let at = 0; at < 5; at++) {
    open[at]?.answer(`answer ${at}`)
    await settled()
  }
  expect(await Promise.all(slow)).toHaveLength(4)
  expect(open).toHaveLength(5)
})

test('what waits ends when nothing may be sent any more', async () => {
  const { open, fetchFeed, settled } = slowShop()
  const data = new PersonalData(fetchFeed, limits)
  let isSending = true
  const all = [1, 2, 3].map(id => data.of(1, [source], { id }, () => isSending))
  await settled()
  isSending = false
  for (const { answer } of open) answer('late')
  expect((await Promise.all(all)).at(-1)).toEqual({ isStopped: true })
  expect(open).toHaveLength(2)
})

test('an address is requested once, a failure again, and a missing value is no request', async () => {
  let requests = 0
  const data = new PersonalData(async ({ url }) => {
    requests++
    if (url.endsWith('bad')) throw new FeedFault(fault('feed.status', { url, status: 503 }))
    return { data: url }
  }, limits)
  const of = (id: unknown) => data.of(1, [source], { id }, always)
  await of('a')
  expect(await of('a')).toEqual({ data: { shop: 'https://shop.test/a' } })
  expect(requests).toBe(1)
  await of('bad')
  expect(await of('bad')).toMatchObject({ isPassing: true, fault: { code: 'feed.status' } })
  expect(requests).toBe(3)
  expect(await of(null)).toMatchObject({ isPassing: false, fault: null })
  expect(requests).toBe(3)
})
