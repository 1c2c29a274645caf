import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { startTestbed, type Testbed, type TestbedOptions } from '../testbed.ts'

/** Servers for tests; each ends with its test. */

/** Creates a folder that is deleted after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'emma-testbed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A testbed on free ports with immediate reactions. */
export async function testTestbed(
  options: Partial<TestbedOptions> = {},
): Promise<Testbed & { folder: string }> {
  const folder = options.folder ?? testFolder()
  const testbed = await startTestbed({
    folder,
    smtpPort: 0,
    retryAfter: 0,
    slowReply: 0.05,
    reactions: { delayFactor: 0, perSecond: 1000 },
    ...options,
  })
  onTestFinished(() => testbed.stop())
  return { ...testbed, folder }
}

export interface ReceivedMail {
  from: string
  to: string
  raw: Buffer
}

/** The installation's inbound server: stores messages, or replies with `refuse`. */
export async function testInbound(
  refuse?: (count: number) => { code: number; text: string } | null,
): Promise<{ host: string; port: number; mails: ReceivedMail[] }> {
  const mails: ReceivedMail[] = []
  let count = 0
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    async onData(stream, session, callback) {
      const raw = await buffer(stream)
      const refusal = refuse?.(count++) ?? null
      if (refusal) return callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
      const { mailFrom, rcptTo } = session.envelope
      mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo[0]?.address ?? '', raw })
      callback()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { host: '127.0.0.1', port: portOf(server.server), mails }
}

export interface Request {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** A tracking server: responds to images with 200, to clicks with an external redirect. */
export async function testTracking(): Promise<{ origin: string; requests: Request[] }> {
  const requests: Request[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body: await text(request) })
    if (url.startsWith('/t/c/')) response.writeHead(302, { location: 'https://shop.example/' }).end()
    else response.writeHead(200).end('x')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${portOf(server)}`, requests }
}

/** An SMTP client that sends raw bytes. */
export interface RawSmtp {
  socket: Socket
  /** Sends and waits for as many replies; fewer if the connection ends. */
  say: (text: string | Buffer, replies?: number) => Promise<string[]>
}

export async function rawSmtp(port: number): Promise<RawSmtp> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  let isClosed = false
  let wake: () => void = ignore
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8')
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  const read = async (count: number): Promise<string[]> => {
    const replies: string[] = []
    while (replies.length < count) {
      const reply = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(received)?.[0]
      if (reply !== undefined) {
        received = received.slice(reply.length)
        replies.push(reply.trimEnd())
      } else if (isClosed) return replies
      else await new Promise<void>(resolve => (wake = resolve))
    }
    return replies
  }
  await read(1)
  const say = (words: string | Buffer, replies = 1) => {
    if (!socket.destroyed) socket.write(words)
    return read(replies)
  }
  await say('EHLO sender.test\r\n')
  return { socket, say }
}

/** Sends one message to one recipient over its own connection; returns the last reply, or 'closed' without one. */
export async function deliver(
  testbed: { smtpPort: number },
  to: string,
  message: string | Buffer = TEST_MESSAGE,
  from = 'b-1@bounce.sender.test',
): Promise<string> {
  const client = await rawSmtp(testbed.smtpPort)
  const [, rcpt, data] = await client.say(`MAIL FROM:<${from}> SMTPUTF8\r\nRCPT TO:<${to}>\r\nDATA\r\n`, 3)
  if (!rcpt?.startsWith('250')) return rcpt ?? 'closed'
  if (!data?.startsWith('354')) return data ?? 'closed'
  const [reply = 'closed'] = await client.say(Buffer.concat([Buffer.from(message), Buffer.from('\r\n.\r\n')]))
  client.socket.end('QUIT\r\n')
  return reply
}

export const TEST_MESSAGE = [
  'From: Shop <news@sender.test>',
  'To: someone@gmail.test',
  'Subject: =?UTF-8?Q?Sch=C3=B6ne_Gr=C3=BC=C3=9Fe?=',
  'Message-ID: <1@sender.test>',
  'Date: Sat, 21 Nov 2026 01:32:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hello',
].join('\r\n')

function ignore(): void {
  // Nobody waits.
}

function portOf(server: Server | ReturnType<typeof createServer>): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
