import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { addressGroup } from './address-group.ts'
import { limitConnections } from './limit-connections.ts'

let server: Server
const clients: Socket[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  if (server.listening) await new Promise(resolve => server.close(resolve))
})

async function start(
  limits: { total?: number; perAddress?: number; perAddressMinute?: number },
  isTrusted = false,
) {
  server = createServer(socket => void socket.on('error', () => {}).write('hello'))
  limitConnections(
    server,
    { total: 100, perAddress: 100, perAddressMinute: 100, ...limits },
    { isTrustedProxy: () => isTrusted, farewell: 'bye' },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

/** First data that a new connection receives. */
async function hear(): Promise<string> {
  const address = server.address()
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  clients.push(client)
  client.on('error', () => {})
  let heard = ''
  client.on('data', chunk => (heard += String(chunk)))
  await Promise.race([once(client, 'data'), once(client, 'close'), sleep(5_000)])
  return heard
}

describe('connection limits', () => {
  it('close connections beyond the limit of an address, and accept others when one ends', async () => {
    await start({ perAddress: 2 })
    expect([await hear(), await hear(), await hear()]).toEqual(['hello', 'hello', 'bye'])
    const [first] = clients
    first?.destroy()
    await expect.poll(hear).toBe('hello')
  })

  it('close connections beyond the limit of an address per minute', async () => {
    await start({ perAddressMinute: 3 })
    for (let opened = 0; opened < 3; opened++) {
      expect(await hear()).toBe('hello')
      clients.at(-1)?.destroy()
    }
    expect(await hear()).toBe('bye')
  })

  it('apply only the total to a trusted proxy', async () => {
    await start({ perAddress: 1, total: 2 }, true)
    expect([await hear(), await hear(), await hear()]).toEqual(['hello', 'hello', ''])
  })
})

describe('address groups', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', addressGroup('2001:db8:1:2::9')],
    ['nobody', 'nobody'],
  ])('%s counts as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })

  it('distinguishes two IPv6 networks', () => {
    expect(addressGroup('2001:db8:1:2::1')).not.toBe(addressGroup('2001:db8:1:3::1'))
  })
})
