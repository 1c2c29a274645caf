import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { senderRecords } from './sender-records.ts'
import { trackingOrigin } from './tracking-origin.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  const { client_id } = await database.db
    .insertInto('client')
    .values({ name: 'Shop' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  const { domain_id } = await database.db
    .insertInto('domain')
    .values({
      client_id,
      name: 'sender.test',
      dmarc_policy: 'quarantine',
      return_path_host: 'bounce.sender.test',
      tracking_host: 'news.sender.test',
    })
    .returning('domain_id')
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('domain')
    .values({
      client_id,
      name: 'gone.test',
      tracking_host: 'news.gone.test',
      deleted_at: new Date().toISOString(),
    })
    .execute()
  const key = { client_id, domain_id, algorithm: 'rsa', private_key: Buffer.from('x') }
  await database.db
    .insertInto('dkim_key')
    .values([
      { ...key, selector: 's1', public_txt: 'v=DKIM1; k=rsa; p=AAA' },
      { ...key, selector: 's0', public_txt: 'v=DKIM1; k=rsa; p=OLD', active: false },
    ])
    .execute()
})
afterAll(() => database.drop())

describe('senderRecords', () => {
  it.each([
    ['s1._domainkey.sender.test', [{ type: 'TXT', text: 'v=DKIM1; k=rsa; p=AAA' }]],
    ['s0._domainkey.sender.test', null],
    ['_dmarc.sender.test', [{ type: 'TXT', text: 'v=DMARC1; p=quarantine' }]],
    ['_dmarc.bounce.sender.test', null],
    [
      'bounce.sender.test',
      [
        { type: 'A', value: '127.0.0.1' },
        { type: 'TXT', text: 'v=spf1 ip4:127.0.0.1 -all' },
        { type: 'MX', preference: 10, exchange: 'bounce.sender.test' },
      ],
    ],
    ['news.sender.test', [{ type: 'A', value: '127.0.0.1' }]],
    ['gone.test', null],
    ['other.test', null],
  ])('serves %s', async (name, answers) => {
    expect(await senderRecords(database.db)(name, 'ANY')).toEqual(answers)
  })
})

describe('trackingOrigin', () => {
  const config = { trackingUrl: 'http://localhost:8081', trackingPort: 8081, host: '0.0.0.0' }

  it.each([
    ['http://localhost:8081/t/o/x.gif', 'http://127.0.0.1:8081'],
    ['https://news.sender.test/t/c/x/1', 'http://127.0.0.1:8081'],
    ['http://localhost:8080/api/user', null],
    ['http://127.0.0.1:5432/', null],
    ['https://news.gone.test/', null],
    ['https://example.com/', null],
  ])('evaluates %s', async (address, origin) => {
    expect(await trackingOrigin(config, database.db)(new URL(address))).toBe(origin)
  })
})
