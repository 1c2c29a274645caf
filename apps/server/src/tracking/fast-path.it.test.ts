import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import { signToken, type Token } from '@emma/mail/token.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTestTracking, type TestTracking, trackingKey } from '../test/tracking-server.ts'
import { type Limits, TRACKING_LIMITS } from '../network/limits.ts'
import { trustLoopback } from '../network/trusted-proxies.ts'
import { createCampaignPages } from './campaign-pages.ts'
import { type Front, attachFastPath } from './fast-path.ts'

const folder = mkdtempSync(join(tmpdir(), 'emma-front-'))

let database: TestDatabase
let tenant: TestTenant
let campaign: { clientId: number; campaignId: number }
let tracking: TestTracking
let front: Front
let began: string

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test', 'ben@gmx.test'])
  campaign = await addCampaign(tenant)
  await expandCampaign(tenant.db, campaign, testExpansion)
  await sql`update delivery set state = 'sent', recorded_at = now() - interval '1 hour'`.execute(tenant.db)
  tracking = await openTestTracking(database, folder)
  front = attachFastPath({
    server: tracking.app.server,
    tokenKey: trackingKey,
    journal: tracking.journal,
    campaigns: tracking.campaigns,
    isTrustedProxy: trustLoopback,
  })
  await tracking.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  const closed = tracking.close()
  front.close()
  await closed
  rmSync(folder, { recursive: true })
  await database.drop()
})
beforeEach(async () => {
  began = new Date().toISOString()
  await sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set dateunjoin = null`.execute(tenant.db)
})

describe('the fast path', () => {
  it.each([
    ['an open', () => `/t/o/${tokenOf(1)}.gif`, 200],
    ['a click', () => `/t/c/${tokenOf(1)}/1`, 302],
    ['a click on a personalized link', () => `/t/c/${tokenOf(1)}/0`, 302],
    ['an open with an invalid token', () => '/t/o/bm9uZQ.gif', 200],
    ['a click with an invalid token', () => `/t/c/${tokenOf(1).slice(0, -2)}aa/1`, 404],
    ['a click on an unknown link', () => `/t/c/${tokenOf(1)}/99`, 404],
    ['an open with a token of an unknown member', () => `/t/o/${'A'.repeat(34)}.gif`, 200],
    ['a page', () => `/u/${tokenOf(1)}`, 200],
  ])('responds to %s like the full server', async (_, path, status) => {
    const asked = Date.now()
    const fast = parse(await ask([get(path(), 'Connection: keep-alive'), get('/none', 'Connection: close')]))
    const whole = await tracking.app.inject({ url: path() })
    expect(fast.status).toBe(status)
    expect(whole.statusCode).toBe(status)
    const { date, connection, 'keep-alive': alive, 'content-length': length, ...expected } = whole.headers
    expect(fast.headers).toMatchObject(expected)
    expect(fast.body).toBe(whole.rawPayload.toString('latin1'))
    expect(Date.parse(fast.headers.date ?? '')).toBeGreaterThan(asked - 5_000)
  })

  it('responds to whole requests, fragments, and alternating with the full server, in order', async () => {
    const requests = [
      get(`/t/o/${tokenOf(1)}.gif`),
      get(`/t/c/${tokenOf(1)}/0`),
      get(`/t/c/${tokenOf(2)}/0`),
      get(`/t/o/${tokenOf(2)}.gif`),
      get(`/u/${tokenOf(1)}`),
      get(`/t/o/${tokenOf(1)}.gif`),
      get('/none', 'Connection: close'),
    ]
    const statuses = [200, 302, 302, 200, 200, 200, 404]
    const all = requests.join('')
    const before = front.counts.open + front.counts.click
    for (const size of [all.length, 1_000, 150, 40])
      expect(statusesOf(await ask(all.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []))).toEqual(statuses)
    expect(front.counts.open + front.counts.click).toBeGreaterThan(before)
    // One of them follows the page: five events per round, from either server.
    expect(await events(20)).toHaveLength(20)
  })

  it('trusts a proxy on this machine, and stores what the full server stores', async () => {
    const headers = ['X-Forwarded-For: 198.51.100.7, 127.0.0.1', 'Purpose: prefetch', 'User-Agent: Agent\t7']
    const path = `/t/o/${tokenOf(2)}.gif`
    await ask([get(path, ...headers), get('/none', 'Connection: close')])
    await tracking.app.inject({
      url: path,
      headers: {
        'x-forwarded-for': '198.51.100.7, 127.0.0.1',
        purpose: 'prefetch',
        'user-agent': 'Agent\t7',
      },
    })
    const [fast, whole] = await events(2)
    expect(fast).toMatchObject({
      ip: '198.51.100.7',
      member_id: 2,
      verdict: 'prefetch',
      verdict_reason: 'ahead',
      user_agent: 'Agent 7',
    })
    const { event_id, ts, txid, ...same } = { ...fast }
    expect(whole).toMatchObject(same)
  })

  it.each([
    ['a body', [`Content-Length: 5`]],
    ['a body in fragments', ['Transfer-Encoding: chunked']],
    ['a folded line', ['X-A: 1', ' Content-Length: 5']],
    ['a bare line feed', ['X-A: 1\nContent-Length: 5']],
    ['a blank before the colon', ['Content-Length : 5']],
    ['two Host headers', ['Host: b.example']],
    ['a NUL', ['X-A: \0']],
  ])('leaves unusual requests to the full server: %s', async (_, headers) => {
    const before = front.counts.open
    const hidden = get(`/t/o/${tokenOf(1)}.gif`)
    await ask([get(`/t/o/${tokenOf(1)}.gif`, ...headers) + hidden, get('/none', 'Connection: close')])
    expect(front.counts.open).toBe(before)
  })

  it('rejects requests without Host', async () => {
    expect(statusesOf(await ask([`GET /t/o/${tokenOf(1)}.gif HTTP/1.1\r\n\r\n`]))).toEqual([400])
  })

  it('stores neither tests nor invalid tokens', async () => {
    await ask([
      get(`/t/o/${tokenOf(1, { kind: 'test' })}.gif`),
      get(`/t/o/${tokenOf(1).slice(0, -2)}AA.gif`),
      get(`/t/c/${tokenOf(1, { kind: 'test' })}/1`),
      get(`/t/o/${tokenOf(2)}.gif`),
      CLOSE,
    ])
    expect(await events(1)).toMatchObject([{ member_id: 2 }])
  })

  it('writes nothing for invalid tokens while the spool is behind', async () => {
    const add = vi.spyOn(tracking.journal, 'add')
    const isBehind = vi.spyOn(tracking.journal, 'isBehind').mockReturnValue(true)
    const nobody = `${tokenOf(1).slice(0, -2)}AA`
    await ask([get(`/t/o/${nobody}.gif`), get(`/t/c/${nobody}/1`), get(`/t/o/${tokenOf(2)}.gif`), CLOSE])
    expect(add.mock.calls.map(([hit]) => hit.token)).toEqual([tokenOf(2)])
    add.mockRestore()
    isBehind.mockRestore()
  })
})

describe('limits of a connection', () => {
  async function start(limits: Partial<Limits<typeof TRACKING_LIMITS>>): Promise<FastifyInstance> {
    const limited = fastify({ forceCloseConnections: true })
    const campaigns = createCampaignPages(database.db)
    attachFastPath({
      server: limited.server,
      tokenKey: trackingKey,
      journal: { ...tracking.journal, add: () => {} },
      campaigns,
      isTrustedProxy: trustLoopback,
      limits: { ...TRACKING_LIMITS, ...limits },
    })
    await limited.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => limited.close())
    return limited
  }

  function connectTo({ server }: FastifyInstance): Socket {
    const socket = connect(portOf(server.address()), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    return socket
  }

  /** Many opens on a connection that never reads the responses. */
  function flood(socket: Socket): void {
    const opens = get(`/t/o/${tokenOf(1)}.gif`).repeat(500)
    const send = () => {
      while (!socket.destroyed && socket.write(opens));
    }
    socket.pause()
    socket.on('drain', send)
    send()
  }

  const countOpen = ({ server }: FastifyInstance) =>
    new Promise<number>(resolve => void server.getConnections((_, count) => resolve(count)))

  it.each([
    ['nothing', ''],
    ['a partial open', 'GET /t/o/'],
    ['an open without its last header', `GET /t/o/${'A'.repeat(34)}.gif HTTP/1.1\r\nHost: a\r\n`],
  ])('responds with 408 to %s', async (_, begun) => {
    const socket = connectTo(await start({ headersTimeoutMs: 100 }))
    socket.write(begun)
    expect(statusesOf(await text(socket))).toEqual([408])
  })

  it('responds with 408 to a slow header', async () => {
    const socket = connectTo(await start({ headersTimeoutMs: 100 }))
    socket.write(`GET /t/o/${'A'.repeat(34)}.gif HTTP/1.1\r\nHost: a\r\nX-A: `)
    const dripping = setInterval(() => socket.write('a'), 20)
    socket.once('data', () => clearInterval(dripping))
    const [answer] = await once(socket, 'data')
    expect(statusesOf(String(answer))).toEqual([408])
  })

  it('waits for the next request after a response', async () => {
    const limited = await start({ headersTimeoutMs: 100 })
    const patient = connectTo(limited)
    const answer = text(patient)
    patient.write(get(`/t/o/${tokenOf(1)}.gif`))
    // Another one that times out later.
    await text(connectTo(limited))
    patient.write(get('/none', 'Connection: close'))
    expect(statusesOf(await answer)).toEqual([200, 404])
  })

  it('closes a connection that does not read its responses', async () => {
    const limited = await start({ answerTimeoutMs: 100 })
    flood(connectTo(limited))
    await expect.poll(() => countOpen(limited)).toBe(1)
    await expect.poll(() => countOpen(limited)).toBe(0)
  })

  it('limits connections that do not read', async () => {
    const limited = await start({ stalledConnections: 1 })
    const sockets = [connectTo(limited), connectTo(limited), connectTo(limited)]
    for (const socket of sockets) flood(socket)
    await expect.poll(() => countOpen(limited)).toBe(1)
  })

  it('responds to all requests of a slow reader', async () => {
    const limited = await start({})
    const socket = connectTo(limited)
    const opens = 40_000
    socket.pause()
    socket.write(get(`/t/o/${tokenOf(1)}.gif`).repeat(opens))
    socket.write(get('/none', 'Connection: close'))
    // Another one is served while the first waits.
    const other = await fetch(`http://127.0.0.1:${portOf(limited.server.address())}/none`)
    expect(other.status).toBe(404)
    const statuses = statusesOf(await text(socket))
    expect(statuses.slice(0, -1)).toEqual(Array(opens).fill(200))
    expect(statuses.at(-1)).toBe(404)
  })
})

describe('unsubscribing', () => {
  const paths = [
    (token: string) => `/u/${token}`,
    (token: string) => `/u/${token}/`,
    (token: string) => `/u/${token}?List-Unsubscribe=One-Click`,
    (token: string) => `/u/${token}?action=unsubscribe`,
    (token: string) => `/u/${token}/preferences`,
    (token: string) => `/u/${token}/preferences?action=unsubscribe`,
    (token: string) => `/u/${token}/preferences?action=save&frequency=month`,
    (token: string) => `/U/${token}`,
    (token: string) => `//u/${token}`,
    (token: string) => `/u/./${token}`,
    (token: string) => `/u/${token}#List-Unsubscribe=One-Click`,
    (token: string) => `/t/b/${token}?List-Unsubscribe=One-Click`,
    (token: string) => `/u/${token}/confirm`,
  ]
  const bodies: string[][] = [
    [],
    [
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 26',
      '',
      'List-Unsubscribe=One-Click',
    ],
    ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 18', '', 'action=unsubscribe'],
  ]
  const methods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']
  const overrides = [[], ['X-HTTP-Method-Override: POST'], ['X-Method-Override: POST']]

  it.each(methods)('does not happen for %s, whatever the URL, the body and the headers', async method => {
    for (const path of paths)
      for (const override of overrides)
        for (const body of bodies) {
          const head = [
            `${method} ${path(tokenOf(1))} HTTP/1.1`,
            'Host: a.example',
            'Connection: close',
            ...override,
          ]
          const [fields, content] = body.length > 0 ? [body.slice(0, -2), body.at(-1) ?? ''] : [[], '']
          await ask([[...head, ...fields, '', content].join('\r\n')])
        }
    const { rows } = await sql`
      select from ${sql.id('members', `t${tenant.memberTableId}`)} where dateunjoin is not null`.execute(
      tenant.db,
    )
    expect(rows).toHaveLength(0)
    expect((await events(0)).filter(event => event.type === 'unsubscribe')).toEqual([])
  })

  it('happens for POST to the same URL', async () => {
    const body = 'List-Unsubscribe=One-Click'
    const answer = await ask([
      [
        `POST /u/${tokenOf(1)} HTTP/1.1`,
        'Host: a.example',
        'Connection: close',
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    ])
    expect(statusesOf(answer)).toEqual([200])
    expect(await events(1)).toMatchObject([{ type: 'unsubscribe', source: 'one-click', member_id: 1 }])
  })
})

const CLOSE = 'GET /none HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n'

function get(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: a.example', ...headers, '\r\n'].join('\r\n')
}

function tokenOf(memberId: number, other: Partial<Token> = {}): string {
  return signToken(trackingKey, { kind: 'campaign', ...campaign, memberId, ...other }, 'page')
}

/** Sends fragments one by one and returns all data until the server closes. */
async function ask(pieces: readonly string[]): Promise<string> {
  const socket = connect(portOf(tracking.app.server.address()), '127.0.0.1')
  socket.setNoDelay()
  socket.setEncoding('latin1')
  const answer = text(socket)
  for (const piece of pieces) {
    if (socket.destroyed) break
    await new Promise<void>(resolve => socket.write(piece, 'latin1', () => setImmediate(resolve)))
  }
  return answer.catch(() => '')
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}

function statusesOf(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(found => Number(found[1]))
}

/** Parses the first response; the one after it is known. */
function parse(answers: string) {
  const end = answers.indexOf('\r\n\r\n')
  const [head, rest] = [answers.slice(0, end), answers.slice(end + 4)]
  const [line = '', ...fields] = head.split('\r\n')
  const headers: Record<string, string> = Object.fromEntries(
    fields.map(field => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  return {
    status: Number(line.split(' ')[1]),
    headers,
    body: rest.slice(0, Number(headers['content-length'] ?? 0)),
  }
}

/** Tracking events since the test began. */
async function events(count: number) {
  const read = () =>
    database.db
      .selectFrom('event')
      .selectAll()
      .where('ts', '>=', began)
      .orderBy('ts')
      .orderBy('event_id')
      .execute()
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count)
  return read()
}
