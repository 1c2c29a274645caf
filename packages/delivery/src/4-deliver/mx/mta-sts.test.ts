import { describe, expect, it } from 'vitest'
import { type DnsClient, DnsFault } from './dns-client.ts'
import { allowsHost, createStsPolicies, parsePolicy } from './mta-sts.ts'

const ENFORCE = 'version: STSv1\r\nmode: enforce\r\nmx: *.safe.test\r\nmax_age: 86400\r\n'

describe('parsePolicy', () => {
  it.each([
    ['CRLF', ENFORCE],
    ['LF and no trailing line end', ENFORCE.replaceAll('\r\n', '\n').trimEnd()],
    ['spaces, capitals and unknown fields', `${ENFORCE.replace('mx: *.safe', 'mx:\t *.SAFE')}x-y: z\r\n`],
    ['a repeated field: the first counts', `${ENFORCE}mode: none\r\nmax_age: 1\r\n`],
  ])('parses %s', (_, text) => {
    expect(parsePolicy(text)).toEqual({ mode: 'enforce', mx: ['*.safe.test'], maxAge: 86_400 })
  })

  it('limits the age to a year, and needs no host in mode none', () => {
    expect(parsePolicy(ENFORCE.replace('86400', '9999999999'))?.maxAge).toBe(31_557_600)
    expect(parsePolicy('version: STSv1\nmode: none\nmax_age: 0')).toEqual({ mode: 'none', mx: [], maxAge: 0 })
  })

  it.each([
    ['no version', ENFORCE.replace('version: STSv1\r\n', '')],
    ['another version', ENFORCE.replace('STSv1', 'STSv2')],
    ['another mode', ENFORCE.replace('enforce', 'report')],
    ['no host', ENFORCE.replace(/mx.*\r\n/, '')],
    ['a negative time', ENFORCE.replace('86400', '-1')],
    ['a page', '<!doctype html><title>mta-sts</title>'],
    ['more than 64 kB', `${ENFORCE}mx: a${' '.repeat(1_000_000)}b`],
  ])('is rejected with %s', (_, text) => {
    expect(parsePolicy(text)).toBeNull()
  })
})

it.each([
  ['mx.safe.test', ['mx.safe.test'], true],
  ['a.safe.test', ['*.safe.test'], true],
  ['a.b.safe.test', ['*.safe.test'], false],
  ['safe.test', ['*.safe.test'], false],
  ['a.safe.test.evil.test', ['*.safe.test', 'safe.test'], false],
  ['evilsafe.test', ['*.safe.test'], false],
])('%s against %j: %s', (host, mx, isAllowed) => {
  expect(allowsHost({ mode: 'enforce', mx, maxAge: 1 }, host)).toBe(isAllowed)
})

describe('policies', () => {
  it('are fetched once, again when their id changes, and before they expire', async () => {
    const { policies, world } = start()
    for (let index = 0; index < 3; index++)
      expect(await policies.find('safe.test')).toMatchObject({ mode: 'enforce' })
    expect(world.fetches).toBe(1)
    world.id = '2'
    await policies.find('safe.test')
    expect(world.fetches).toBe(2)
    world.time += 50_000_000
    await policies.find('safe.test')
    expect(world.fetches).toBe(3)
  })

  it('apply without their record or server until they expire', async () => {
    const { policies, world } = start()
    await policies.find('safe.test')
    world.text = null
    for (const id of ['2', null, new DnsFault('away')]) {
      world.id = id
      expect(await policies.find('safe.test')).toMatchObject({ mode: 'enforce' })
    }
    world.time += 86_400_001
    expect(await policies.find('safe.test')).toBeNull()
  })

  it('that cannot be fetched are requested every five minutes, not for every message', async () => {
    const { policies, world } = start()
    world.text = new Error('timeout')
    for (let index = 0; index < 5; index++) expect(await policies.find('safe.test')).toBeNull()
    expect(world.fetches).toBe(1)
    world.text = ENFORCE
    world.time += 300_001
    expect(await policies.find('safe.test')).toMatchObject({ mode: 'enforce' })
  })

  it('with max_age 0 apply until they are fetched again', async () => {
    const { policies, world } = start()
    world.text = ENFORCE.replace('86400', '0')
    for (let index = 0; index < 3; index++)
      expect(await policies.find('safe.test')).toMatchObject({ mode: 'enforce' })
    expect(world.fetches).toBe(1)
  })

  it.each([
    ['two records', ['v=STSv1; id=1;', 'v=STSv1; id=2;']],
    ['another version', ['v=STSv10; id=1;']],
    ['no id', ['v=STSv1;']],
    ['an id with invalid characters', ['v=STSv1; id=a_b;']],
  ])('are not fetched for a record with %s', async (_, records) => {
    const { policies, world } = start()
    world.records = records
    expect(await policies.find('safe.test')).toBeNull()
    expect(world.fetches).toBe(0)
  })
})

function start() {
  const world: {
    id: string | null | DnsFault
    records: string[]
    text: string | null | Error
    time: number
    fetches: number
  } = { id: '1', records: [], text: ENFORCE, time: 1_000_000, fetches: 0 }
  const dns: DnsClient = {
    async ask(name) {
      if (world.id instanceof DnsFault) throw world.id
      const own = world.id === null ? [] : [`v=STSv1; id=${world.id};`]
      const records = world.records.length > 0 ? world.records : own
      return {
        answers: records.map(data => ({ type: 'TXT' as const, name, data: [Buffer.from(data)] })),
        exists: true,
        isSecure: false,
      }
    },
  }
  const policies = createStsPolicies(
    dns,
    async () => {
      world.fetches++
      if (world.text instanceof Error) throw world.text
      return world.text
    },
    () => world.time,
  )
  return { policies, world }
}
