import { once } from 'node:events'
import { SENDER } from '@emma/core/test/tenant.ts'
import { verpAddress } from '@emma/mail/token.ts'
import { rawSmtp } from '@emma/testbed/test/servers.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readReadiness } from '../readiness.ts'
import { type Attack, openHostile } from '../test/hostile-connection.ts'
import { openRoleSurroundings, type RoleSurroundings } from '../test/role-surroundings.ts'
import { heldBytes, startRole } from '../test/role.ts'

let surroundings: RoleSurroundings
let returnPath: string

beforeAll(async () => {
  surroundings = await openRoleSurroundings('EMMA_INBOUND_PORT', {
    // No relay is trusted, so that the limits of an address apply.
    EMMA_TRUSTED_PROXIES: '192.0.2.1',
  })
  returnPath = verpAddress(surroundings.tokenOf('return'), `bounce.${SENDER}`)
})
afterAll(() => surroundings.close())

/** `connections`: limit per address. */
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
  const { port, pool, config, environment } = surroundings
  const role = await startRole('inbound', environment)
  expect(await returnMail(port)).toMatch(/^250/)
  const before = await heldBytes(role)
  for (const localAddress of ADDRESSES)
    for (const attack of attacks().toReversed())
      for (let made = 0; made < attack.connections; made++)
        openHostile({ port, host: '127.0.0.1', localAddress }, attack, { isGreeted: true })
  for (let round = 0; round < 2; round++) {
    expect(await returnMail(port)).toMatch(/^250/)
    expect(await readReadiness(pool, config)).toMatchObject({ ready: true })
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
