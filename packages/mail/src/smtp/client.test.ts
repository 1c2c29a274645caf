import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { connect, type SmtpConnection, type SmtpOptions } from './client.ts'
import { SmtpHandshakeError } from './handshake.ts'
import { goodAnswer, type Script, type ScriptedServer, startScriptedServer } from './scripted-server.ts'
import { TEST_CERTIFICATE } from '../test/certificate.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(thing => thing.close()))
})

async function serve(script: Script | Script['answer']): Promise<ScriptedServer> {
  const server = await startScriptedServer(typeof script === 'function' ? { answer: script } : script)
  open.unshift(server)
  return server
}

function dial(server: ScriptedServer, options: Partial<SmtpOptions> = {}): Promise<SmtpConnection> {
  const timeouts = { connect: 2000, greeting: 200, command: 200, data: 200 }
  const place = { host: '127.0.0.1', port: server.port, name: 'mta.example.com', tls: 'off' as const }
  return connect({ ...place, timeouts, ...options })
}

const from = 'b-tok@bounce.example.com'
const to = 'anna@example.net'
const message = [Buffer.from('Subject: x\r\n\r\n'), Buffer.from('Hello\r\n')]
const commandsOf = (server: ScriptedServer) => server.lines.filter(line => !line.startsWith('EHLO'))

const answers: Record<string, string> = {
  'RCPT TO:<nobody@example.net>': '550 5.1.1 User unknown',
  'RCPT TO:<full@example.net>': '452 4.2.2 Mailbox full',
}

describe.each([
  ['with PIPELINING', ['PIPELINING', '8BITMIME']],
  ['without PIPELINING', []],
  ['with PIPELINING and CHUNKING', ['PIPELINING', 'CHUNKING']],
])('a connection %s', (_, extensions) => {
  it('reports an outcome per message and resets the envelope after a rejection', async () => {
    const server = await serve(line => {
      // As strict about transactions as real servers.
      const since = server.lines.slice(0, -1).findLast(earlier => /^(?:MAIL|RSET|BDAT|DATA)/.test(earlier))
      if (line.startsWith('MAIL') && since?.startsWith('MAIL')) return '503 5.5.1 nested MAIL command'
      if (line === 'DATA' && /nobody|full/.test(server.lines.at(-2)!)) return '554 5.5.1 no valid recipients'
      return answers[line] ?? goodAnswer(line, extensions)
    })
    const connection = await dial(server, { chunking: true })
    const names = ['anna', 'nobody', 'full', 'berta']
    const sends = names.map(name => connection.send({ from, to: `${name}@example.net` }, message))
    expect(await Promise.all(sends)).toMatchObject([
      { outcome: 'sent', code: 250, enhanced: '2.0.0', text: 'ok', phase: 'message' },
      { outcome: 'rejected', class: 'bad-mailbox', hard: true, code: 550, phase: 'rcpt' },
      { outcome: 'deferred', class: 'quota', hard: false, code: 452, phase: 'rcpt' },
      { outcome: 'sent' },
    ])
    expect(server.texts).toEqual(['Subject: x\r\n\r\nHello\r\n', 'Subject: x\r\n\r\nHello\r\n'])
    expect(connection.inFlight).toBe(0)
    await connection.close()
    expect(server.lines.at(-1)).toBe('QUIT')
  })
})

describe('pipelining', () => {
  it('sends the next envelope before the reply to the previous text', async () => {
    // The first dot is only answered once the second envelope has arrived, so waiting for that reply would time out.
    const server = await serve(line => {
      if (line === '.' && server.texts.length === 1) return null
      if (line === 'DATA' && server.texts.length === 1) return '250 2.0.0 first\r\n250 ok\r\n250 ok\r\n354 go'
      return server.texts.length === 1 && line !== '.' ? null : goodAnswer(line)
    })
    const connection = await dial(server)
    const sends = [connection.send({ from, to }, message), connection.send({ from, to }, message)]
    const outcomes = Promise.all(sends)
    // The scripted reply begins with 250, so the server does not enter DATA: it treats the dot as a command.
    expect((await outcomes)[0]).toMatchObject({ outcome: 'sent', text: 'first' })
  })

  it('waits for each reply with a depth of 1', async () => {
    const server = await serve(line => {
      if (line === '.') return socket => setTimeout(() => socket.write('250 ok\r\n'), 20)
      return goodAnswer(line)
    })
    const connection = await dial(server, { depth: 1 })
    const first = connection.send({ from, to }, message)
    const second = connection.send({ from, to }, message)
    await first
    expect(commandsOf(server)).toHaveLength(3)
    expect(await second).toMatchObject({ outcome: 'sent' })
    await connection.close()
  })

  it('sends no text if a server requests it after rejecting the recipient', async () => {
    const server = await serve(line => answers[line] ?? goodAnswer(line))
    const connection = await dial(server)
    const refused = connection.send({ from, to: 'nobody@example.net' }, message)
    const sent = connection.send({ from, to }, message)
    expect(await refused).toMatchObject({ outcome: 'rejected', code: 550 })
    expect(await sent).toMatchObject({ outcome: 'sent' })
    expect(server.texts).toEqual(['', 'Subject: x\r\n\r\nHello\r\n'])
    await connection.close()
  })

  it('closes after the maximum number of messages per connection', async () => {
    const server = await serve(line => goodAnswer(line))
    const connection = await dial(server, { maxMessages: 2 })
    const sends = [1, 2, 3].map(() => connection.send({ from, to }, message))
    expect(connection.isOpen).toBe(false)
    expect((await Promise.all(sends)).map(({ outcome }) => outcome)).toEqual(['sent', 'sent', 'deferred'])
    await connection.ended
    expect(server.lines.at(-1)).toBe('QUIT')
  })
})

describe('a lost connection', () => {
  it.each([
    ['after MAIL', 'MAIL', ['deferred', 'deferred']],
    ['instead of the reply to DATA', 'DATA', ['deferred', 'deferred']],
    ['instead of the reply to the dot', '.', ['unknown', 'deferred']],
  ])('%s is unknown only if the message may have been accepted', async (_, word, outcomes) => {
    const server = await serve(line =>
      line.startsWith(word) ? socket => socket.destroy() : goodAnswer(line),
    )
    const connection = await dial(server)
    const sends = [1, 2].map(() => connection.send({ from, to }, message))
    const settled = await Promise.all(sends)
    expect(settled.map(({ outcome }) => outcome)).toEqual(outcomes)
    expect(settled[0]).toMatchObject({ class: 'connection', code: null, hard: false })
    expect(connection.isOpen).toBe(false)
    expect(await connection.send({ from, to }, message)).toMatchObject({ outcome: 'deferred' })
  })

  it('occurs when a server stops replying, even if it sends a byte now and then', async () => {
    const server = await serve(line => {
      if (line !== '.') return goodAnswer(line)
      return socket => {
        const timer = setInterval(() => socket.write('2'), 20)
        socket.on('close', () => clearInterval(timer))
      }
    })
    const connection = await dial(server)
    expect(await connection.send({ from, to }, message)).toMatchObject({
      outcome: 'unknown',
      text: 'The server took too long to answer.',
    })
  })

  it('uses the text of a server that announces why it closes', async () => {
    const server = await serve(line =>
      line.startsWith('MAIL') ? '421 4.7.0 Too many connections from your host' : goodAnswer(line),
    )
    const connection = await dial(server)
    const sends = await Promise.all([1, 2, 3].map(() => connection.send({ from, to }, message)))
    for (const outcome of sends)
      expect(outcome).toMatchObject({ outcome: 'deferred', class: 'rate', code: 421 })
    // The first was rejected; the server never replied to the others.
    expect(sends.map(({ phase }) => phase)).toEqual(['mail', 'connect', 'connect'])
    expect(connection.isOpen).toBe(false)
  })

  it('is detected while the connection is idle', async () => {
    const sockets: Socket[] = []
    const server = await serve({
      greeting: socket => {
        sockets.push(socket)
        socket.write('220 hello\r\n')
      },
      answer: line => goodAnswer(line),
    })
    const connection = await dial(server)
    sockets[0]!.end('421 4.4.2 idle too long\r\n')
    await connection.ended
    expect(connection.isOpen).toBe(false)
  })
})

describe('a server that replies out of turn', () => {
  it.each([
    ['success to DATA', 'DATA', '250 2.0.0 delivered'],
    ['a wait for text to RCPT', 'RCPT', '354 go'],
    ['no reply at all', 'MAIL', 'Content-Type: text/html'],
  ])('is disconnected: %s', async (_, word, said) => {
    const server = await serve(line => (line.startsWith(word) ? said : goodAnswer(line)))
    const connection = await dial(server)
    expect(await connection.send({ from, to }, message)).toMatchObject({ outcome: 'deferred' })
    expect(connection.isOpen).toBe(false)
  })

  it.each(['354 go on', '220 hello again', '221 bye', 'rubbish'])(
    'leaves the outcome unknown if the final dot is answered with %s',
    async said => {
      const server = await serve(line => (line === '.' ? said : goodAnswer(line)))
      const connection = await dial(server)
      const sends = [1, 2].map(() => connection.send({ from, to }, message))
      expect(await Promise.all(sends)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'deferred' }])
      expect(connection.inFlight).toBe(0)
    },
  )

  it('is not taken for the reply to a message', async () => {
    const server = await serve(line =>
      line.startsWith('MAIL') ? '250 a\r\n250 b\r\n354 c\r\n250 d' : goodAnswer(line),
    )
    const connection = await dial(server)
    await connection.send({ from, to }, message)
    const next = await connection.send({ from, to }, message)
    expect(next.outcome).not.toBe('sent')
  })
})

describe('the envelope', () => {
  it('contains the parameters that the server needs', async () => {
    const server = await serve(line => goodAnswer(line, ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 100']))
    const connection = await dial(server)
    await connection.send({ from: '', to }, message, { prepared: true })
    await connection.send({ from, to: 'jörg@example.net' }, message)
    expect(await connection.send({ from, to }, [Buffer.alloc(200, 'a')])).toMatchObject({
      outcome: 'rejected',
      class: 'content',
      hard: false,
    })
    expect(server.lines.filter(line => line.startsWith('MAIL'))).toEqual([
      'MAIL FROM:<> SIZE=21',
      `MAIL FROM:<${from}> SIZE=21 BODY=8BITMIME SMTPUTF8`,
    ])
    await connection.close()
  })

  it('is not sent to a server that does not support it', async () => {
    const server = await serve(line => goodAnswer(line, ['PIPELINING']))
    const connection = await dial(server)
    expect(await connection.send({ from, to: 'jörg@example.net' }, message)).toMatchObject({
      outcome: 'rejected',
      hard: false,
      text: 'The server cannot take addresses outside ASCII (SMTPUTF8).',
    })
    const broken = ['', 'a@b.de>\r\nRCPT TO:<c@d.de', 'a b@c.de', 'a\0@b.de', '<a@b.de>']
    for (const bad of broken)
      expect(await connection.send({ from, to: bad }, message)).toMatchObject({ outcome: 'rejected' })
    expect(await connection.send({ from: 'a@b.de> X', to }, message)).toMatchObject({ outcome: 'rejected' })
    expect(commandsOf(server)).toEqual([])
    await connection.close()
  })

  it('transmits one message, whatever it contains', async () => {
    const server = await serve(line => goodAnswer(line))
    const connection = await dial(server)
    const evil = Buffer.from('a\n.\nMAIL FROM:<x@y.de>\r\n.\r\nRCPT TO:<z@y.de>\r.\rDATA\n.\r\n.x\r\n\r.\n')
    expect(await connection.send({ from, to }, [evil])).toMatchObject({ outcome: 'sent' })
    expect(commandsOf(server)).toHaveLength(3)
    expect(server.texts[0]).not.toMatch(/(?:^|[\r\n])\.[\r\n]/)
    expect(server.texts[0]!.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    await connection.close()
  })
})

describe('connect', () => {
  it.each([
    [
      'a refusal',
      { greeting: '554 5.7.1 Your IP is on our blocklist' },
      { outcome: 'rejected', class: 'reputation', phase: 'greeting' },
    ],
    [
      'a closed connection',
      { greeting: socket => socket.end() },
      { outcome: 'deferred', class: 'connection' },
    ],
    ['silence', { greeting: null }, { outcome: 'deferred', text: 'The server took too long to answer.' }],
    [
      'an endless banner',
      { greeting: socket => socket.write('2'.repeat(1_000_000)) },
      { outcome: 'deferred', phase: 'greeting' },
    ],
    [
      'a banner of endless lines',
      { greeting: socket => socket.write('220-x\r\n'.repeat(150_000)) },
      { outcome: 'deferred', phase: 'greeting' },
    ],
    [
      'another protocol',
      { greeting: 'HTTP/1.1 400 Bad Request' },
      { outcome: 'deferred', text: 'The server sent something that is no SMTP reply.' },
    ],
    ['NUL bytes', { greeting: '\0\0\0' }, { outcome: 'deferred', phase: 'greeting' }],
    [
      'too many connections',
      { greeting: '421 4.7.0 too many connections' },
      { outcome: 'deferred', class: 'rate' },
    ],
  ] satisfies [string, Omit<Script, 'answer'>, object][])('reports %s', async (_, script, outcome) => {
    const server = await serve({ ...script, answer: line => goodAnswer(line) })
    const failure = await dial(server).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SmtpHandshakeError)
    expect(failure).toMatchObject({ outcome })
  })

  it('reports a port where nothing listens', async () => {
    const server = await startScriptedServer({ answer: line => goodAnswer(line) })
    await server.close()
    const failure = await dial(server).catch((error: unknown) => error)
    expect(failure).toMatchObject({ outcome: { outcome: 'deferred', phase: 'connect', class: 'connection' } })
  })

  it('falls back to HELO for an old server', async () => {
    const server = await serve(line => (line.startsWith('EHLO') ? '502 what?' : goodAnswer(line)))
    const connection = await dial(server)
    expect(await connection.send({ from, to }, message)).toMatchObject({ outcome: 'sent' })
    expect(server.lines[1]).toBe('HELO mta.example.com')
    await connection.close()
  })

  it.each([
    ['PLAIN', ['AUTH PLAIN AGFubmEAcMOkc3M=']],
    ['LOGIN', ['AUTH LOGIN', 'YW5uYQ==', 'cMOkc3M=']],
  ])('signs in with %s', async (mechanism, expected) => {
    const server = await serve(line => {
      if (line === 'AUTH LOGIN' || line === 'YW5uYQ==') return '334 VXNlcm5hbWU6'
      if (expected.includes(line)) return '235 2.7.0 welcome'
      return goodAnswer(line, [`AUTH CRAM-MD5 ${mechanism}`])
    })
    const connection = await dial(server, { auth: { user: 'anna', password: 'päss' } })
    expect(commandsOf(server)).toEqual(expected)
    await connection.close()
  })

  it('reports a wrong password', async () => {
    const server = await serve(line =>
      line.startsWith('AUTH') ? '535 5.7.8 wrong' : goodAnswer(line, ['AUTH PLAIN']),
    )
    const failure = await dial(server, { auth: { user: 'a', password: 'b' } }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ outcome: { phase: 'auth', code: 535, hard: false } })
  })

  it('sends no password and no message in plain text if TLS is required', async () => {
    const server = await serve(line => goodAnswer(line, ['AUTH PLAIN']))
    const auth = { user: 'a', password: 'b' }
    await expect(dial(server, { tls: 'opportunistic', auth })).rejects.toThrow('no TLS')
    await expect(dial(server, { tls: 'required' })).rejects.toThrow('no TLS')
    expect(commandsOf(server)).toEqual([])
  })
})

/** Offers STARTTLS, sends `injected` in plain text after its reply, and continues under TLS. */
async function serveTls(injected = ''): Promise<ScriptedServer> {
  return serve(line => {
    if (line !== 'STARTTLS') return goodAnswer(line, ['STARTTLS', 'SIZE 1', 'AUTH PLAIN'])
    return socket => {
      socket.removeAllListeners('data')
      socket.write(`220 go\r\n${injected}`)
      const secure = new TLSSocket(socket, { isServer: true, ...TEST_CERTIFICATE })
      secure.on('error', () => {})
      secure.on('data', chunk => {
        const said = chunk.toString().trim().split('\r\n')
        for (const command of said) secure.write(`${goodAnswer(command, ['PIPELINING'])}\r\n`)
      })
    }
  })
}

describe('STARTTLS', () => {
  const trusted = { ca: TEST_CERTIFICATE.cert, servername: 'localhost' }

  it('discards everything received in plain text, including an injected reply and the extensions', async () => {
    for (const injected of ['', '250-SIZE 1\r\n250 AUTH PLAIN\r\n', '250-half a rep']) {
      const server = await serveTls(injected)
      const connection = await dial(server, { tls: 'required', tlsOptions: trusted })
      // SIZE 1 was offered in plain text only: it would reject this message.
      const sent = connection.send({ from, to }, [Buffer.from('Hello')])
      expect(await sent).toMatchObject({ phase: 'message' })
      expect(commandsOf(server)).toEqual(['STARTTLS'])
    }
  })

  it('verifies the certificate if TLS is required, but not if it is opportunistic', async () => {
    const failure = await dial(await serveTls(), { tls: 'required' }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ outcome: { outcome: 'deferred', phase: 'tls', class: 'connection' } })
    const connection = await dial(await serveTls(), { tls: 'opportunistic' })
    expect(connection.isOpen).toBe(true)
    await connection.close()
  })
})
