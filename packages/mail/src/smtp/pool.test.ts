import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { SMTP_DEPTH } from './client.ts'
import { createPool, type SmtpPool, type SmtpPoolOptions } from './pool.ts'
import { goodAnswer, type Script, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(thing => thing.close()))
})

async function serve(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script)
  open.push(server)
  return server
}

function poolFor(port: number, options: Partial<SmtpPoolOptions> = {}): SmtpPool {
  const place = { host: '127.0.0.1', port, name: 'mta.example.com', tls: 'off' as const }
  return createPool({ ...place, connections: 2, timeouts: { command: 500, data: 500 }, ...options })
}

const message = [Buffer.from('Subject: x\r\n\r\nHello\r\n')]
const send = (pool: SmtpPool, name: string | number = 'anna') =>
  pool.send({ from: 'b@example.com', to: `${name}@example.net` }, message)
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a pool', () => {
  it('sends everything over at most the allowed connections, and closes them', async () => {
    const server = await serve({ answer: line => goodAnswer(line) })
    const pool = poolFor(server.port)
    expect(pool.capacity).toBe(2 * SMTP_DEPTH)
    const outcomes = await Promise.all(numbers(100).map(number => send(pool, number)))
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['sent']))
    expect(server.texts).toHaveLength(100)
    expect(server.connections).toBe(2)
    await pool.close()
    expect(server.lines.filter(line => line === 'QUIT')).toHaveLength(2)
  })

  it('leaves no connection open that was being opened during close', async () => {
    const late: Socket[] = []
    const server = await serve({
      // The first connection is greeted at once, the second one after all messages were sent over the first.
      greeting: socket => {
        if (late.push(socket) === 1) socket.write('220 test ready\r\n')
      },
      answer: line => goodAnswer(line),
    })
    const pool = poolFor(server.port)
    const sends = numbers(SMTP_DEPTH + 1).map(number => send(pool, number))
    await Promise.all(sends)
    await pool.close()
    await expect.poll(() => late.length).toBe(2)
    const ended = new Promise(resolve => late[1]?.on('close', resolve))
    late[1]?.write('220 test ready\r\n')
    await ended
    expect(server.lines.filter(line => line === 'QUIT')).toHaveLength(2)
  })

  it('opens new connections after the message limit of the old ones', async () => {
    const server = await serve({ answer: line => goodAnswer(line) })
    const pool = poolFor(server.port, { maxMessages: 10 })
    const outcomes = await Promise.all(numbers(50).map(number => send(pool, number)))
    expect(outcomes.every(({ outcome }) => outcome === 'sent')).toBe(true)
    expect(server.connections).toBeGreaterThanOrEqual(5)
    await pool.close()
  })

  it('waits for pending outcomes before it closes, and accepts no new messages', async () => {
    const server = await serve({ answer: line => goodAnswer(line) })
    const pool = poolFor(server.port)
    const sends = numbers(20).map(number => send(pool, number))
    const closed = pool.close()
    expect(await send(pool)).toMatchObject({ outcome: 'deferred' })
    await closed
    expect(pool.pending).toBe(0)
    expect(server.texts).toHaveLength(20)
    await Promise.all(sends)
  })

  it('resends, on a new connection, what a server never began to accept', async () => {
    const sockets: Socket[] = []
    const server = await serve({
      greeting: socket => {
        sockets.push(socket)
        socket.write('220 hello\r\n')
      },
      answer: line => {
        // The first connection is lost at the second MAIL, like one that was idle for too long.
        if (!line.startsWith('MAIL') || server.connections > 1 || server.texts.length === 0)
          return goodAnswer(line)
        return socket => socket.destroy()
      },
    })
    const pool = poolFor(server.port, { connections: 1 })
    expect(await send(pool)).toMatchObject({ outcome: 'sent' })
    expect(await send(pool)).toMatchObject({ outcome: 'sent' })
    expect(server.connections).toBe(2)
    await pool.close()
  })

  it('opens another connection for messages queued behind a 421', async () => {
    let mails = 0
    const server = await serve({
      answer: line => {
        if (!line.startsWith('MAIL')) return goodAnswer(line)
        // Every connection accepts three messages.
        return ++mails % 4 === 0 ? '421 4.7.0 Too many messages on this connection' : goodAnswer(line)
      },
    })
    const pool = poolFor(server.port, { connections: 1 })
    const outcomes = await Promise.all(numbers(12).map(number => send(pool, number)))
    expect(Map.groupBy(outcomes, ({ outcome }) => outcome).get('sent')).toHaveLength(9)
    for (const { outcome, code } of outcomes.filter(one => one.outcome !== 'sent'))
      expect({ outcome, code }).toEqual({ outcome: 'deferred', code: 421 })
    expect(server.connections).toBe(3)
    await pool.close()
  })

  it('does not give up messages that only waited behind others that break the connection', async () => {
    let mails = 0
    const server = await serve({
      answer: line => (line === '.' && ++mails % 2 === 0 ? socket => socket.destroy() : goodAnswer(line)),
    })
    const pool = poolFor(server.port, { connections: 1 })
    const outcomes = await Promise.all(numbers(12).map(number => send(pool, number)))
    const counts = Map.groupBy(outcomes, ({ outcome }) => outcome)
    expect([counts.get('sent')?.length, counts.get('unknown')?.length]).toEqual([6, 6])
    await pool.close()
  })

  it('preserves the queue order on a server that accepts ten messages per connection', async () => {
    let mails = 0
    const server = await serve({
      answer: line =>
        line === '.' && ++mails % 10 === 0 ? socket => socket.end('250 taken\r\n') : goodAnswer(line),
    })
    const pool = poolFor(server.port, { connections: 1 })
    const settled: number[] = []
    await Promise.all(numbers(60).map(number => send(pool, number).then(() => settled.push(number))))
    expect(settled).toEqual(numbers(60))
    expect(server.texts).toHaveLength(60)
    await pool.close()
  })

  it('tries an address at which the server hangs up at most twice', async () => {
    let offered = 0
    const server = await serve({
      answer: line => {
        if (line !== 'RCPT TO:<7@example.net>') return goodAnswer(line)
        offered++
        return socket => socket.destroy()
      },
    })
    const pool = poolFor(server.port, { connections: 2 })
    const outcomes = await Promise.all(numbers(60).map(number => send(pool, number)))
    expect(offered).toBe(2)
    expect(outcomes.filter(({ outcome }) => outcome !== 'sent')).toHaveLength(1)
    await pool.close()
  })

  it('never resends a message that may have been accepted', async () => {
    const server = await serve({
      answer: line => (line === '.' ? socket => socket.destroy() : goodAnswer(line)),
    })
    const pool = poolFor(server.port)
    const outcomes = await Promise.all(numbers(5).map(number => send(pool, number)))
    for (const { outcome } of outcomes) expect(['unknown', 'deferred']).toContain(outcome)
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(server.texts.length)
    await pool.close()
  })

  it('defers everything with the reply of a server that accepts no connection, without retrying at once', async () => {
    const server = await serve({
      greeting: '421 4.7.0 Too many connections',
      answer: line => goodAnswer(line),
    })
    const pool = poolFor(server.port, { coolDown: 60_000 })
    const outcomes = await Promise.all(numbers(20).map(number => send(pool, number)))
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ outcome: 'deferred', class: 'rate', code: 421 })
    expect(await send(pool)).toMatchObject({ code: 421 })
    expect(server.connections).toBe(2)
    await pool.close()
  })

  it('continues on its connections if it cannot open more', async () => {
    const server = await serve({
      greeting: socket =>
        socket.write(server.connections > 1 ? '421 4.7.0 one is enough\r\n' : '220 hello\r\n'),
      answer: line => goodAnswer(line),
    })
    const pool = poolFor(server.port, { connections: 5 })
    const outcomes = await Promise.all(numbers(40).map(number => send(pool, number)))
    expect(outcomes.every(({ outcome }) => outcome === 'sent')).toBe(true)
    await pool.close()
  })
})
