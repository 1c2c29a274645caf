import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { connect, isIP, isIPv6 } from 'node:net'
import { type Answer, AUTHENTIC_DATA, decode, encode, type Packet, RECURSION_DESIRED } from 'dns-packet'

/**
 * Answers to one question. `isSecure`: validated by DNSSEC (the AD bit, RFC 6840 5.7), including the absence of a
 * name or record. `exists` is false for NXDOMAIN.
 */
export interface DnsAnswer {
  answers: readonly Answer[]
  exists: boolean
  isSecure: boolean
}

export type DnsType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'TLSA'

export interface DnsClient {
  /** @throws DnsFault if the lookup fails, which is not a negative answer */
  ask(name: string, type: DnsType): Promise<DnsAnswer>
}

/** Thrown if no resolver gave a usable answer. */
export class DnsFault extends Error {
  override name = 'DnsFault'
}

export interface DnsOptions {
  /** `address` or `address:port`; default: the system's. */
  servers?: readonly string[] | undefined
  /**
   * Trusts the path to the resolvers, so that their AD bit counts. Default: only if all are on this machine (RFC
   * 7672, 2.1.3: otherwise anybody on the path can set the bit).
   */
  isTrusted?: boolean | undefined
  /** Milliseconds per resolver and answer. */
  timeout?: number | undefined
}

interface Server {
  host: string
  port: number
}

/** Limits of the answer cache: milliseconds and entries. */
const LONGEST_TTL = 3_600_000
const SHORTEST_TTL = 5_000
const ABSENT_TTL = 60_000
const MOST_KEPT = 20_000

/**
 * Queries recursive resolvers (RFC 1035, 7766): UDP first, TCP for truncated answers; caches answers for their TTL.
 */
export function createDnsClient(options: DnsOptions = {}): DnsClient {
  const servers = (options.servers ?? getServers()).map(parseServer)
  const isTrusted =
    options.isTrusted ?? servers.every(({ host }) => host === '::1' || host.startsWith('127.'))
  const timeout = options.timeout ?? 4_000
  const kept = new Map<string, { until: number; answer: Promise<DnsAnswer> }>()

  return {
    ask(name, type) {
      const key = `${type} ${name.toLowerCase()}`
      const existing = kept.get(key)
      if (existing && existing.until > performance.now()) return existing.answer
      if (kept.size >= MOST_KEPT) kept.clear()
      const entry = { until: Number.POSITIVE_INFINITY, answer: askServers(name, type) }
      kept.set(key, entry)
      entry.answer.then(
        answer => (entry.until = performance.now() + ttlOf(answer)),
        () => kept.delete(key),
      )
      return entry.answer
    },
  }

  async function askServers(name: string, type: DnsType): Promise<DnsAnswer> {
    let fault = 'no resolver is known'
    // Twice, because a datagram may be lost.
    for (const server of [...servers, ...servers]) {
      try {
        const packet = await exchange(server, name, type, timeout)
        const code = (packet.flags ?? 0) & 0xf
        if (code === NOERROR || code === NXDOMAIN) {
          return {
            answers: (packet.answers ?? []).filter(answer => answer.type === type),
            exists: code === NOERROR,
            isSecure: isTrusted && ((packet.flags ?? 0) & AUTHENTIC_DATA) !== 0,
          }
        }
        fault =
          code === SERVFAIL ? 'the resolver could not find out' : `the resolver answered with error ${code}`
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error)
      }
    }
    throw new DnsFault(`The DNS did not answer for ${name} (${type}): ${fault}.`)
  }
}

const NOERROR = 0
const SERVFAIL = 2
const NXDOMAIN = 3

function ttlOf({ answers }: DnsAnswer): number {
  if (answers.length === 0) return ABSENT_TTL
  const shortest = Math.min(...answers.map(answer => ('ttl' in answer ? (answer.ttl ?? 0) : 0)))
  return Math.min(LONGEST_TTL, Math.max(SHORTEST_TTL, shortest * 1000))
}

/** `192.0.2.1`, `192.0.2.1:53`, `::1`, `[::1]:53` */
function parseServer(text: string): Server {
  if (isIP(text) !== 0) return { host: text, port: 53 }
  const { 1: bracketed, 2: plain, 3: port } = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text) ?? []
  const host = bracketed ?? plain ?? ''
  if (isIP(host) === 0) throw new DnsFault(`“${text}” is no address of a resolver.`)
  return { host, port: Number(port) }
}

async function exchange(server: Server, name: string, type: DnsType, timeout: number): Promise<Packet> {
  const id = randomInt(0x1_0000)
  const query = encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [{ name, type }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 1232,
        flags: 0,
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: false,
        options: [],
      },
    ],
  })
  const fits = (packet: Packet) => {
    const [question] = packet.questions ?? []
    return (
      packet.type === 'response' &&
      packet.id === id &&
      question?.type === type &&
      question.name.toLowerCase() === name.toLowerCase()
    )
  }
  const short = await overUdp(server, query, fits, timeout)
  return ((short.flags ?? 0) & TRUNCATED) === 0 ? short : overTcp(server, query, fits, timeout)
}

const TRUNCATED = 0x0200

function overUdp(server: Server, query: Buffer, fits: (packet: Packet) => boolean, timeout: number) {
  return new Promise<Packet>((resolve, reject) => {
    const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4')
    const end = (error: Error | null, packet?: Packet) => {
      clearTimeout(timer)
      socket.close()
      if (packet) resolve(packet)
      else reject(error ?? new Error('no answer'))
    }
    const timer = setTimeout(() => end(new Error('the resolver took too long')), timeout)
    socket.on('error', error => end(error))
    socket.on('message', message => {
      const packet = read(message)
      // A non-matching packet may be forged: keep waiting for the real answer.
      if (packet && fits(packet)) end(null, packet)
    })
    // Connected, so that the kernel drops packets from other addresses.
    socket.connect(server.port, server.host, () => socket.send(query))
  })
}

function overTcp(server: Server, query: Buffer, fits: (packet: Packet) => boolean, timeout: number) {
  return new Promise<Packet>((resolve, reject) => {
    const socket = connect(server.port, server.host)
    let received = Buffer.alloc(0)
    const timer = setTimeout(() => socket.destroy(new Error('the resolver took too long')), timeout)
    socket.on('connect', () => socket.write(Buffer.concat([lengthOf(query), query])))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      const packet = read(received.subarray(2, 2 + received.readUInt16BE(0)))
      if (packet && fits(packet)) resolve(packet)
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new Error('the resolver closed the connection'))
    })
  })
}

function lengthOf(query: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(query.length)
  return length
}

function read(message: Buffer): Packet | null {
  try {
    return decode(message)
  } catch {
    return null
  }
}
