import { once } from 'node:events'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { addCampaign, createTestTenant, type TestTenant, SENDER } from '@emma/core/test/tenant.ts'
import { TEST_TOKEN_KEY } from '@emma/delivery/test/engine.ts'
import { signToken, verpAddress } from '@emma/mail/token.ts'
import { rawSmtp } from '@emma/testbed/test/servers.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { INBOUND_LIMITS, type Limits } from '../network/limits.ts'
import { trustLoopback } from '../network/trusted-proxies.ts'
import { startTestInbound } from '../test/inbound-server.ts'

const HOST = `bounce.${SENDER}`
const MEGABYTE = Buffer.from(`${'x'.repeat(1022)}\r\n`.repeat(1024))

let database: TestDatabase
let tenant: TestTenant
let clientId: number
let campaignId: number

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test'])
  ;({ clientId, campaignId } = await addCampaign(tenant))
})
afterAll(() => database.drop())

async function start(
  limits: Partial<Limits<typeof INBOUND_LIMITS>> = {},
  isTrustedProxy = trustLoopback,
): Promise<number> {
  const server = await startTestInbound(database, {
    isTrustedProxy,
    limits: { ...INBOUND_LIMITS, ...limits },
  })
  onTestFinished(() => server.stop())
  return server.port
}

const returnPath = (memberId = 1) =>
  verpAddress(signToken(TEST_TOKEN_KEY, { kind: 'campaign', clientId, campaignId, memberId }, 'return'), HOST)

describe('the server for inbound mail', () => {
  it('rejects return paths that were not signed here at RCPT', async () => {
    const client = await rawSmtp(await start())
    const forged = returnPath().replace(/.@/, last => (last === 'a@' ? 'b@' : 'a@'))
    const replies = await client.say(
      `MAIL FROM:<>\r\nRCPT TO:<${forged}>\r\nRCPT TO:<${returnPath()}>\r\n`,
      3,
    )
    expect(replies.map(reply => reply.slice(0, 3))).toEqual(['250', '550', '250'])
  })

  it('accepts ten recipients per message', async () => {
    const client = await rawSmtp(await start())
    const recipients = Array.from({ length: 11 }, (_, index) => `RCPT TO:<${returnPath(index + 1)}>\r\n`)
    const replies = await client.say(`MAIL FROM:<>\r\n${recipients.join('')}`, 12)
    expect(replies.map(reply => reply.slice(0, 3))).toEqual([...Array(11).fill('250'), '452'])
  })

  it('closes the connection as soon as a message is too large, and discards it', async () => {
    const client = await rawSmtp(await start())
    await client.say(`MAIL FROM:<>\r\nRCPT TO:<${returnPath()}>\r\nDATA\r\n`, 3)
    const reply = client.say('', 1)
    const closed = once(client.socket, 'close')
    let sent = 0
    while (!client.socket.destroyed && sent < 300) {
      sent++
      if (!client.socket.write(MEGABYTE))
        await Promise.race([once(client.socket, 'drain').catch(() => {}), closed])
    }
    expect(await reply).toEqual([expect.stringMatching(/^552 /)])
    expect(sent).toBeLessThan(100)
  })

  it('shares a byte budget between all messages being received', async () => {
    const port = await start({ mailsBytes: 5 * MEGABYTE.length })
    const begin = async () => {
      const client = await rawSmtp(port)
      await client.say(`MAIL FROM:<>\r\nRCPT TO:<${returnPath()}>\r\nDATA\r\n`, 3)
      client.socket.write(MEGABYTE)
      client.socket.write(MEGABYTE)
      return client
    }
    const clients = [await begin(), await begin()]
    const replies = clients.map(client => client.say('', 1))
    const [refused] = await Promise.race(replies)
    expect(refused).toMatch(/^452 .*Too many messages at once/)
    for (const { socket } of clients) if (socket.writable) socket.write('\r\n.\r\n')
    const all = (await Promise.all(replies)).map(([reply]) => reply?.slice(0, 3))
    expect(new Set(all)).toEqual(new Set(['250', '452']))
  })

  it('disconnects a slow sender', async () => {
    const client = await rawSmtp(await start({ mailTimeoutMs: 700 }))
    await client.say(`MAIL FROM:<>\r\nRCPT TO:<${returnPath()}>\r\nDATA\r\n`, 3)
    const dripping = setInterval(() => client.socket.write('x'), 50)
    const [reply] = await client.say('', 1)
    clearInterval(dripping)
    expect(reply).toMatch(/^421 .*Too slow/)
  })

  it('disconnects a sender of endless commands', async () => {
    const client = await rawSmtp(await start())
    // EHLO is the first.
    const replies = await client.say('NOOP\r\n'.repeat(300), 300)
    const codes = replies.map(reply => reply.slice(0, 3))
    expect(codes).toEqual([...Array(INBOUND_LIMITS.commands - 1).fill('250'), '421'])
  })

  it('disconnects a sender that tries addresses', async () => {
    const client = await rawSmtp(await start())
    const { refusedRecipients } = INBOUND_LIMITS
    const recipients = 'RCPT TO:<nobody@elsewhere.test>\r\n'.repeat(300)
    const replies = await client.say(`MAIL FROM:<>\r\n${recipients}`, 301)
    const codes = replies.map(reply => reply.slice(0, 3))
    expect(codes).toEqual(['250', ...Array(refusedRecipients - 1).fill('550'), '421'])
  })

  it('does not count the time for storing a message', async () => {
    const port = await start({ mailTimeoutMs: 3_000 })
    const lock = await database.pool.connect()
    await lock.query('begin; lock table delivery in access exclusive mode')
    const sender = await rawSmtp(port)
    const mail = `MAIL FROM:<>\r\nRCPT TO:<${returnPath()}>\r\nDATA\r\n`
    await sender.say(mail, 3)
    const reply = sender.say('Subject: Hello\r\n\r\nHello\r\n.\r\n')
    // Ends at a deadline that started later than the sender's.
    const idle = await rawSmtp(port)
    expect(await idle.say('', 1)).toEqual([expect.stringMatching(/^421 .*Too slow/)])
    await lock.query('rollback')
    lock.release()
    expect(await reply).toEqual([expect.stringMatching(/^250/)])
  })

  it('disconnects after an endless command line', async () => {
    const client = await rawSmtp(await start())
    const [reply] = await client.say('A'.repeat(100_000), 1)
    expect(reply).toMatch(/^421 .*too long/)
  })

  it('limits the connections per address', async () => {
    const connections = { ...INBOUND_LIMITS.connections, perAddress: 2 }
    const port = await start({ connections }, () => false)
    const clients = [await rawSmtp(port), await rawSmtp(port)]
    expect(await clients[0]?.say('NOOP\r\n')).toEqual([expect.stringMatching(/^250/)])
    const third = await rawSmtp(port)
    expect(await third.say('NOOP\r\n')).toEqual([])
  })

  it('parses a message once for all its recipients', async () => {
    const client = await rawSmtp(await start())
    const bounce = [
      'Subject: Undelivered',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.gmx.test',
      '',
      'Final-Recipient: rfc822; ann@gmx.test',
      'Action: failed',
      'Status: 5.1.1',
      '',
      '--b--',
    ].join('\r\n')
    const replies = await client.say(
      `MAIL FROM:<>\r\nRCPT TO:<${returnPath(1)}>\r\nRCPT TO:<${returnPath(2)}>\r\nDATA\r\n`,
      4,
    )
    expect(replies.at(-1)).toMatch(/^354/)
    expect(await client.say(`${bounce}\r\n.\r\n`)).toEqual([expect.stringMatching(/^250/)])
  })
})
