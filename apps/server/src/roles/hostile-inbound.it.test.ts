import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { addCampaign, createTestTenant, SENDER } from '@emma/core/test/tenant.ts'
import { signToken, verpAddress } from '@emma/mail/token.ts'
import { rawSmtp } from '@emma/testbed/test/servers.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Config, loadConfig } from '../config.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { readReadiness } from '../readiness.ts'
import { freePort, heldBytes, startRole } from '../test/role.ts'

const folder = mkdtempSync(join(tmpdir(), 'emma-hostile-'))
let database: TestDatabase
let config: Config
let environment: Record<string, string>
let returnPath: string

beforeAll(async () => {
  database = await createTestDatabase()
  environment = {
    EMMA_DATA: folder,
    EMMA_SECRET: 'a secret of this test',
    DATABASE_URL: database.url,
    EMMA_INBOUND_PORT: String(await freePort()),
    // No relay is trusted, so that the limits of an address apply.
    EMMA_TRUSTED_PROXIES: '192.0.2.1',
    LOG_LEVEL: 'silent',
  }
  const campaign = await addCampaign(await createTestTenant(database.db, ['ann@gmx.test']))
  await database.pool.query(
    `insert into role_heartbeat (node, role, pid, seen_at) values ('test', 'engine', 1, now() + interval '1 hour')`,
  )
  config = loadConfig(environment)
  const token = signToken(mailTokenKey(config), { kind: 'campaign', ...campaign, memberId: 1 }, 'return')
  returnPath = verpAddress(token, `bounce.${SENDER}`)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

/** Data sent after the greeting, and data repeated for as long as the server accepts it. */
interface Attack {
  /** Per address. */
  connections: number
  first: string
  endless?: string
}

function attacks(): Attack[] {
  const data = `EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<${returnPath}>\r\nDATA\r\n`
  return [
    { connections: 5, first: '' },
    { connections: 5, first: 'EHL' },
    { connections: 5, first: 'EHLO x\r\nMAIL FROM:<' },
    { connections: 5, first: data },
    { connections: 5, first: `${data}Subject: ` },
    { connections: 1, first: '', endless: 'a'.repeat(1_000) },
    {
      connections: 1,
      first: 'EHLO x\r\nMAIL FROM:<>\r\n',
      endless: 'RCPT TO:<b-forged@x.test>\r\n'.repeat(50),
    },
    { connections: 1, first: 'EHLO x\r\n', endless: 'NOOP\r\n'.repeat(50) },
    { connections: 1, first: data, endless: `${'a'.repeat(1_022)}\r\n` },
    // A message with very many parts.
    {
      connections: 1,
      first: `${data}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(50_000)}\r\n.\r\n`,
    },
  ]
}

/** Each address has more connections than allowed; together they reach nearly the total. */
const ADDRESSES = Array.from({ length: 9 }, (_, index) => `127.0.0.${index + 2}`)

it('malicious connections to the inbound port use little memory, and mail is accepted', async () => {
  const role = await startRole('inbound', environment)
  const port = Number(environment['EMMA_INBOUND_PORT'])
  expect(await returnMail(port)).toMatch(/^250/)
  const before = await heldBytes(role)
  for (const address of ADDRESSES)
    for (const attack of attacks().toReversed())
      for (let made = 0; made < attack.connections; made++) begin(port, address, attack)
  for (let round = 0; round < 2; round++) {
    expect(await returnMail(port)).toMatch(/^250/)
    expect(await readReadiness(database.pool, config)).toMatchObject({ ready: true })
    expect((await heldBytes(role)) - before).toBeLessThan(100_000_000)
  }
})

/** Like a mail server; returns the reply to the message. */
async function returnMail(port: number): Promise<string> {
  const client = await rawSmtp(port)
  await client.say(`MAIL FROM:<>\r\nRCPT TO:<${returnPath}>\r\nDATA\r\n`, 3)
  const [reply = 'closed'] = await client.say('Subject: Hello\r\n\r\nHello\r\n.\r\n')
  const closed = once(client.socket, 'close')
  client.socket.end('QUIT\r\n')
  await closed
  return reply
}

function begin(port: number, localAddress: string, { first, endless }: Attack): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  // After the greeting: the server disconnects early talkers.
  socket.once('data', () => {
    socket.resume().write(first)
    if (endless === undefined) return
    socket.on('drain', () => sendOn(socket, endless))
    sendOn(socket, endless)
  })
}

function sendOn(socket: Socket, text: string): void {
  while (!socket.destroyed && socket.write(text));
}
