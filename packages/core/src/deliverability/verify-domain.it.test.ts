import type { Create, Patch, Row } from '@emma/contract/resource-schemas.ts'
import type { domain as resource } from '@emma/contract/resources/domain.ts'
import type { Db } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemActor } from '../resource/actor.ts'
import { domainOperations } from './domain-operations.ts'
import { type Resolver, verifyDomain } from './verify-domain.ts'

const operations = domainOperations(Buffer.alloc(32, 1), () => ({
  spf: 'include:mail.emma.example',
  mailHost: 'mail.emma.example',
  tracking: { type: 'CNAME', value: 'link.emma.example' },
}))

type Domain = Row<typeof resource>

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
})
afterAll(() => database.drop())

/** Published DNS records: `type host` → values. */
let zone: Map<string, string[]>
const dns: Resolver = {
  async resolve(host, type) {
    return zone.get(`${type} ${host}`) ?? []
  },
}

/** Publishes all records that the domain needs. */
function publish({ dns: steps }: Pick<Domain, 'dns'>): void {
  for (const { type, host, expected } of steps) {
    const name = `${type} ${host}`
    zone.set(name, [...new Set([...(zone.get(name) ?? []), expected])])
  }
}

async function addClient(): Promise<number> {
  const { client_id } = await db
    .insertInto('client')
    .values({ name: 'Shop' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  return client_id
}

const scopeOf = (clientId: number) => ({ clientIds: [clientId] })
const add = (clientId: number, input: Create<typeof resource>) =>
  operations.create(db, systemActor(clientId), clientId, input)
const verify = (clientId: number, domain: Domain, resolver = dns) =>
  verifyDomain(db, operations, resolver, systemActor(clientId), scopeOf(clientId), domain.domain_id)
const patch = (clientId: number, domain: Domain, input: Patch<typeof resource>) =>
  operations.patch(db, systemActor(clientId), scopeOf(clientId), domain.domain_id, input, {
    revision: null,
  })
const find = (clientId: number, domain: Domain) =>
  operations.find(db, systemActor(clientId), scopeOf(clientId), domain.domain_id)

async function addVerified(clientId: number, input: Create<typeof resource>): Promise<Domain> {
  const domain = await add(clientId, input)
  publish(domain)
  return verify(clientId, domain)
}

const unchecked = {
  status: 'new',
  spf_ok: null,
  dkim_ok: null,
  dmarc_ok: null,
  mx_ok: null,
  cname_ok: null,
  last_check: null,
}

describe('domain verification: a change of names', () => {
  test.each([
    ['name', { name: 'bank.example' }, { status: 'failed' }],
    ['return path', { return_path_host: 'bounce.bank.example' }, { status: 'failed' }],
    ['tracking host', { tracking_host: 'link.bank.example' }, { cname_ok: false }],
  ])('a changed %s resets every check', async (_, change, result) => {
    zone = new Map()
    const clientId = await addClient()
    const domain = await addVerified(clientId, { name: 'shop.example' })
    expect(domain.status).toBe('verified')
    expect(await patch(clientId, domain, change)).toMatchObject({ ...change, ...unchecked })
    expect(await find(clientId, domain)).toMatchObject(unchecked)
    expect(await verify(clientId, domain)).toMatchObject(result)
    await operations.remove(db, systemActor(clientId), scopeOf(clientId), domain.domain_id, {
      revision: null,
    })
  })

  test('a change of another field keeps the checks', async () => {
    zone = new Map()
    const clientId = await addClient()
    const domain = await addVerified(clientId, { name: 'shop.example' })
    const saved = { name: 'shop.example', return_path_host: 'bounce.shop.example', in_pool: true }
    expect(await patch(clientId, domain, saved)).toMatchObject({ status: 'verified', dkim_ok: true })
    await operations.remove(db, systemActor(clientId), scopeOf(clientId), domain.domain_id, {
      revision: null,
    })
  })

  test('default host names follow a renamed domain, chosen ones stay', async () => {
    const clientId = await addClient()
    const domain = await add(clientId, { name: 'one.example', tracking_host: 't.other.example' })
    expect(await patch(clientId, domain, { name: 'two.example' })).toMatchObject({
      return_path_host: 'bounce.two.example',
      tracking_host: 't.other.example',
    })
  })

  test('a blocked domain stays blocked under another name', async () => {
    const clientId = await addClient()
    const domain = await add(clientId, { name: 'spam.example' })
    await db.updateTable('domain').set({ status: 'blocked' }).where('client_id', '=', clientId).execute()
    expect(await patch(clientId, domain, { name: 'clean.example' })).toMatchObject({ status: 'blocked' })
  })

  test('a domain renamed during the DNS lookup does not get the result of the old name', async () => {
    zone = new Map()
    const clientId = await addClient()
    const domain = await add(clientId, { name: 'slow.example' })
    publish(domain)
    let renamed: Promise<unknown> | undefined
    const slow: Resolver = {
      async resolve(host, type) {
        await (renamed ??= patch(clientId, domain, { name: 'bank.example' }))
        return dns.resolve(host, type)
      },
    }
    await expect(verify(clientId, domain, slow)).rejects.toMatchObject({ code: 'faulty_revision' })
    expect(await find(clientId, domain)).toMatchObject({ name: 'bank.example', ...unchecked })
  })
})

describe('domain verification: a verified name belongs to one client', () => {
  test('a second client is rejected while the records of the first are published', async () => {
    zone = new Map()
    const [first, second] = [await addClient(), await addClient()]
    const owner = await addVerified(first, { name: 'owned.example' })
    const rival = await add(second, { name: 'owned.example' })
    publish(rival)
    await expect(verify(second, rival)).rejects.toMatchObject({ code: 'conflict' })
    expect(await find(second, rival)).toMatchObject({ status: 'failed' })
    expect(await find(first, owner)).toMatchObject({ status: 'verified' })
  })

  test('the name passes to the client that controls the DNS once the first client’s records are gone', async () => {
    zone = new Map()
    const [first, second] = [await addClient(), await addClient()]
    const owner = await addVerified(first, { name: 'sold.example' })
    zone = new Map()
    const rival = await add(second, { name: 'sold.example' })
    publish(rival)
    expect(await verify(second, rival)).toMatchObject({ status: 'verified' })
    expect(await find(first, owner)).toMatchObject({ status: 'failed' })
  })

  test('hosts below another client’s verified name are rejected', async () => {
    zone = new Map()
    const [first, second] = [await addClient(), await addClient()]
    await addVerified(first, { name: 'victim.example' })
    const rival = await add(second, { name: 'rival.example', return_path_host: 'bounce.victim.example' })
    publish(rival)
    await expect(verify(second, rival)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('of two clients that verify one name at the same time one succeeds', async () => {
    zone = new Map()
    const clients = [await addClient(), await addClient()]
    const domains = await Promise.all(clients.map(client => add(client, { name: 'race.example' })))
    for (const domain of domains) publish(domain)
    await Promise.allSettled(domains.map(domain => verify(domain.client_id, domain)))
    const states = await Promise.all(domains.map(domain => find(domain.client_id, domain)))
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['failed', 'verified']))
  })
})

test.each([
  ['v=DMARC1; p=reject; adkim=s', true],
  ['v=DMARC1; p=reject; ADKIM = S ; aspf=r', true],
  ['v=DMARC1; p=none; adkim=r', false],
  ['v=DMARC1; p=none; rua=mailto:adkim=s@x.example', false],
])('RFC 7489 6.3: whether %s demands strict alignment is stored', async (record, isStrict) => {
  zone = new Map()
  const clientId = await addClient()
  const domain = await add(clientId, { name: `strict-${clientId}.example` })
  publish(domain)
  zone.set(`TXT _dmarc.${domain.name}`, [record])
  await verify(clientId, domain)
  const { dmarc_strict } = await db
    .selectFrom('domain')
    .select('dmarc_strict')
    .where('domain_id', '=', domain.domain_id)
    .executeTakeFirstOrThrow()
  expect(dmarc_strict).toBe(isStrict)
})
