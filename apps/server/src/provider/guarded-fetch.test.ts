import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { assertReachable, guardedFetch } from './guarded-fetch.ts'

test.each([
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '127.0.0.1',
  '::1',
  'fd00::1',
  '0.0.0.0',
  '::ffff:10.0.0.1',
])('%s is not a public address', address => {
  expect(() => assertReachable(address, 'public')).toThrow('not a public address')
  expect(() => assertReachable(address, 'private')).not.toThrow()
})

test('loopback is reachable if allowed, but no other private address', () => {
  expect(() => assertReachable('127.0.0.1', 'loopback')).not.toThrow()
  expect(() => assertReachable('10.0.0.1', 'loopback')).toThrow('not a public address')
  expect(() => assertReachable('93.184.216.34', 'public')).not.toThrow()
})

test('a name that resolves to a private address is not requested', async () => {
  const get = guardedFetch('public')
  await expect(get('http://localhost:2999/', {})).rejects.toMatchObject({ name: 'RefusedAddressError' })
  await expect(get('http://[::1]:2999/', {})).rejects.toThrow('not a public address')
})

describe('responses of an untrusted server', () => {
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

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('with encoding %s are not decoded', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(20_000_000))
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    )
    const before = process.memoryUsage().arrayBuffers
    await expect(guardedFetch('loopback')(url, {})).rejects.toThrow('encoding')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  })

  test('compression is not requested, whatever the caller sets', async () => {
    let asked: unknown
    const url = await serve(({ headers }, response) => {
      asked = headers['accept-encoding']
      response.end('fine')
    })
    const answer = await guardedFetch('loopback')(url, { headers: { 'accept-encoding': 'gzip, br' } })
    expect([await answer.text(), asked]).toEqual(['fine', 'identity'])
  })

  test('without end are aborted', async () => {
    let sent = 0
    const url = await serve((_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000))) sent += 10_000
      }
      response.on('drain', send)
      send()
    })
    await expect(guardedFetch('loopback', { most: 100_000 })(url, {})).rejects.toThrow('too large')
    expect(sent).toBeLessThan(20_000_000)
  })

  test('that are slow are aborted by the total timeout', async () => {
    const url = await serve((_request, response) => {
      const dripping = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(dripping))
    })
    await expect(guardedFetch('loopback', { timeout: 200 })(url, {})).rejects.toThrow('broken')
  })

  test('a redirect is not followed, and a body is sent', async () => {
    const url = await serve((request, response) => {
      request.resume()
      response.writeHead(302, { location: '/elsewhere', 'set-cookie': ['a=1', 'b=2'] }).end(request.method)
    })
    const answer = await guardedFetch('loopback')(url, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
    })
    expect([answer.status, await answer.text()]).toEqual([302, 'POST'])
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })
})
