import { Resolver } from 'node:dns/promises'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDnsServer } from './dns-server.ts'
import { PROVIDER_PROFILES } from './provider-profiles.ts'
import { createZone, type ZoneLookup } from './zone.ts'

const KEY = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`

const lookup: ZoneLookup = async (name, type) => {
  if (name === 'broken.test') throw new Error('database away')
  if (name === 's1._domainkey.sender.test') return type === 'TXT' ? [{ type: 'TXT', text: KEY }] : []
  if (name === 'many.test')
    return Array.from({ length: 60 }, (_, n) => ({ type: 'TXT', text: `${n}${'x'.repeat(40)}` }))
  if (name === 'track.sender.test') return [{ type: 'CNAME', value: 'Tracking.emma.test' }]
  if (name === 'tracking.emma.test') return type === 'A' ? [{ type: 'A', value: '127.0.0.1' }] : []
  if (name === 'loop.test') return [{ type: 'CNAME', value: 'loop.test' }]
  if (name === 'sender.test')
    return type === 'MX' ? [{ type: 'MX', preference: 5, exchange: 'in.sender.test' }] : []
  return null
}

async function startResolver() {
  const server = await startDnsServer(
    createZone({ profiles: PROVIDER_PROFILES, address: '127.0.0.1', lookup }),
    {
      host: '127.0.0.1',
      port: 0,
    },
  )
  onTestFinished(() => server.close())
  const resolver = new Resolver({ timeout: 3000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.port}`])
  return { resolver, port: server.port }
}

describe('startDnsServer', () => {
  it('serves the providers', async () => {
    const { resolver } = await startResolver()
    expect(await resolver.resolveMx('gmail.test')).toMatchObject([
      { exchange: 'mx1.gmail.test', priority: 10 },
      { exchange: 'mx2.gmail.test', priority: 20 },
    ])
    expect(await resolver.resolve4('mx1.gmail.test')).toEqual(['127.0.0.1'])
    expect(await resolver.resolveTxt('GMX.test')).toEqual([['v=spf1 ip4:127.0.0.1 -all']])
    expect(await resolver.resolveTxt('_dmarc.web.test')).toEqual([['v=DMARC1; p=none']])
    expect(await resolver.resolveMx('xn--mller-kva.test')).toMatchObject([
      { exchange: 'mail.xn--mller-kva.test', priority: 10 },
    ])
  })

  it('shares MX hosts between the domains of one provider, and of two', async () => {
    const { resolver } = await startResolver()
    expect(await resolver.resolveMx('gmx.test')).toEqual(await resolver.resolveMx('web.test'))
  })

  it('serves sender domains, long keys and aliases', async () => {
    const { resolver } = await startResolver()
    const [key] = await resolver.resolveTxt('s1._domainkey.sender.test')
    expect(key?.join('')).toBe(KEY)
    expect(key?.every(part => part.length <= 255)).toBe(true)
    expect(await resolver.resolve4('track.sender.test')).toEqual(['127.0.0.1'])
    expect(await resolver.resolveMx('sender.test')).toMatchObject([
      { exchange: 'in.sender.test', priority: 5 },
    ])
  })

  it('distinguishes NXDOMAIN, missing records and failures', async () => {
    const { resolver } = await startResolver()
    await expect(resolver.resolve4('nobody.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(resolver.resolve4('sender.test')).rejects.toMatchObject({ code: 'ENODATA' })
    await expect(resolver.resolve4('broken.test')).rejects.toMatchObject({ code: 'ESERVFAIL' })
    await expect(resolver.resolve4('loop.test')).rejects.toMatchObject({ code: 'ESERVFAIL' })
  })

  it('truncates an answer that is too long for a datagram', async () => {
    const { resolver } = await startResolver()
    expect(await resolver.resolveTxt('many.test')).toHaveLength(60)
  })

  it('survives invalid packets', async () => {
    const { resolver, port } = await startResolver()
    const udp = createSocket('udp4')
    for (const rubbish of ['', 'x', '\0'.repeat(12), '\xff'.repeat(600)])
      udp.send(Buffer.from(rubbish, 'latin1'), port, '127.0.0.1')
    const tcp = connect(port, '127.0.0.1')
    tcp.write(Buffer.alloc(70_000, 0xff))
    await new Promise<void>(resolve => tcp.on('error', () => {}).on('close', () => resolve()))
    expect(await resolver.resolve4('mx1.gmail.test')).toEqual(['127.0.0.1'])
    udp.close()
  })
})

describe('createZone', () => {
  it('looks up the same record once in five seconds', async () => {
    let now = 0
    let asked = 0
    const zone = createZone({
      profiles: [],
      address: '127.0.0.1',
      lookup: async () => {
        asked++
        return [{ type: 'TXT', text: 'x' }]
      },
      now: () => now,
    })
    await Promise.all([zone.resolver('a.test', 'TXT'), zone.resolver('A.test.', 'TXT')])
    expect(asked).toBe(1)
    now = 5001
    await zone.resolver('a.test', 'TXT')
    expect(asked).toBe(2)
  })

  it('returns the same to mailauth as node:dns would', async () => {
    const zone = createZone({ profiles: PROVIDER_PROFILES, address: '127.0.0.1', lookup })
    expect(await zone.resolver('gmail.test', 'TXT')).toEqual([['v=spf1 ip4:127.0.0.1 -all']])
    expect(await zone.resolver('gmail.test', 'MX')).toMatchObject([
      { exchange: 'mx1.gmail.test', priority: 10 },
      {},
    ])
    await expect(zone.resolver('nobody.test', 'TXT')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(zone.resolver('sender.test', 'TXT')).rejects.toMatchObject({ code: 'ENODATA' })
  })
})
