import { once } from 'node:events'
import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTransport, TransportFault, type TransportHouse, type TransportSettings } from './transport.ts'

const MAIL = [Buffer.from('From: a@b.test\r\nSubject: x\r\n\r\nHello\r\n')]
const ENVELOPE = { from: 'b-1@bounce.sender.test', to: 'ann@gmx.test' }

describe('openTransport', () => {
  it('signs in where the mail class has a login', async () => {
    const server = await startServer({ user: 'emma', password: 'sesame' })
    const transport = open(server.port, { auth: { user: 'emma', password: 'sesame' } })
    expect(await transport.send(ENVELOPE, MAIL)).toMatchObject({ kind: 'sent', reply: { code: 250 } })
    expect(server.taken).toEqual(['ann@gmx.test'])
  })

  it('calls a refused login no fault of the recipient', async () => {
    const server = await startServer({ user: 'emma', password: 'sesame' })
    const transport = open(server.port, { auth: { user: 'emma', password: 'wrong' } })
    expect(await transport.send(ENVELOPE, MAIL)).toMatchObject({ kind: 'returned' })
    expect(server.taken).toEqual([])
  })

  it('calls a next hop that is not there no fault of the recipient', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const port = portOf(gone.address())
    gone.close()
    expect(await open(port).send(ENVELOPE, MAIL)).toMatchObject({ kind: 'returned' })
  })

  it('tells a refused recipient, with what the server said', async () => {
    const server = await startServer(null)
    const outcome = await open(server.port).send({ ...ENVELOPE, to: 'nobody@gmx.test' }, MAIL)
    expect(outcome).toMatchObject({
      kind: 'rejected',
      reply: { code: 550, enhanced: '5.1.1', hard: true, class: 'bad-mailbox' },
    })
  })

  it.each(['mx.example.com', '192.0.2.1', '10.0.0.1', '2001:db8::1', '127.0.0.1.example.com'])(
    'does not leave this machine while real delivery is off: %s',
    host => {
      const settings = { ...SMTP, host, port: 25 }
      expect(() => openTransport(settings, HOUSE)).toThrow(TransportFault)
      expect(() => openTransport(settings, { ...HOUSE, realDelivery: true })).not.toThrow()
    },
  )
})

const HOUSE: TransportHouse = {
  testbed: { host: '127.0.0.1', port: 1 },
  realDelivery: false,
  helo: 'engine.test',
}
const SMTP = { transport: 'smtp', connections: 1, host: '127.0.0.1', tls: 'none', auth: null } as const

function open(port: number, more: Partial<Extract<TransportSettings, { transport: 'smtp' }>> = {}) {
  const transport = openTransport({ ...SMTP, port, ...more }, HOUSE)
  onTestFinished(() => transport.close())
  return transport
}

async function startServer(login: { user: string; password: string } | null) {
  const taken: string[] = []
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
      stream.resume()
      stream.on('end', () => {
        taken.push(...session.envelope.rcptTo.map(recipient => recipient.address))
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  if (!listening.listening) await once(listening, 'listening')
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { port: portOf(listening.address()), taken }
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address ? address.port : 0
}
