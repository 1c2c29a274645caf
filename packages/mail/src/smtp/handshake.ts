import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import type { SmtpPhase } from './classify-reply.ts'
import { lostOutcome, replyOutcome, type SmtpOutcome } from './outcome.ts'
import type { SmtpReply } from './reply.ts'
import { ReplySocket } from './reply-socket.ts'

/** Address and settings of a next hop. */
export interface SmtpServer {
  host: string
  port: number
  /** Host name for EHLO. */
  name: string
  /**
   * `implicit`: TLS from the first byte (port 465). `required`: STARTTLS or failure. `opportunistic`: STARTTLS if
   * offered, without certificate verification, as between mail exchangers (RFC 7435). `off`: plain text.
   */
  tls: 'implicit' | 'required' | 'opportunistic' | 'off'
  /** Additional TLS settings, e.g. `ca`, `servername`, `rejectUnauthorized`. */
  tlsOptions?: ConnectionOptions
  /** Checks the peer after STARTTLS, e.g. for DANE; a returned error ends the session. */
  checkPeer?: (socket: TLSSocket) => string | null
  auth?: { user: string; password: string }
  /** Local address to connect from. */
  localAddress?: string
  /** Resolves the host; default: the system's resolver. */
  lookup?: LookupFunction
  timeouts?: Partial<SmtpTimeouts>
}

/** Timeouts in milliseconds, each for a complete reply. */
export interface SmtpTimeouts {
  connect: number
  greeting: number
  command: number
  /** Reply to the final dot, which receivers delay while they scan. */
  data: number
}

export const SMTP_TIMEOUTS: SmtpTimeouts = {
  connect: 30_000,
  greeting: 60_000,
  command: 120_000,
  data: 600_000,
}

/** Extensions a server offers (RFC 5321, 4.1.1.1): keyword → parameters, both in upper case. */
export type Extensions = ReadonlyMap<string, string>

/** Thrown if a session could not be opened; has the outcome for all its messages. */
export class SmtpHandshakeError extends Error {
  override name = 'SmtpHandshakeError'
  readonly outcome: SmtpOutcome

  constructor(outcome: SmtpOutcome) {
    super(outcome.text)
    this.outcome = outcome
  }
}

/**
 * Connects, greets, starts TLS and authenticates.
 * @throws SmtpHandshakeError if any step fails
 */
export async function openSession(
  server: SmtpServer,
): Promise<{ wire: ReplySocket; extensions: Extensions }> {
  const timeouts = { ...SMTP_TIMEOUTS, ...server.timeouts }
  const wire = new ReplySocket(await openSocket(server, timeouts.connect))
  try {
    const greeting = await ask(wire, '', 'greeting', timeouts.greeting)
    if (greeting.code !== 220) throw refusal(greeting, 'greeting')
    let extensions = await greet(wire, server.name, timeouts.command)
    if (server.tls === 'required' || (server.tls === 'opportunistic' && extensions.has('STARTTLS'))) {
      await startTls(wire, server, extensions, timeouts)
      // Extensions offered in plain text are discarded (RFC 3207, 4.2).
      extensions = await greet(wire, server.name, timeouts.command)
    } else if (server.tls === 'opportunistic' && server.auth) {
      throw failure('The server offers no TLS, so the password is not sent.', 'auth')
    }
    if (server.auth) await signIn(wire, server.auth, extensions, timeouts.command)
    wire.await(Number.POSITIVE_INFINITY)
    return { wire, extensions }
  } catch (error) {
    wire.onEnd = () => {}
    wire.end()
    throw error
  }
}

function openSocket(server: SmtpServer, timeout: number): Promise<Socket> {
  const { host, port, localAddress, lookup } = server
  return new Promise((resolve, reject) => {
    const onOpen = () => {
      clearTimeout(timer)
      socket.removeAllListeners()
      resolve(socket)
    }
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(failure(`No connection to ${host}:${port}: ${error.message}`, 'connect'))
    }
    const target = {
      host,
      port,
      ...(localAddress === undefined ? {} : { localAddress }),
      ...(lookup === undefined ? {} : { lookup }),
    }
    const socket =
      server.tls === 'implicit'
        ? connectTls({ ...tlsOptions(server), ...target }, onOpen)
        : connectTcp(target, onOpen)
    const timer = setTimeout(() => fail(new Error('it took too long')), timeout)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed it')))
  })
}

function tlsOptions({ host, tls, tlsOptions: own }: SmtpServer): ConnectionOptions {
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: tls !== 'opportunistic',
    minVersion: 'TLSv1.2',
    ...own,
  }
}

function failure(text: string, phase: SmtpPhase): SmtpHandshakeError {
  return new SmtpHandshakeError(lostOutcome(text, phase, false))
}

async function startTls(
  wire: ReplySocket,
  server: SmtpServer,
  extensions: Extensions,
  timeouts: SmtpTimeouts,
) {
  if (!extensions.has('STARTTLS')) throw failure('The server offers no TLS, which is required here.', 'tls')
  await command(wire, 'STARTTLS', 220, 'tls', timeouts.command)
  wire.await(timeouts.command)
  try {
    await wire.startTls(tlsOptions(server), server.checkPeer)
  } catch (error) {
    throw failure(`No TLS with the server: ${error instanceof Error ? error.message : String(error)}`, 'tls')
  }
}

async function greet(wire: ReplySocket, name: string, timeout: number): Promise<Extensions> {
  if (!/^[A-Za-z0-9.:[\]_-]+$/.test(name))
    throw failure(`“${name}” is no name to greet a server with.`, 'ehlo')
  const reply = await ask(wire, `EHLO ${name}\r\n`, 'ehlo', timeout)
  if (reply.code === 250) return readExtensions(reply)
  if (reply.code < 500) throw refusal(reply, 'ehlo')
  await command(wire, `HELO ${name}`, 250, 'ehlo', timeout)
  return new Map()
}

function readExtensions(reply: SmtpReply): Extensions {
  const offered = new Map<string, string>()
  for (const line of reply.lines.slice(1)) {
    // `AUTH PLAIN`, and the `AUTH=LOGIN` from before RFC 2554.
    const [keyword = '', ...parameters] = line.toUpperCase().split(/[\s=]+/)
    offered.set(keyword, [offered.get(keyword) ?? '', ...parameters].join(' ').trim())
  }
  return offered
}

async function signIn(
  wire: ReplySocket,
  { user, password }: { user: string; password: string },
  extensions: Extensions,
  timeout: number,
): Promise<void> {
  const mechanisms = (extensions.get('AUTH') ?? '').split(' ')
  const plain = base64(`\0${user}\0${password}`)
  const secrets = [plain, base64(password), ...(password.length < SHORT ? [] : [password])]
  const say = (text: string, wanted: number) => command(wire, text, wanted, 'auth', timeout, secrets)
  if (mechanisms.includes('PLAIN')) return say(`AUTH PLAIN ${plain}`, 235)
  if (!mechanisms.includes('LOGIN'))
    throw failure('The server offers no way to sign in with a name and a password.', 'auth')
  await say('AUTH LOGIN', 334)
  await say(base64(user), 334)
  await say(base64(password), 235)
}

/** Shorter secrets would match any text. */
const SHORT = 4

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/**
 * Sends a command and expects a reply.
 * @param secrets removed from error texts: servers repeat rejected input
 */
async function command(
  wire: ReplySocket,
  text: string,
  wanted: number,
  phase: SmtpPhase,
  timeout: number,
  secrets: readonly string[] = [],
): Promise<void> {
  const reply = await ask(wire, `${text}\r\n`, phase, timeout)
  if (reply.code === wanted) return
  const told = secrets.reduce((words, secret) => words.replaceAll(secret, '…'), reply.text)
  throw refusal({ ...reply, text: told }, phase)
}

/** A success out of turn must not be taken for that of a message: replies and commands no longer match. */
function refusal(reply: SmtpReply, phase: SmtpPhase): SmtpHandshakeError {
  if (reply.code < 400) return failure(`The server answered out of turn: ${reply.code} ${reply.text}`, phase)
  return new SmtpHandshakeError(replyOutcome(reply, phase))
}

/** Waits for one reply; anything else the server sends before the next command is ignored. */
function ask(wire: ReplySocket, text: string, phase: SmtpPhase, timeout: number): Promise<SmtpReply> {
  return new Promise((resolve, reject) => {
    wire.onEnd = error => reject(failure(error.message, phase))
    wire.onReply = reply => {
      wire.onReply = () => {}
      resolve(reply)
    }
    wire.await(timeout)
    if (!wire.isOpen) reject(failure('The server closed the connection.', phase))
    else if (text !== '') wire.write(text)
  })
}
