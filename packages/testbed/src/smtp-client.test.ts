import { buffer } from 'node:stream/consumers'
import { buildMail, mailBytes } from '@emma/mail/mime/build-mail.ts'
import { compileMime } from '@emma/mail/mime/compile-mime.ts'
import { createPool, type SmtpPoolOptions } from '@emma/mail/smtp/pool.ts'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'

/** The client with an independent server: TLS, authentication and hundreds of messages. */

const servers: SMTPServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

interface Received {
  from: string
  to: string
  secure: boolean
  raw: Buffer
}

async function listen(options: SMTPServerOptions = {}): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    ...TEST_CERTIFICATE,
    disableReverseLookup: true,
    authOptional: true,
    onRcptTo({ address }, _, done) {
      if (address.startsWith('gone'))
        done(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 }))
      else done()
    },
    async onData(stream, session, done) {
      const raw = await buffer(stream)
      const { mailFrom, rcptTo } = session.envelope
      const from = mailFrom === false ? '' : mailFrom.address
      received.push({ from, to: rcptTo[0]!.address, secure: session.secure, raw })
      done()
    },
    ...options,
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, received }
}

const mail = compileMime({
  subject: ['Hello ', data => data.token],
  html: ['<p>', data => data.token, '</p>\n.\n'],
  text: ['.', data => data.token],
  headers: { from: { name: 'Müller', address: 'news@example.com' } },
})

function messageFor(address: string, token: string): Buffer[] {
  const data = { member: {}, campaign: {}, client: {}, token, pageToken: token }
  return mailBytes(
    buildMail(mail, { data, to: { address }, messageId: `${token}@example.com`, date: new Date() }),
  )
}

function poolFor(port: number, options: Partial<SmtpPoolOptions> = {}) {
  const place = { host: '127.0.0.1', port, name: 'mta.example.com' }
  return createPool({ ...place, tls: 'opportunistic', connections: 3, ...options })
}

describe('the SMTP client with smtp-server', () => {
  it('delivers each message once, complete and to its own recipient, over TLS', async () => {
    const { port, received } = await listen()
    const pool = poolFor(port, { maxMessages: 40 })
    const names = Array.from({ length: 200 }, (_, index) =>
      index % 10 === 3 ? `gone${index}` : `user${index}`,
    )
    const outcomes = await Promise.all(
      names.map(name => {
        const to = `${name}@example.net`
        return pool.send({ from: `b-${name}@example.com`, to }, messageFor(to, name), { prepared: true })
      }),
    )
    await pool.close()
    for (const [index, name] of names.entries()) {
      const isGone = name.startsWith('gone')
      expect(outcomes[index]).toMatchObject(
        isGone ? { outcome: 'rejected', class: 'bad-mailbox', hard: true } : { outcome: 'sent' },
      )
    }
    const expected = names.filter(name => !name.startsWith('gone'))
    expect(received.map(({ to }) => to).toSorted()).toEqual(
      expected.map(name => `${name}@example.net`).toSorted(),
    )
    for (const { from, to, secure, raw } of received) {
      const [name] = to.split('@')
      expect({ from, secure }).toEqual({ from: `b-${name}@example.com`, secure: true })
      const parsed = await PostalMime.parse(raw)
      expect(parsed).toMatchObject({ subject: `Hello ${name}`, html: `<p>${name}</p>\n.\n\n` })
      expect(parsed.text?.trim()).toBe(`.${name}`)
    }
  })

  it.each(['PLAIN', 'LOGIN'])(
    'authenticates with %s over implicit TLS and sends to an address outside ASCII',
    async method => {
      const { port, received } = await listen({
        secure: true,
        authOptional: false,
        authMethods: [method],
        onAuth({ username, password }, _, done) {
          done(username === 'emma' && password === 'gehéim' ? null : new Error('no'), { user: username })
        },
      })
      const auth = { user: 'emma', password: 'gehéim' }
      const pool = poolFor(port, { tls: 'implicit', tlsOptions: { rejectUnauthorized: false }, auth })
      const to = 'jörg@xn--kfer-loa.example'
      expect(await pool.send({ from: '', to }, messageFor(to, 'tok'), { prepared: true })).toMatchObject({
        outcome: 'sent',
      })
      await pool.close()
      expect(received).toMatchObject([{ from: '', secure: true }])
      expect((await PostalMime.parse(received[0]!.raw)).to).toMatchObject([{ address: to }])
    },
  )

  it('sends any other content as one message', async () => {
    const { port, received } = await listen()
    const pool = poolFor(port)
    const evil = [Buffer.from('Subject: x\n\na\n.\nMAIL FROM:<x@example.org>\n\r.\r\n..\r\nend')]
    expect(await pool.send({ from: 'a@example.com', to: 'b@example.net' }, evil)).toMatchObject({
      outcome: 'sent',
    })
    await pool.close()
    expect(received.map(({ raw }) => raw.toString())).toEqual([
      'Subject: x\r\n\r\na\r\n.\r\nMAIL FROM:<x@example.org>\r\n\r\n.\r\n..\r\nend\r\n',
    ])
  })
})
