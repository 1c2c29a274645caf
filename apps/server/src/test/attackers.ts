import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'

/**
 * A thousand malicious connections as a separate process, to measure the server's memory alone. Sends `standing` when
 * all have sent their data, with counts by response status; exits on request.
 */
const port = Number(process.argv[2])
const answers: Record<string, number> = {}
const sockets: Socket[] = []

const BOMB = Buffer.alloc(5_000_000, ' ')
// Read like any public body, but not rate limited.
const HEAD = `POST /api/nowhere HTTP/1.1\r\nhost: emma\r\ncontent-type: application/json\r\n`

const packed = (encoding: string, body: Buffer) => (socket: Socket) => {
  socket.write(`${HEAD}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`)
  socket.write(body)
}

/** Endless header lines, until the server aborts. */
function endlessHeaders(socket: Socket): void {
  socket.write('GET / HTTP/1.1\r\nhost: emma\r\n')
  // In turn with the other connections: a server that reads at once would keep a loop going.
  const send = () => {
    if (!socket.destroyed) socket.write(`x-a: ${'a'.repeat(1000)}\r\n`, () => setImmediate(send))
  }
  send()
}

/** Chunks of a single byte, beyond the limit of the path. */
function singleBytes(socket: Socket): void {
  socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(70_000)}`)
}

const attacks: [count: number, attack: (socket: Socket) => void][] = [
  [300, socket => socket.write('GET / HTTP/1.1\r\nhost: emma\r\nx-slow: ')],
  [380, socket => socket.write(`${HEAD}content-length: 60000\r\n\r\n{"username":"`)],
  [100, endlessHeaders],
  [20, singleBytes],
  [70, packed('gzip', gzipSync(BOMB))],
  [70, packed('deflate', deflateSync(BOMB))],
  [60, packed('br', brotliCompressSync(BOMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))],
]

for (const [count, attack] of attacks)
  for (let made = 0; made < count; made++) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', data => {
      const status = String(data).slice(9, 12)
      answers[status] = (answers[status] ?? 0) + 1
    })
    await once(socket, 'connect').catch(() => {})
    attack(socket)
  }
process.send?.('standing')

process.on('message', () => {
  for (const socket of sockets) socket.destroy()
  process.send?.(answers)
  process.disconnect()
})
