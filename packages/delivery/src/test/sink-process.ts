import { openSync, writeSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A receiver as a separate process, for kill tests: `node sink-process.ts PORT LOG_FILE PAUSE`. A message is in its
 * log before its reply is on the wire. PAUSE delays each message by milliseconds, so that pipelines are full.
 *
 * The first word of an address decides about its message: `bounce` is rejected, `later` deferred the first time, the
 * connection is closed after the final dot with the message accepted (`drop`) or discarded (`lost`); all others are
 * accepted. A message with the word `Code`, a space and no line with data of its recipient is logged as `without`.
 *
 * A log line: first word of the From address, recipient, event, time (milliseconds since the epoch).
 */
const [port = '0', file = '', pause = '0'] = process.argv.slice(2)
const log = openSync(file, 'a')
const seen = new Set<string>()

const server = createServer(socket => {
  socket.setNoDelay(true)
  socket.on('error', () => {})
  talk(socket).catch(() => socket.destroy())
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : 0)
})
process.on('disconnect', () => process.exit())

async function talk(socket: Socket): Promise<void> {
  socket.setEncoding('latin1')
  socket.write('220 sink ready\r\n')
  let recipient = ''
  let text = ''
  let isText = false
  let rest = ''
  for await (const chunk of socket) {
    const lines = (rest + String(chunk)).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!isText) {
        const answer = command(line)
        if (answer !== null) socket.write(`${answer}\r\n`)
      } else if (line === '.') {
        isText = false
        if (Number(pause) > 0) await sleep(Number(pause))
        if (!receive(socket)) return
      } else text += `${line}\r\n`
    }
  }

  function command(line: string): string | null {
    const [verb = ''] = line.toUpperCase().split(' ', 1)
    if (verb === 'EHLO') return '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8'
    if (verb === 'MAIL') recipient = ''
    if (verb === 'RCPT') return envelopeTo(/<(.*)>/.exec(line)?.[1] ?? '')
    if (verb === 'DATA') {
      if (recipient === '') return '503 5.5.1 No recipient'
      isText = true
      text = ''
      return '354 go'
    }
    if (verb !== 'QUIT') return '250 2.0.0 ok'
    socket.end('221 bye\r\n')
    return null
  }

  function envelopeTo(address: string): string {
    const kind = kindOf(address)
    if (kind === 'bounce') {
      note('', address, 'refused')
      return '550 5.1.1 No such user'
    }
    if (kind === 'later' && !seen.has(address)) {
      seen.add(address)
      return '451 4.2.0 Try again'
    }
    recipient = address
    return '250 2.1.5 ok'
  }

  /** False once the connection is closed. */
  function receive(to: Socket): boolean {
    const kind = kindOf(recipient)
    const from = /^From:[^<\r\n]*<(\w+)@/im.exec(text)?.[1] ?? ''
    // With the space: signatures and tokens may contain the letters.
    const lacksData = text.includes('Code ') && !/^own-\d/m.test(text)
    note(from, recipient, lacksData ? 'without' : kind === 'lost' ? 'lost' : 'accepted')
    if (kind === 'drop' || kind === 'lost') {
      to.destroy()
      return false
    }
    return to.write('250 2.0.0 taken\r\n') || true
  }
}

function kindOf(address: string): string {
  return address.split('-', 1)[0] ?? ''
}

function note(from: string, address: string, what: string): void {
  writeSync(log, `${from}\t${address}\t${what}\t${Date.now()}\n`)
}
