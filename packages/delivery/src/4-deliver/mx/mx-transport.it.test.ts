import { createHash, X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { freePort } from '@emma/testbed/test/free-port.ts'
import { type Answer, AUTHENTIC_DATA, decode, encode } from 'dns-packet'
import { SMTPServer } from 'smtp-server'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createDnsClient } from './dns-client.ts'
import { createStsPolicies } from './mta-sts.ts'
import { createMxTransport, type MxOptions } from './mx-transport.ts'
import { TEST_CERTIFICATES } from '../../test/certificates.ts'
import type { Transport } from '../transport-interface.ts'

const { authority, certificate, key } = TEST_CERTIFICATES
const MAIL = [Buffer.from('From: a@b.test\r\nSubject: x\r\n\r\nHello\r\n')]

interface Mx {
  taken: string[]
  connections: number
  sessions: { secure: boolean; helo: string; from: string }[]
}

let zone: Zone
/** Names without DNSSEC. */
let unsigned: Set<string>
let policies: Map<string, string>
let port: number
beforeEach(async () => {
  zone = new Map()
  unsigned = new Set()
  policies = new Map()
  port = await freePort()
})

describe('direct delivery', () => {
  it('uses the exchanger of lowest preference, with TLS if offered', async () => {
    const [first, second] = [await startMx('127.0.0.2'), await startMx('127.0.0.3')]
    mx('one.test', ['20 b.hosts.test', '10 a.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    a('b.hosts.test', '127.0.0.3')
    expect(await send('ann@one.test')).toMatchObject({ kind: 'sent', reply: { code: 250 } })
    expect(first).toMatchObject({ taken: ['ann@one.test'], sessions: [{ secure: true }] })
    expect(second.taken).toEqual([])
  })

  it('falls back to the next exchanger, and to plain text if TLS fails', async () => {
    const plain = await startMx('127.0.0.3', { isTlsBroken: true })
    mx('one.test', ['10 gone.hosts.test', '20 b.hosts.test'])
    a('gone.hosts.test', '127.0.0.4')
    a('b.hosts.test', '127.0.0.3')
    expect(await send('ann@one.test')).toMatchObject({ kind: 'sent' })
    expect(plain).toMatchObject({ taken: ['ann@one.test'], sessions: [{ secure: false }] })
  })

  it('distributes over exchangers of equal preference', async () => {
    const [first, second] = [await startMx('127.0.0.2'), await startMx('127.0.0.3')]
    mx('one.test', ['10 a.hosts.test', '10 b.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    a('b.hosts.test', '127.0.0.3')
    // 30 connections, one after the other: all to the same host is a chance of one in 500 million.
    for (let index = 0; index < 30; index++) {
      const transport = open()
      await transport.send(envelope('ann@one.test'), MAIL)
      await transport.close()
    }
    expect(first.taken.length).toBeGreaterThan(0)
    expect(second.taken.length).toBeGreaterThan(0)
  })

  it('shares connections among domains with the same exchangers', async () => {
    const server = await startMx('127.0.0.2')
    for (const domain of ['one.test', 'two.test', 'three.test']) mx(domain, ['10 a.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    const transport = open()
    for (const domain of ['one.test', 'two.test', 'three.test'])
      await transport.send(envelope(`ann@${domain}`), MAIL)
    expect(server.taken).toHaveLength(3)
    expect(server.connections).toBe(1)
  })

  it('limits the connections per host', async () => {
    const server = await startMx('127.0.0.2', { delay: 30 })
    mx('one.test', ['10 a.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    const transport = open({ connections: 20 })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => transport.send(envelope(`p${index}@one.test`), MAIL)),
    )
    expect(server.taken).toHaveLength(20)
    expect(server.connections).toBe(4)
  })

  it('uses the domain itself if it has no MX', async () => {
    const server = await startMx('127.0.0.2')
    a('bare.test', '127.0.0.2')
    expect(await send('ann@bare.test')).toMatchObject({ kind: 'sent' })
    expect(server.taken).toEqual(['ann@bare.test'])
  })

  it('follows a CNAME, and finds an IPv6-only server', async () => {
    const server = await startMx('::1')
    zone.set('A alias.test', [{ type: 'CNAME', name: 'alias.test', data: 'real.test' }])
    zone.set('AAAA alias.test', [
      { type: 'CNAME', name: 'alias.test', data: 'real.test' },
      { type: 'AAAA', name: 'real.test', data: '::1' },
    ])
    mx('one.test', ['10 alias.test'])
    expect(await send('ann@alias.test')).toMatchObject({ kind: 'sent' })
    expect(await send('ann@one.test')).toMatchObject({ kind: 'sent' })
    expect(server.taken).toEqual(['ann@alias.test', 'ann@one.test'])
  })

  it('rejects an address in place of a host name', async () => {
    const server = await startMx('127.0.0.2')
    mx('literal.test', ['10 127.0.0.2'])
    a('127.0.0.2', '127.0.0.2')
    expect(await send('ann@literal.test')).toMatchObject({ kind: 'deferred' })
    for (const to of ['ann@[127.0.0.2]', 'ann@[::1]', 'ann@', 'ann'])
      expect({ to, kind: (await send(to)).kind }).toMatchObject({ to, kind: 'rejected' })
    expect(server.connections).toBe(0)
  })

  it('rejects permanently for a null MX and for a domain that does not exist', async () => {
    mx('null.test', ['0 .'])
    a('null.test', '127.0.0.2')
    const hard = (enhanced: string) => ({
      kind: 'rejected',
      reply: { enhanced, class: 'bad-domain', hard: true },
    })
    expect(await send('ann@null.test')).toMatchObject(hard('5.1.10'))
    expect(await send('ann@nowhere.test')).toMatchObject(hard('5.1.2'))
  })

  it('defers while DNS or all exchangers are unavailable', async () => {
    zone.set('MX broken.test', 'SERVFAIL')
    mx('away.test', ['10 a.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    expect(await send('ann@broken.test')).toMatchObject({ kind: 'deferred', reply: { hard: false } })
    expect(await send('ann@away.test')).toMatchObject({ kind: 'deferred', reply: { class: 'connection' } })
  })

  it('defers a greylisted message and preserves the reply of a rejection', async () => {
    const server = await startMx('127.0.0.2', { isGreylisting: true })
    mx('one.test', ['10 a.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    const transport = open()
    const mail = () => transport.send(envelope('ann@one.test'), MAIL)
    expect(await mail()).toMatchObject({ kind: 'deferred', reply: { code: 451 } })
    expect(await mail()).toMatchObject({ kind: 'sent' })
    expect(server.taken).toEqual(['ann@one.test'])
    expect(await transport.send(envelope('nobody@one.test'), MAIL)).toMatchObject({
      kind: 'rejected',
      reply: { code: 550, class: 'bad-mailbox', hard: true },
    })
  })

  it('does not connect to private addresses, whatever a domain publishes', async () => {
    const server = await startMx('127.0.0.2')
    mx('inner.test', ['10 a.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    const outcome = await open({}, { allowPrivate: false }).send(envelope('ann@inner.test'), MAIL)
    expect(outcome).toMatchObject({ kind: 'deferred', reply: { text: expect.stringContaining('private') } })
    expect(server.connections).toBe(0)
  })

  it('rotates its source addresses, each with its own HELO name', async () => {
    const server = await startMx('127.0.0.2', { closesAfterEach: true })
    mx('one.test', ['10 a.hosts.test'])
    a('a.hosts.test', '127.0.0.2')
    const sources = [
      { address: '127.0.0.11', helo: 'm1.sender.test' },
      { address: '127.0.0.12', helo: 'm2.sender.test' },
    ]
    for (let index = 0; index < 2; index++) {
      const transport = open({ sources: index === 0 ? sources : sources.toReversed() })
      await transport.send(envelope('ann@one.test'), MAIL)
      await transport.close()
    }
    expect(server.sessions.map(({ from, helo }) => ({ from, helo }))).toEqual([
      { from: '127.0.0.11', helo: 'm1.sender.test' },
      { from: '127.0.0.12', helo: 'm2.sender.test' },
    ])
  })
})

describe('MTA-STS', () => {
  it('delivers if the certificate is valid', async () => {
    const server = await startMx('127.0.0.2')
    mx('safe.test', ['10 mx.safe.test'])
    a('mx.safe.test', '127.0.0.2')
    demand('safe.test', policy('enforce', '*.safe.test'))
    expect(await send('ann@safe.test')).toMatchObject({ kind: 'sent' })
    expect(server.sessions).toMatchObject([{ secure: true }])
  })

  it.each([
    ['broken TLS', 'mx.safe.test', '*.safe.test', { isTlsBroken: true }],
    ['STARTTLS stripped from the EHLO reply', 'mx.safe.test', '*.safe.test', { isTlsHidden: true }],
    ['a certificate for another name', 'mx.wrong.test', '*.wrong.test', {}],
    ['a host that is not in the policy', 'mx.safe.test', 'mx.other.test', {}],
  ])('defers, never in plain text, for %s', async (_, host, pattern, options) => {
    const server = await startMx('127.0.0.2', options)
    mx('safe.test', [`10 ${host}`])
    a(host, '127.0.0.2')
    demand('safe.test', policy('enforce', pattern))
    expect(await send('ann@safe.test')).toMatchObject({ kind: 'deferred' })
    expect(server.taken).toEqual([])
    // Testing mode does not prevent delivery.
    demand('safe.test', policy('testing', pattern))
    expect(await send('ann@safe.test')).toMatchObject({ kind: 'sent' })
  })
})

describe('DANE', () => {
  it('delivers if the certificate matches the TLSA record, with any issuer', async () => {
    const server = await startDane('mx.any.test')
    const { publicKey } = new X509Certificate(certificate)
    tlsa('mx.any.test', 3, 1, 1, hash(publicKey.export({ type: 'spki', format: 'der' })))
    expect(await send('ann@dane.test')).toMatchObject({ kind: 'sent' })
    expect(server.sessions).toMatchObject([{ secure: true }])
  })

  it('delivers if the CA of the record signed the right name', async () => {
    await startDane('mx.safe.test')
    tlsa('mx.safe.test', 2, 0, 1, hash(new X509Certificate(authority).raw))
    expect(await send('ann@dane.test')).toMatchObject({ kind: 'sent' })
  })

  it('defers for another certificate, also if the CA signed another name', async () => {
    const server = await startDane('mx.any.test')
    tlsa('mx.any.test', 3, 1, 1, Buffer.alloc(32, 1))
    expect(await send('ann@dane.test')).toMatchObject({ kind: 'deferred' })
    tlsa('mx.any.test', 2, 0, 1, hash(new X509Certificate(authority).raw))
    expect(await send('ann@dane.test')).toMatchObject({ kind: 'deferred' })
    expect(server.taken).toEqual([])
  })

  it('checks each domain separately, even if they share servers', async () => {
    const server = await startDane('mx.any.test')
    mx('plain.test', ['10 mx.any.test'])
    unsigned.add('plain.test')
    tlsa('mx.any.test', 3, 1, 1, Buffer.alloc(32, 1))
    const transport = open()
    expect(await transport.send(envelope('ann@plain.test'), MAIL)).toMatchObject({ kind: 'sent' })
    expect(await transport.send(envelope('ann@dane.test'), MAIL)).toMatchObject({ kind: 'deferred' })
    expect(server.taken).toEqual(['ann@plain.test'])
  })

  it('is not bypassed by a partial DNS answer', async () => {
    const server = await startDane('mx.any.test')
    tlsa('mx.any.test', 3, 1, 1, Buffer.alloc(32, 1))
    zone.set('AAAA mx.any.test', 'SERVFAIL')
    expect(await send('ann@dane.test')).toMatchObject({ kind: 'deferred' })
    expect(server.taken).toEqual([])
  })

  it.each([
    ['STARTTLS stripped', { isTlsHidden: true }],
    ['broken', { isTlsBroken: true }],
  ])('requires TLS for unusable records: %s', async (_, behaviour) => {
    const server = await startMx('127.0.0.2', behaviour)
    mx('dane.test', ['10 mx.any.test'])
    a('mx.any.test', '127.0.0.2')
    tlsa('mx.any.test', 1, 1, 1, Buffer.alloc(32, 1))
    expect(await send('ann@dane.test')).toMatchObject({ kind: 'deferred' })
    expect(server.taken).toEqual([])
  })

  it('ignores records without DNSSEC validation', async () => {
    await startDane('mx.any.test')
    tlsa('mx.any.test', 3, 1, 1, Buffer.alloc(32, 1))
    const outcome = await open({}, { isTrusted: false }).send(envelope('ann@dane.test'), MAIL)
    expect(outcome).toMatchObject({ kind: 'sent' })
  })

  it('does not use a host whose record lookup fails', async () => {
    const server = await startDane('mx.any.test')
    zone.set(`TLSA _${port}._tcp.mx.any.test`, 'SERVFAIL')
    expect(await send('ann@dane.test')).toMatchObject({ kind: 'deferred' })
    expect(server.taken).toEqual([])
  })
})

function policy(mode: string, host: string): string {
  return `version: STSv1\r\nmode: ${mode}\r\nmx: ${host}\r\nmax_age: 86400\r\n`
}

function demand(domain: string, text: string): void {
  zone.set(`TXT _mta-sts.${domain}`, [{ type: 'TXT', name: '', data: 'v=STSv1; id=1;' }])
  policies.set(`https://mta-sts.${domain}/.well-known/mta-sts.txt`, text)
}

function hash(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function tlsa(host: string, usage: number, selector: number, matchingType: number, data: Buffer): void {
  zone.set(`TLSA _${port}._tcp.${host}`, [
    { type: 'TLSA', name: '', data: { usage, selector, matchingType, certificate: data } },
  ])
}

function startDane(host: string): Promise<Mx> {
  mx('dane.test', [`10 ${host}`])
  a(host, '127.0.0.2')
  return startMx('127.0.0.2')
}

type Zone = Map<string, Answer[] | 'SERVFAIL'>

function mx(domain: string, hosts: readonly string[]): void {
  zone.set(
    `MX ${domain}`,
    hosts.map(host => {
      const [preference, exchange = ''] = host.split(' ')
      return { type: 'MX', name: domain, data: { preference: Number(preference), exchange } }
    }),
  )
}

function a(host: string, address: string): void {
  zone.set(`A ${host}`, [{ type: 'A', name: host, data: address }])
}

function envelope(to: string) {
  return { from: 'b-1@bounce.sender.test', to }
}

/** With a new transport: no caches between sends. */
async function send(to: string) {
  const transport = open()
  const outcome = await transport.send(envelope(to), MAIL)
  await transport.close()
  return outcome
}

function open(options: Partial<MxOptions> = {}, { allowPrivate = true, isTrusted = true } = {}): Transport {
  const ask = async (name: string, type: string) => {
    const server = await startDns()
    const client = createDnsClient({ servers: [`127.0.0.1:${server.port}`], isTrusted, timeout: 20_000 })
    const answer = client.ask(
      name,
      type === 'A' || type === 'AAAA' || type === 'MX' || type === 'TXT' ? type : 'TLSA',
    )
    return answer.finally(() => server.close())
  }
  const dns = { ask }
  const policyTexts = createStsPolicies(dns, async url => policies.get(url) ?? null)
  const transport = createMxTransport(
    { connections: 10, sources: [], helo: 'engine.test', ...options },
    { dns, policies: policyTexts, allowPrivate, port, ca: authority },
  )
  onTestFinished(() => transport.close())
  return transport
}

/** Serves the zone, all answers validated. */
async function startDns() {
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const query = decode(message)
    const [question] = query.questions ?? []
    const name = question?.name ?? ''
    const found = zone.get(`${question?.type} ${name}`)
    const exists = [...zone.keys()].some(entry => entry.endsWith(` ${name}`))
    const code = found === 'SERVFAIL' ? 2 : exists ? 0 : 3
    const answers = Array.isArray(found)
      ? found.map(answer => ({ ...answer, name: answer.name || name, ttl: 60 }))
      : []
    socket.send(
      encode({
        type: 'response',
        id: query.id ?? 0,
        flags: unsigned.has(name) ? code : AUTHENTIC_DATA | code,
        questions: query.questions ?? [],
        answers,
      }),
      from.port,
      from.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => socket.close() }
}

interface MxBehaviour {
  isTlsBroken?: boolean
  isTlsHidden?: boolean
  isGreylisting?: boolean
  closesAfterEach?: boolean
  delay?: number
}

async function startMx(address: string, behaviour: MxBehaviour = {}): Promise<Mx> {
  const server: Mx = { taken: [], connections: 0, sessions: [] }
  const seen = new Set<string>()
  const smtp = new SMTPServer({
    logger: false,
    hideSTARTTLS: behaviour.isTlsHidden ?? false,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    key,
    cert: `${certificate}${authority}`,
    // A TLS version that our client does not support.
    ...(behaviour.isTlsBroken ? { maxVersion: 'TLSv1.1' as const, minVersion: 'TLSv1.1' as const } : {}),
    onConnect(_session, done) {
      server.connections++
      done()
    },
    onRcptTo({ address: recipient }, _session, done) {
      if (recipient.startsWith('nobody@'))
        return done(Object.assign(new Error('5.1.1 No such user here'), { responseCode: 550 }))
      if (!behaviour.isGreylisting || seen.has(recipient)) return done()
      seen.add(recipient)
      done(Object.assign(new Error('4.7.1 Greylisted, try again later'), { responseCode: 451 }))
    },
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        server.taken.push(...session.envelope.rcptTo.map(({ address: recipient }) => recipient))
        server.sessions.push({
          secure: session.secure,
          helo: session.hostNameAppearsAs,
          from: session.remoteAddress,
        })
        setTimeout(done, behaviour.delay ?? 0)
      })
    },
  })
  smtp.on('error', () => {})
  const listening = smtp.listen(port, address)
  if (!listening.listening) await once(listening, 'listening')
  onTestFinished(() => new Promise<void>(resolve => smtp.close(() => resolve())))
  return server
}
