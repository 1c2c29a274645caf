import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  type Answer as WireAnswer,
  streamEncode,
  TRUNCATED_RESPONSE,
} from 'dns-packet'
import type { Answer, Zone } from './zone.ts'

export interface DnsServer {
  /** The port of both UDP and TCP. */
  port: number
  close: () => Promise<void>
}

/**
 * Serves a zone over UDP and TCP on the same port (RFC 1035, 7766): authoritative, no recursion. Unknown names give
 * NXDOMAIN, failed lookups SERVFAIL; invalid queries get no answer.
 * @throws if the port is taken
 */
export async function startDnsServer(
  zone: Zone,
  options: { host: string; port: number },
): Promise<DnsServer> {
  const connections = new Set<Socket>()
  let isClosed = false
  const tcp = createServer(socket => serveStream(socket, zone, connections))
  tcp.maxConnections = 100
  // TCP first: a port free for TCP is hardly ever taken for UDP, but often the other way round.
  tcp.listen(options.port, options.host)
  await once(tcp, 'listening')
  const address = tcp.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  const udp = createSocket(options.host.includes(':') ? 'udp6' : 'udp4')
  udp.bind(port, options.host)
  try {
    await once(udp, 'listening')
  } catch (error) {
    tcp.close()
    throw error
  }

  udp.on('message', (message, from) => {
    const query = readQuery(message)
    if (query) void answerDatagram(query, from)
  })
  udp.on('error', ignore)

  async function answerDatagram(query: Packet, from: RemoteInfo): Promise<void> {
    const response = fitUdp(await answerQuery(query, zone), query)
    if (!isClosed) udp.send(response, from.port, from.address, ignore)
  }

  return {
    port,
    async close() {
      isClosed = true
      udp.close()
      for (const socket of connections) socket.destroy()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}

/** Each message is preceded by its length in two octets (RFC 1035, 4.2.2). */
function serveStream(socket: Socket, zone: Zone, connections: Set<Socket>): void {
  connections.add(socket)
  socket.on('close', () => connections.delete(socket))
  socket.on('error', ignore)
  socket.setTimeout(10_000, () => socket.destroy())
  let pending = Buffer.alloc(0)
  socket.on('data', chunk => {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 2) {
      const length = pending.readUInt16BE(0)
      const query = readQuery(pending.subarray(2, 2 + length))
      // Queries are small; a longer one is invalid.
      if (length > 4096 || (pending.length >= 2 + length && !query)) {
        socket.destroy()
        return
      }
      if (pending.length < 2 + length) return
      pending = pending.subarray(2 + length)
      if (query) void answerStream(query, socket, zone)
    }
  })
}

async function answerStream(query: Packet, socket: Socket, zone: Zone): Promise<void> {
  const response = streamEncode(await answerQuery(query, zone))
  if (socket.writable) socket.write(response)
}

function readQuery(message: Buffer): Packet | null {
  try {
    const packet = decode(message)
    return packet.type === 'query' && packet.questions?.length === 1 ? packet : null
  } catch {
    return null
  }
}

async function answerQuery(query: Packet, zone: Zone): Promise<Packet> {
  const question = query.questions?.[0]
  if (!question || (question.class ?? 'IN') !== 'IN') return reply(query, REFUSED, [])
  try {
    const found = await zone.find(question.name, question.type)
    if (found === null) return reply(query, NXDOMAIN, [])
    return reply(
      query,
      NOERROR,
      found.map(entry => wireAnswer(entry.name, entry.answer)),
    )
  } catch {
    return reply(query, SERVFAIL, [])
  }
}

const NOERROR = 0
const SERVFAIL = 2
const NXDOMAIN = 3
const REFUSED = 5
const RECURSION_DESIRED = 0x0100

function reply(query: Packet, code: number, answers: WireAnswer[]): Packet {
  const desired = (query.flags ?? 0) & RECURSION_DESIRED
  return {
    type: 'response',
    id: query.id ?? 0,
    flags: AUTHORITATIVE_ANSWER | desired | code,
    questions: query.questions ?? [],
    answers,
  }
}

/** Longer answers are requested again over TCP. 512 octets without EDNS, at most 1,232 with it (no fragments). */
function fitUdp(packet: Packet, query: Packet): Buffer {
  const whole = encode(packet)
  const edns = query.additionals?.find(record => record.type === 'OPT')
  const size = edns?.type === 'OPT' ? Math.min(Math.max(edns.udpPayloadSize, 512), 1232) : 512
  if (whole.length <= size) return whole
  return encode({ ...packet, flags: (packet.flags ?? 0) | TRUNCATED_RESPONSE, answers: [] })
}

function wireAnswer(name: string, answer: Answer): WireAnswer {
  const ttl = answer.ttl ?? 60
  if (answer.type === 'TXT') return { name, ttl, type: 'TXT', data: textStrings(answer.text) }
  if (answer.type === 'MX') {
    return { name, ttl, type: 'MX', data: { preference: answer.preference, exchange: answer.exchange } }
  }
  return { name, ttl, type: answer.type, data: answer.value }
}

/** A TXT record is a list of strings of at most 255 octets (RFC 1035, 3.3.14). */
function textStrings(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'utf8')
  const strings: Buffer[] = []
  for (let start = 0; start < bytes.length; start += 255) strings.push(bytes.subarray(start, start + 255))
  return strings.length > 0 ? strings : [Buffer.alloc(0)]
}

function ignore(): void {
  // Nothing to do: the client retries.
}
