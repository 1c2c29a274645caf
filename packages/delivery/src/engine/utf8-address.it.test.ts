import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { parseAddress } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ASCII_POSTFIX, type Mta, POSTFIX, startMta } from '../test/mta.ts'
import type { Engine } from './engine.ts'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { sendTest } from '../send-test.ts'
import { addCampaign, createTestTenant, SENDER } from '@emma/core/test/tenant.ts'
import { countLedger, TEST_TOKEN_KEY, testEngine, testExpansion, validOf } from '../test/engine.ts'

/** People whose address has letters outside ASCII before the @ (RFC 6531), from the ledger to the next hop. */

let database: TestDatabase
let engine: Engine | null = null
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await engine?.stop()
  engine = null
  await database.drop()
})

describe.each<[string, Mta]>([
  ['offers', POSTFIX],
  ['does not offer', ASCII_POSTFIX],
])('a next hop that %s SMTPUTF8', (_, mta) => {
  it.skipIf(mta.start === null)('gets each mail once or not at all, and the ledger says which', async () => {
    const tenant = await createTestTenant(database.db, ['jörg@real.test', 'ann@real.test', '用户@real.test'])
    const server = await startMta(mta)
    onTestFinished(() => server.stop())
    await sendOver(server)
    engine = await testEngine(database, 1)
    const { campaignId } = await addCampaign(tenant, { unknown_policy: 'resend' })
    await expect.poll(() => validOf(tenant.db, campaignId)).toBe(3)
    const { rows } = await sql<{ email: string; state: string; enhanced: string; hard: boolean }>`
      select email, state, enhanced, hard, attempts from delivery where campagne_id = ${campaignId} order by member_id`.execute(
      tenant.db,
    )
    const outside = mta.hasUtf8
      ? { state: 'sent', attempts: 1 }
      : { state: 'rejected', enhanced: '5.6.7', hard: false, attempts: 1 }
    expect(rows).toMatchObject([
      { email: 'jörg@real.test', ...outside },
      { email: 'ann@real.test', state: 'sent', attempts: 1 },
      { email: '用户@real.test', ...outside },
    ])
    const queue = server.queue().map(mail => mail.toString())
    const to = new Set(queue.map(mail => /^To: (.*)\r$/m.exec(mail)?.[1]))
    expect(to).toEqual(
      new Set(mta.hasUtf8 ? ['ann@real.test', 'jörg@real.test', '用户@real.test'] : ['ann@real.test']),
    )
    expect(queue).toHaveLength(to.size)
    // Return path, ids and unsubscribe address are ASCII for everybody.
    for (const mail of queue) {
      const header = mail.slice(0, mail.indexOf('\r\n\r\n')).split('\r\n')
      const outsideAscii = header.filter(line => /[^\p{ASCII}]/u.test(line))
      expect(outsideAscii.filter(line => !/^(?:To:|\s+for <)/.test(line))).toEqual([])
    }
  })

  it.skipIf(mta.start === null)('gets a test of a template, or its sender reads why not', async () => {
    const tenant = await createTestTenant(database.db, [])
    const server = await startMta(mta)
    onTestFinished(() => server.stop())
    await sendOver(server)
    const { clientId, messageId, domainId, mailclassId } = tenant
    const recipients = ['JO\u0308RG@real.test', 'ann@real.test'].map(email => ({ email, member: {} }))
    const outcomes = await sendTest(
      {
        db: tenant.db,
        tokenKey: TEST_TOKEN_KEY,
        openSecret: sealed => sealed.toString(),
        trackingBaseOf: () => 'http://localhost:9',
        testbed: { host: '127.0.0.1', port: 1 },
        helo: 'engine.test',
        outgoing: { allowPrivate: true },
      },
      {
        clientId,
        messageId,
        campaign: null,
        recipients,
        prefix: '',
        domainId,
        mailclassId,
        espId: null,
        memberTableId: null,
        sender: { address: `news@${SENDER}`, name: 'Shop', replyTo: null },
        subject: 'Test',
      },
    )
    const queued = { outcome: 'sent', reply: expect.stringMatching(/^250 2\.0\.0 Ok: queued/) }
    expect(outcomes).toMatchObject([
      mta.hasUtf8
        ? queued
        : {
            outcome: 'rejected',
            reply: '5.6.7 The server cannot take addresses outside ASCII (SMTPUTF8).',
          },
      queued,
    ])
    expect(server.queue()).toHaveLength(mta.hasUtf8 ? 2 : 1)
  })
})

async function sendOver({ port }: { port: number }): Promise<void> {
  await database.db
    .updateTable('mailclass')
    .set({ transport: 'smtp', smtp_host: '127.0.0.1', smtp_port: port, smtp_tls: 'none' })
    .execute()
}

it('one person in two spellings is one recipient, and suppressed in any spelling', async () => {
  const spellings = ['JÖRG@firm.example', 'jo\u0308rg@firm.example', 'Νίκος@firm.example']
  const stored = spellings.map(spelling => {
    const parsed = parseAddress(spelling)
    return parsed.ok ? parsed.email : ''
  })
  const tenant = await createTestTenant(database.db, [
    ...new Set(stored),
    '😀@firm.example',
    'ann@firm.example',
  ])
  await tenant.db
    .insertInto('test_address')
    .values({ client_id: tenant.clientId, email: stored[1] ?? '', addr_type: 'global_seed' })
    .execute()
  const { blacklist_id } = await tenant.db
    .insertInto('blacklist')
    .values({ client_id: tenant.clientId, name: 'Own', kind: 'client', match: 'sha256' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into blacklist_entry (client_id, blacklist_id, value)
    values (${tenant.clientId}, ${blacklist_id}, encode(sha256(convert_to('νίκος@firm.example', 'UTF8')), 'hex'))`.execute(
    tenant.db,
  )
  const key = await addCampaign(tenant)
  await expandCampaign(tenant.db, key, testExpansion)
  expect(await countLedger(tenant.db, key.campaignId)).toEqual({ pending: 3, blacklist_client: 1 })
  const { rows: seeds } = await sql`
    select skip_reason from delivery where campagne_id = ${key.campaignId} and member_id < 0`.execute(
    tenant.db,
  )
  expect(seeds).toEqual([{ skip_reason: 'duplicate' }])
})

it('the stored form is in lower case for a database of any locale', async () => {
  const stored: string[] = []
  for (let code = 0x80; code <= 0x1ffff; code++) {
    const parsed = parseAddress(`a${String.fromCodePoint(code)}ΑΣ@example.com`)
    if (parsed.ok) stored.push(parsed.email)
  }
  expect(stored.length).toBeGreaterThan(80_000)
  const { rows: locales } = await sql<{ name: string }>`
    select distinct collname as name from pg_collation
    where collname in ('C', 'pg_c_utf8', 'und-x-icu', 'de-x-icu', 'el-x-icu', 'C.utf8')`.execute(database.db)
  expect(locales.length).toBeGreaterThan(1)
  for (const { name } of locales) {
    const { rows } = await sql<{ email: string }>`
      select email from unnest(${stored}::text[]) as email
      where convert_to(lower(email collate ${sql.id(name)}), 'UTF8') <> convert_to(email, 'UTF8')
      limit 5`.execute(database.db)
    expect({ name, rows }).toEqual({ name, rows: [] })
  }
})
