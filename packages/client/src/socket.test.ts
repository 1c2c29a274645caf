import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket as TcpSocket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { socketToken } from '@emma/contract/socket.ts'
import { createSocket, readFrame } from './socket.ts'

let server: Server
let connections: TcpSocket[]
let address: string
let requests: { url: string | undefined; token: string | null }[]

beforeEach(async () => {
  connections = []
  requests = []
  server = createServer().listen(0, '127.0.0.1')
  server.on('upgrade', (request, socket: TcpSocket) => {
    const key = String(request.headers['sec-websocket-key'])
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: emma\r\n\r\n`,
    )
    socket.on('error', () => {})
    requests.push({ url: request.url, token: socketToken(request.headers['sec-websocket-protocol']) })
    connections.push(socket)
  })
  await once(server, 'listening')
  address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/socket`
})
afterEach(async () => {
  for (const connection of connections) connection.destroy()
  server.close()
  await once(server, 'close')
})

/** A text frame of less than 126 bytes, as sent by a server. */
function send(connection: TcpSocket | undefined, message: unknown): void {
  const payload = Buffer.from(JSON.stringify(message))
  connection?.write(Buffer.concat([Buffer.from([0x81, payload.length]), payload]))
}

test('R291 receives messages of subscribed types, and reconnects', async () => {
  const heard: string[] = []
  const socket = createSocket({
    target: () => ({ url: address, token: 'a.b-c_d' }),
    firstDelayMs: 0,
    retryDelayMs: 5,
  })
  socket.on('ERROR', ({ message }) => heard.push(message))
  let opened = 0
  const forget = socket.onOpen(() => (opened += 1))
  socket.open()
  await expect.poll(() => connections).toHaveLength(1)
  send(connections[0], { type: 'WEATHER', data: { message: 'rain' } })
  send(connections[0], { type: 'ERROR', data: { message: 7 } })
  send(connections[0], { type: 'ERROR', data: { message: 'first' } })
  await expect.poll(() => heard).toEqual(['first'])
  connections[0]?.destroy()
  await expect.poll(() => connections).toHaveLength(2)
  send(connections[1], { type: 'ERROR', data: { message: 'second' } })
  await expect.poll(() => heard).toEqual(['first', 'second'])
  expect(opened).toBe(2)
  expect(requests).toEqual(Array(2).fill({ url: '/socket', token: 'a.b-c_d' }))
  forget()
  socket.close()
})

test('R291 waits 5 s before the first connection and 60 s before each further one', () => {
  vi.useFakeTimers()
  let asked = 0
  const socket = createSocket({
    target: () => {
      asked += 1
      return null
    },
  })
  socket.open()
  vi.advanceTimersByTime(4999)
  expect(asked).toBe(0)
  vi.advanceTimersByTime(1)
  expect(asked).toBe(1)
  vi.advanceTimersByTime(59_999)
  expect(asked).toBe(1)
  vi.advanceTimersByTime(1)
  expect(asked).toBe(2)
  socket.close()
  vi.advanceTimersByTime(600_000)
  expect(asked).toBe(2)
  vi.useRealTimers()
})

test.each(['', 'null', '[]', '{"data":1}', '{"type":"toString"}', '{"type":5}'])(
  '%j is not a message',
  frame => {
    expect(readFrame(frame)).toBeUndefined()
  },
)
