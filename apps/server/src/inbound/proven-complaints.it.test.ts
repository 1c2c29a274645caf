import { followEvents } from '@emma/core/events/follow-events.ts'
import { addCampaign, createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { TEST_TOKEN_KEY, testExpansion } from '@emma/delivery/test/engine.ts'
import { complaintReport } from '@emma/mail/test/complaint-report.ts'
import { signRaw, testKeys, testSigner } from '@emma/mail/test/sign-raw.ts'
import type { ResolveTxt } from '@emma/mail/dkim/verify-mail.ts'
import { createPool } from '@emma/mail/smtp/pool.ts'
import { signToken } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { INBOUND_LIMITS } from '../network/limits.ts'
import { startTestInbound } from '../test/inbound-server.ts'

/** Trusted by default. */
const loop = testSigner('arf.mail.yahoo.com')
const other = testSigner('loop.example')
const keys = testKeys(loop, other)

let database: TestDatabase
let tenant: TestTenant
let campaign: { clientId: number; campaignId: number }

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test', 'ben@gmx.test'])
  campaign = await addCampaign(tenant)
  await expandCampaign(tenant.db, campaign, testExpansion)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await sql`delete from event`.execute(tenant.db)
  await sql`delete from internal_blacklist_entry`.execute(tenant.db)
  await sql`delete from blacklist_entry`.execute(tenant.db)
  await sql`delete from setting where name = 'feedback_loops'`.execute(tenant.db)
})

const original = (memberId = 1) => {
  const token = signToken(TEST_TOKEN_KEY, { kind: 'campaign', ...campaign, memberId }, 'return')
  return `CFBL-Feedback-ID: ${token}`
}
const report = (values: Parameters<typeof complaintReport>[0] = {}) =>
  complaintReport({ from: 'feedback@arf.mail.yahoo.com', original: original(), ...values })

describe('R104 a complaint', () => {
  it('is suppressed for the whole platform if a trusted feedback loop verifies it', async () => {
    await receive(signRaw(report({ recipient: 'Ann@gmx.test' }), loop))
    expect(await suppressed()).toEqual({
      complaints: [{ email: 'ann@gmx.test', details: { proven: true, signed_by: 'arf.mail.yahoo.com' } }],
      client: ['ann@gmx.test'],
      platform: [
        { value: 'ann@gmx.test', reason: 'complaint, proven by arf.mail.yahoo.com', added_by: null },
      ],
    })
  })

  it.each<[string, () => Buffer]>([
    ['has no signature', () => report()],
    ['has a forged signature', () => signRaw(report(), { ...other, domain: loop.domain })],
    ['was changed after signing', () => changed(signRaw(report(), loop))],
    ['is signed by a domain that is not trusted', () => signRaw(report({ from: 'a@loop.example' }), other)],
    ['is partly signed (l=)', () => signRaw(report(), loop, { length: 100 })],
    ['has From unsigned', () => signRaw(report(), loop, { fields: ['to', 'content-type'] })],
    ['is about another recipient', () => signRaw(report({ recipient: 'ben@gmx.test' }), loop)],
    [
      'has the token of a message to another recipient',
      () => signRaw(report({ recipient: 'x@yahoo.test' }), loop),
    ],
  ])('stays with its client if its report %s', async (_, message) => {
    await receive(message())
    expect(await suppressed()).toEqual(ofTheClient)
  })

  it.each<[string, ResolveTxt]>([
    ['does not answer', () => new Promise(() => {})],
    ['fails', () => Promise.reject(new Error('SERVFAIL'))],
    ['has no key', () => Promise.resolve([])],
  ])('is recorded, and stays with its client, if DNS %s', async (_, resolveTxt) => {
    await receive(signRaw(report(), loop), { resolveTxt, proofDnsTimeoutMs: 50 })
    expect(await suppressed()).toEqual(ofTheClient)
  })

  it('is recorded, and stays with its client, if verification takes too long or too many run', async () => {
    await receive(signRaw(report(), loop), { resolveTxt: () => new Promise(() => {}), proofTimeoutMs: 50 })
    expect(await suppressed()).toEqual(ofTheClient)
    await receive(signRaw(report(), loop), { proofs: 0 })
    expect(await suppressed()).toMatchObject({ platform: [] })
  })

  it('is verified only by the domains that superadmins trust', async () => {
    await trust('loop.example')
    await receive(signRaw(report(), loop))
    expect(await suppressed()).toEqual(ofTheClient)
    await receive(signRaw(report({ from: 'a@loop.example' }), other))
    expect(await suppressed()).toMatchObject({ platform: [{ value: 'ann@gmx.test' }] })
  })

  it("does not change a superadmin's entry", async () => {
    await sql`insert into internal_blacklist_entry (value, reason) values ('ann@gmx.test', 'legal')`.execute(
      tenant.db,
    )
    await receive(signRaw(report(), loop))
    expect(await suppressed()).toMatchObject({ platform: [{ value: 'ann@gmx.test', reason: 'legal' }] })
  })
})

const ofTheClient = {
  complaints: [{ email: 'ann@gmx.test', details: null }],
  client: ['ann@gmx.test'],
  platform: [],
}

function changed(message: Buffer): Buffer {
  return Buffer.from(message.toString('latin1').replace('an e-mail abuse', 'an email abuse'), 'latin1')
}

interface Arrival {
  resolveTxt?: ResolveTxt
  proofDnsTimeoutMs?: number
  proofTimeoutMs?: number
  proofs?: number
}

/** Receives a message to `fbl@` and processes its events. */
async function receive(message: Buffer, { resolveTxt = keys, ...limits }: Arrival = {}): Promise<void> {
  const server = await startTestInbound(database, {
    resolveTxt,
    // A busy machine starts threads slowly.
    limits: { ...INBOUND_LIMITS, parseTimeoutMs: 60_000, proofTimeoutMs: 60_000, ...limits },
  })
  const smtp = createPool({
    host: '127.0.0.1',
    port: server.port,
    name: 'mx.test',
    tls: 'off',
    connections: 1,
  })
  onTestFinished(async () => {
    await smtp.close()
    await server.stop()
  })
  expect(await smtp.send({ from: '', to: `fbl@bounce.${SENDER}` }, [message])).toMatchObject({ code: 250 })
  while ((await followEvents(tenant.db)) > 0);
}

async function trust(...senders: string[]): Promise<void> {
  await sql`insert into setting (name, value) values ('feedback_loops', ${JSON.stringify({ senders })}::jsonb)`.execute(
    tenant.db,
  )
}

async function suppressed() {
  const complaints = await sql`
    select email, details from event where type = 'complaint' order by event_id`.execute(tenant.db)
  const client = await sql<{ value: string }>`select value from blacklist_entry order by value`.execute(
    tenant.db,
  )
  const platform = await sql`
    select value, reason, added_by from internal_blacklist_entry order by value`.execute(tenant.db)
  return {
    complaints: complaints.rows,
    client: client.rows.map(({ value }) => value),
    platform: platform.rows,
  }
}
