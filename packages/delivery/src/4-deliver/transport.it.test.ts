import { openSession } from '@emma/mail/smtp/handshake.ts'
import { publicLookup } from './relay-rule.ts'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTransport, TransportFault, type TransportContext, type TransportSettings } from './transport.ts'

const MAIL = [Buffer.from('From: a@b.test\r\nSubject: x\r\n\r\nHello\r\n')]
const ENVELOPE = { from: 'b-1@bounce.sender.test', to: 'ann@gmx.test' }

describe('openTransport', () => {
  it('authenticates if the mail class has a login', async () => {
    const server = await startServer({ user: 'emma', password: 'sesame' })
    const transport = open(server.port, { auth: { user: 'emma', password: 'sesame' } })
    expect(await transport.send(ENVELOPE, MAIL)).toMatchObject({ kind: 'sent', reply: { code: 250 } })
    expect(server.taken).toEqual(['ann@gmx.test'])
  })

  it("does not count a rejected login as a recipient's fault", async () => {
    const server = await startServer({ user: 'emma', password: 'sesame' })
    const transport = open(server.port, { auth: { user: 'emma', password: 'wrong' } })
    expect(await transport.send(ENVELOPE, MAIL)).toMatchObject({ kind: 'returned' })
    expect(server.taken).toEqual([])
  })

  it("does not count an unreachable next hop as a recipient's fault", async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const port = portOf(gone.address())
    gone.close()
    expect(await open(port).send(ENVELOPE, MAIL)).toMatchObject({ kind: 'returned' })
  })

  it("reports a rejected recipient with the server's reply", async () => {
    const server = await startServer(null)
    const outcome = await open(server.port).send({ ...ENVELOPE, to: 'nobody@gmx.test' }, MAIL)
    expect(outcome).toMatchObject({
      kind: 'rejected',
      reply: { code: 550, enhanced: '5.1.1', hard: true, class: 'bad-mailbox' },
    })
  })

  it('adds virtual MTA and job for the relay before all other fields, and for relays only', async () => {
    const server = await startServer(null)
    const headers = [
      { name: 'X-Virtual-MTA', value: 'pool-a' },
      { name: 'X-Job', value: '{client}-{campaign}' },
    ]
    const of = { clientId: 3, campaignId: 7 }
    expect(await open(server.port, { headers }).send(ENVELOPE, MAIL, of)).toMatchObject({ kind: 'sent' })
    await open(server.port).send(ENVELOPE, MAIL, of)
    expect(server.texts).toEqual([
      `X-Virtual-MTA: pool-a\r\nX-Job: 3-7\r\n${String(MAIL[0])}`,
      String(MAIL[0]),
    ])
  })

  it('uses the next login if one is rejected, and reports it once', async () => {
    const first = await startServer({ user: 'emma', password: 'sesame' })
    const second = await startServer({ user: 'other', password: 'open' })
    const told: unknown[] = []
    const fallback = { ...SMTP, via: 'smtp', id: 5, port: second.port } as const
    const transport = openTransport(
      {
        ...SMTP,
        port: first.port,
        auth: { user: 'emma', password: 'wrong' },
        fallbacks: [{ ...fallback, auth: { user: 'other', password: 'open' } }],
      },
      { ...CONTEXT, onRefusedLogin: (id, reason) => told.push([id, reason]) },
    )
    onTestFinished(() => transport.close())
    const outcomes = await Promise.all([1, 2, 3].map(() => transport.send(ENVELOPE, MAIL)))
    outcomes.push(await transport.send(ENVELOPE, MAIL))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent', 'sent'])
    expect(first.taken).toEqual([])
    expect(second.taken).toHaveLength(4)
    expect(told).toEqual([[null, expect.any(String)]])
  })

  it('delivers to no external server while real delivery is off', () => {
    const mx = { transport: 'mx', connections: 1, sources: [] } as const
    expect(() => openTransport(mx, CONTEXT)).toThrow('Real delivery is switched off')
    const login = {
      via: 'mailgun',
      id: 1,
      username: '',
      secret: 'x',
      region: null,
      domain: 'a.test',
    } as const
    const api = { ...login, stream: null, configurationSet: null, baseUrl: null }
    const esp = { transport: 'esp', connections: 1, logins: [api] } as const
    expect(() => openTransport(esp, CONTEXT)).toThrow('sends over api.mailgun.net')
    expect(() => openTransport({ ...esp, logins: [] }, CONTEXT)).toThrow('names no sending service')
  })

  it.each(['mx.example.com', '192.0.2.1', '10.0.0.1', '2001:db8::1', '127.0.0.1.example.com'])(
    'does not leave this machine while real delivery is off: %s',
    host => {
      const settings = { ...SMTP, host, port: 25 }
      expect(() => openTransport(settings, CONTEXT)).toThrow(TransportFault)
      const allowed = { ...CONTEXT, realDelivery: true, allowPrivate: true }
      expect(() => openTransport(settings, allowed)).not.toThrow()
    },
  )

  it.each([
    ['127.0.0.1', 25],
    ['10.0.0.5', 25],
    ['169.254.169.254', 587],
    ['::1', 465],
    ['::ffff:127.0.0.1', 25],
    ['mx.example.com', 6379],
  ])('relay: rejects private addresses and ports of other services: %s port %s', (host, port) => {
    const settings = { ...SMTP, host, port }
    const context = { ...CONTEXT, isRelay: () => false, realDelivery: true }
    expect(() => openTransport(settings, context)).toThrow('is not a public mail server')
    const relays = { ...context, isRelay: (name: string, at: number) => name === host && at === port }
    expect(() => openTransport(settings, relays)).not.toThrow()
  })

  it('relay: does not connect to a name that leads to a private address', async () => {
    const connections: unknown[] = []
    const server = createServer(socket => connections.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const port = portOf(server.address())
    const connect = (lookup?: typeof publicLookup) =>
      openSession({
        host: 'localhost',
        port,
        name: 'engine.test',
        tls: 'off',
        timeouts: { greeting: 100 },
        ...(lookup ? { lookup } : {}),
      })
    await expect(connect(publicLookup)).rejects.toThrow('is not a public address')
    expect(connections).toEqual([])
    await expect(connect()).rejects.toThrow(/time|long|closed|answer/)
    expect(connections).toHaveLength(1)
  })
})

const CONTEXT: TransportContext = {
  testbed: { host: '127.0.0.1', port: 1 },
  realDelivery: false,
  helo: 'engine.test',
  isRelay: host => host === '127.0.0.1',
}
const SMTP = { transport: 'smtp', connections: 1, host: '127.0.0.1', tls: 'none', auth: null } as const

function open(port: number, more: Partial<Extract<TransportSettings, { transport: 'smtp' }>> = {}) {
  const transport = openTransport({ ...SMTP, port, ...more }, CONTEXT)
  onTestFinished(() => transport.close())
  return transport
}

async function startServer(login: { user: string; password: string } | null) {
  const taken: string[] = []
  const texts: string[] = []
  const server = new SMTPServer({
    logger: false,
    authOptional: login === null,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) return done(null, { user: username })
      done(new Error('No'))
    },
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith('nobody@')) return done()
      done(Object.assign(new Error('5.1.1 No such user here'), { responseCode: 550 }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        texts.push(Buffer.concat(chunks).toString())
        taken.push(...session.envelope.rcptTo.map(recipient => recipient.address))
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  if (!listening.listening) await once(listening, 'listening')
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { port: portOf(listening.address()), taken, texts }
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address ? address.port : 0
}
