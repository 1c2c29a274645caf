import { onTestFinished, describe, expect, it } from 'vitest'
import { connect, type SmtpOptions } from './client.ts'
import { SmtpHandshakeError } from './handshake.ts'
import { createPool } from './pool.ts'
import { goodAnswer, type Script, startScriptedServer } from './scripted-server.ts'

const AUTH = { user: 'anna', password: 'geheim+word' }
const echo: Script['answer'] = line => {
  if (line.startsWith('EHLO')) return goodAnswer(line, ['AUTH PLAIN LOGIN'])
  return `501 5.5.2 Cannot decode "${line}" (${Buffer.from(line.slice(11), 'base64').toString('latin1')})`
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function dial(script: Script, options: Partial<SmtpOptions> = {}) {
  const server = await startScriptedServer(script)
  onTestFinished(() => server.close())
  const timeouts = { connect: 2000, greeting: 500, command: 500, data: 500 }
  const place = {
    host: '127.0.0.1',
    port: server.port,
    name: 'mta.example.com',
    tls: 'off' as const,
    timeouts,
  }
  return { server, open: () => connect({ ...place, ...options }), place: { ...place, ...options } }
}

/** Error of a session that was not opened. */
async function failureOf(script: Script, options?: Partial<SmtpOptions>) {
  const { open } = await dial(script, options)
  const failure = await open().catch((error: unknown) => error)
  if (!(failure instanceof SmtpHandshakeError)) throw new Error('the session was opened')
  return failure.outcome
}

describe('an impossible success', () => {
  it.each<[string, Script, Partial<SmtpOptions>]>([
    ['250 as a greeting', { greeting: '250 hello', answer: line => goodAnswer(line) }, {}],
    ['354 as a greeting', { greeting: '354 go', answer: line => goodAnswer(line) }, {}],
    ['220 to EHLO', { answer: () => '220 and another greeting' }, {}],
    ['354 to HELO', { answer: line => (line.startsWith('EHLO') ? '502 what?' : '354 go') }, {}],
    [
      '334 to STARTTLS',
      { answer: line => (line === 'STARTTLS' ? '334 go' : goodAnswer(line, ['STARTTLS'])) },
      { tls: 'required' },
    ],
    [
      '334 to a complete AUTH PLAIN',
      { answer: line => (line.startsWith('AUTH') ? '334 ' : goodAnswer(line, ['AUTH PLAIN'])) },
      { auth: AUTH },
    ],
    [
      '235 to the word LOGIN',
      { answer: line => (line.startsWith('AUTH') ? '235 ok' : goodAnswer(line, ['AUTH LOGIN'])) },
      { auth: AUTH },
    ],
    [
      '334 to a password',
      {
        answer: line => (line.startsWith('EHLO') ? goodAnswer(line, ['AUTH LOGIN']) : '334 VXNlcm5hbWU6'),
      },
      { auth: AUTH },
    ],
  ])('is an error: %s', async (_, script, options) => {
    expect(await failureOf(script, options)).toMatchObject({
      outcome: 'deferred',
      class: 'connection',
      hard: false,
      text: expect.stringContaining('out of turn'),
    })
  })

  it('is not taken for a delivery', async () => {
    const twice = await dial({
      greeting: '220 a proxy',
      answer: line => (line.startsWith('EHLO') ? '220 and its server\r\n250 ok' : goodAnswer(line)),
    })
    const greeted = await dial({ greeting: '250 hello', answer: line => goodAnswer(line) })
    for (const options of [twice.place, greeted.place]) {
      const pool = createPool({ ...options, connections: 1, coolDown: 60_000 })
      const outcome = await pool.send({ from: 'b@example.com', to: 'anna@example.net' }, [Buffer.from('x')])
      expect(outcome.outcome).toBe('deferred')
      await pool.close()
    }
  })
})

describe('a password', () => {
  it('is removed from replies of a server that repeats it', async () => {
    for (const auth of [AUTH, { user: '', password: 'x' }]) {
      const { text } = await failureOf({ answer: echo }, { auth })
      expect(text).toContain('Cannot decode')
      for (const secret of [base64(`\0${auth.user}\0${auth.password}`), base64(auth.password)])
        expect(text).not.toContain(secret)
      if (auth === AUTH) expect(text).not.toContain(auth.password)
    }
    const login: Script['answer'] = line => {
      if (line === 'AUTH LOGIN') return '334 VXNlcm5hbWU6'
      if (line === base64(AUTH.user)) return '334 UGFzc3dvcmQ6'
      return line.startsWith('EHLO') ? goodAnswer(line, ['AUTH LOGIN']) : `535 5.7.8 ${line} is wrong`
    }
    expect(await failureOf({ answer: login }, { auth: AUTH })).toMatchObject({
      code: 535,
      enhanced: '5.7.8',
      text: '… is wrong',
    })
  })
})

it('authenticates with either mechanism that the server offers', async () => {
  const offers = ['AUTH CRAM-MD5 PLAIN', 'AUTH=LOGIN']
  const { open, server } = await dial(
    { answer: line => (line.startsWith('AUTH') ? '235 ok' : goodAnswer(line, offers)) },
    { auth: AUTH },
  )
  const connection = await open()
  await connection.close()
  expect(server.lines[1]).toBe(`AUTH PLAIN ${base64('\0anna\0geheim+word')}`)
})
