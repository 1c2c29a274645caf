import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { FeedFault } from '@emma/core/content/feeds.ts'
import { expect, onTestFinished, test } from 'vitest'
import { fetchFeed } from './fetch-feed.ts'

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
}

const fetchData = (url: string, credentials: Record<string, string> = {}) =>
  fetchFeed({ type: 'data', url, credentials }, 'loopback')

const faultOf = (answer: Promise<unknown>) =>
  answer.then(
    () => null,
    (error: unknown) => (error instanceof FeedFault ? error.fault.code : error),
  )

test('data is fetched with the header that it needs', async () => {
  const url = await serve(({ headers }, response) =>
    response.end(JSON.stringify({ key: headers['x-api-key'] })),
  )
  expect(await fetchData(url, { 'X-Api-Key': 'k-1' })).toEqual({
    content: { data: { key: 'k-1' } },
    bytes: 13,
  })
})

test('the secret is not sent to another host or port after a redirect', async () => {
  const other = await serve(({ headers }, response) => response.end(JSON.stringify({ ...headers })))
  const url = await serve((_, response) => response.writeHead(302, { location: other }).end())
  const { content } = await fetchData(url, { authorization: 'Bearer secret' })
  expect(JSON.stringify(content)).not.toContain('secret')
})

test.each<[string, RequestListener, string]>([
  [
    'a redirect to a private address',
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    'feed.address',
  ],
  [
    'redirects without end',
    (_, response) => response.writeHead(302, { location: '/' }).end(),
    'feed.redirects',
  ],
  [
    'a gzip bomb',
    (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000))),
    'feed.unreachable',
  ],
  [
    'a body without end',
    (_, response) => {
      const write = () => {
        while (response.write(Buffer.alloc(65_536, 32)));
        response.once('drain', write)
      }
      write()
    },
    'feed.size',
  ],
  ['a number of 10 MB', (_, response) => response.end(`{"a":${'7'.repeat(10_000_000)}}`), 'feed.size'],
  ['a login page', (_, response) => response.end('<html><form>Log in</form></html>'), 'feed.page'],
  ['a refusal', (_, response) => response.writeHead(401).end('{}'), 'feed.status'],
  ['a connection that breaks off', (_, response) => response.destroy(), 'feed.unreachable'],
])('%s is a fault', async (_, handler, code) => {
  expect(await faultOf(fetchData(await serve(handler)))).toBe(code)
})

test('private addresses, and names that resolve to one, are not opened', async () => {
  const reach = (url: string) => faultOf(fetchFeed({ type: 'data', url, credentials: {} }, 'public'))
  expect(await reach('https://127.0.0.1:1/')).toBe('feed.address')
  expect(await reach('https://localhost:1/')).toBe('feed.address')
  expect(await reach('http://example.test/')).toBe('feed.scheme')
})

test('a server that sends one byte at a time is given up', async () => {
  const url = await serve((_, response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  const limits = { dataBytes: 1_000_000, timeoutMs: 200 }
  const code = await faultOf(fetchFeed({ type: 'data', url, credentials: {} }, 'loopback', limits))
  expect(code).toMatch(/^feed\.(?:timeout|unreachable)$/)
})
