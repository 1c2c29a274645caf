import { createServer, type Socket } from 'node:net'

/** An SMTP server for tests with scripted replies, including invalid ones. */
export interface ScriptedServer {
  port: number
  /** Every command line of all connections, in order. */
  lines: string[]
  /** Received texts as on the wire, without the final dot. */
  texts: string[]
  connections: number
  close(): Promise<void>
}

/** A reply without its CRLF, null for no reply, or an action on the socket. */
export type Answer = string | null | ((socket: Socket) => void)

export interface Script {
  greeting?: Answer
  /** Returns the reply to a command line, or to `.` after a complete text. */
  answer: (line: string) => Answer
}

export function startScriptedServer({
  greeting = '220 test ready',
  answer,
}: Script): Promise<ScriptedServer> {
  const sockets = new Set<Socket>()
  const lines: string[] = []
  const texts: string[] = []
  const server = createServer(socket => {
    state.connections++
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    let rest = ''
    let isText = false
    const say = (said: Answer) => {
      if (typeof said === 'function') said(socket)
      else if (said !== null) socket.write(`${said}\r\n`)
      isText = typeof said === 'string' && said.startsWith('354')
    }
    say(greeting)
    socket.on('data', chunk => {
      rest += chunk.toString('latin1')
      for (;;) {
        const end = isText ? rest.search(/(?:^|\r\n)\.\r\n/) : rest.indexOf('\r\n')
        if (end < 0) return
        const line = isText ? '.' : rest.slice(0, end)
        const bdat = /^BDAT (\d+)/.exec(line)
        const size = bdat === null ? 0 : Number(bdat[1])
        if (rest.length < end + 2 + size) return
        if (isText) texts.push(rest.slice(0, end === 0 ? 0 : end + 2))
        else lines.push(line)
        if (bdat !== null) texts.push(rest.slice(end + 2, end + 2 + size))
        rest = rest.slice(isText ? end + (end === 0 ? 3 : 5) : end + 2 + size)
        say(answer(line))
      }
    })
  })
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
  const state: ScriptedServer = { port: 0, lines, texts, connections: 0, close }
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') return reject(new Error('no port'))
      state.port = address.port
      resolve(state)
    })
  })
}

/** Reply of a well-behaved server; tests override single lines. */
export function goodAnswer(line: string, extensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8']): string {
  if (line.startsWith('EHLO')) {
    const offered = ['test', ...extensions]
    return offered.map((word, index) => `250${index + 1 < offered.length ? '-' : ' '}${word}`).join('\r\n')
  }
  if (line === 'DATA') return '354 go'
  return line === 'QUIT' ? '221 bye' : '250 2.0.0 ok'
}
