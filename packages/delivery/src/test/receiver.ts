import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A message offered to a receiver. */
export interface Offered {
  to: string
  /** First word of its From address, by which tests distinguish campaigns. */
  from: string
  subject: string
  header: string
  /** Milliseconds since the epoch. */
  at: number
  /** Address of the client. */
  peer: string
  /** HELO name of the client. */
  helo: string
}

export interface TestReceiver {
  port: number
  /** Accepted messages, in order. */
  taken: Offered[]
  /** Maximum of concurrent messages to one domain. */
  mostAtOnce(domain: string): number
  /** Maximum of concurrent connections. */
  mostConnections(): number
  stop(): void
}

/**
 * Starts an SMTP server in the test's process.
 * @param answer returns the reply to a recipient; null accepts
 * @param pause milliseconds of delay per message
 */
export async function startReceiver(
  answer: (to: string) => string | null = () => null,
  pause = 0,
): Promise<TestReceiver> {
  const taken: Offered[] = []
  const sockets = new Set<Socket>()
  let mostConnections = 0
  const open = new Map<string, number>()
  const most = new Map<string, number>()
  // Nagle's algorithm would delay each reply by 40 ms.
  const server = createServer({ noDelay: true }, socket => {
    sockets.add(socket)
    mostConnections = Math.max(mostConnections, sockets.size)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    talk(socket).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    taken,
    mostAtOnce: domain => most.get(domain) ?? 0,
    mostConnections: () => mostConnections,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }

  async function talk(socket: Socket): Promise<void> {
    socket.setEncoding('latin1')
    socket.write('220 receiver ready\r\n')
    let [to, helo, text, rest] = ['', '', '', '']
    let isText = false
    for await (const chunk of socket) {
      const lines = (rest + String(chunk)).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isText && line !== '.') text += `${line}\r\n`
        else if (isText) {
          isText = false
          await think(to)
          taken.push({ to, helo, ...readHeader(text), at: Date.now(), peer: socket.remoteAddress ?? '' })
          socket.write('250 2.0.0 taken\r\n')
        } else if (/^EHLO /i.test(line)) {
          helo = line.slice(5)
          socket.write('250-receiver\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n')
        } else if (/^RCPT /i.test(line)) {
          const recipient = /<(.*)>/.exec(line)?.[1] ?? ''
          const refusal = answer(recipient)
          if (refusal !== null) await think(recipient)
          to = refusal === null ? recipient : ''
          socket.write(`${refusal ?? '250 2.1.5 ok'}\r\n`)
        } else if (/^DATA/i.test(line)) {
          isText = to !== ''
          text = ''
          socket.write(isText ? '354 go\r\n' : '503 5.5.1 no recipient\r\n')
        } else if (/^QUIT/i.test(line)) {
          sockets.delete(socket)
          socket.end('221 bye\r\n')
        } else socket.write('250 2.0.0 ok\r\n')
      }
    }
  }

  async function think(to: string): Promise<void> {
    const domain = to.split('@')[1] ?? ''
    const now = (open.get(domain) ?? 0) + 1
    open.set(domain, now)
    most.set(domain, Math.max(most.get(domain) ?? 0, now))
    if (pause > 0) await sleep(pause)
    open.set(domain, (open.get(domain) ?? 1) - 1)
  }
}

function readHeader(text: string): Pick<Offered, 'from' | 'subject' | 'header'> {
  const [header = ''] = text.split('\r\n\r\n', 1)
  return {
    header,
    from: /^From:[^<\r\n]*<(\w+)@/im.exec(header)?.[1] ?? '',
    subject: /^Subject: (.*)$/im.exec(header)?.[1] ?? '',
  }
}
