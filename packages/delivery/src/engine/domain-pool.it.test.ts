import { campaignState } from '@emma/contract/campaign-states.ts'
import { addCampaign, createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { transaction } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countLedger, startLab, testEngine, type TestLab } from '../test/engine.ts'
import type { Engine } from './engine.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine

beforeAll(async () => {
  database = await createTestDatabase()
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port)
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

/** Adds a domain with the keys of the tenant's own one. */
async function addDomain(
  { clientId, domainId }: TestTenant,
  name: string,
  values: { in_pool?: boolean; status?: string; is_blocklisted?: boolean } = {},
): Promise<void> {
  const { domain_id } = await database.db
    .insertInto('domain')
    .values({ client_id: clientId, name, status: 'verified', in_pool: true, ...values })
    .returning('domain_id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into dkim_key (client_id, domain_id, selector, algorithm, private_key, public_txt)
    select client_id, ${domain_id}::bigint, selector, algorithm, private_key, public_txt from dkim_key
    where client_id = ${clientId} and domain_id = ${domainId}`.execute(database.db)
}

/** What each recipient got: domain of the signatures and of the return path, and the fields of the header. */
async function send(tenant: TestTenant, use_domain_pool: boolean) {
  const { campaignId } = await addCampaign(tenant, { valid: campaignState.draft })
  await setCampaign(campaignId, { use_domain_pool, valid: campaignState.preparing })
  return receivedOf(campaignId)
}

async function setCampaign(
  campaignId: number,
  values: { use_domain_pool?: boolean; valid?: number; throttle?: number },
): Promise<void> {
  await database.db.updateTable('campaign').set(values).where('campagne_id', '=', campaignId).execute()
}

/** Waits until a campaign is sent. */
async function receivedOf(campaignId: number) {
  await expect.poll(async () => (await countLedger(database.db, campaignId)).sent).toBe(MEMBERS)
  const mailboxes = openMailboxes(lab.folder)
  const sent = mailboxes.listMessages({ limit: MEMBERS }).rows
  const got = await Promise.all(
    sent.map(async row => {
      const mail = await mailboxes.getMessage(row.id)
      const header = (name: string) => mail?.headers.find(field => field.name === name)?.value
      return {
        to: row.recipient,
        verified: row.verified,
        signed: [...new Set(mail?.verdict.dkim.map(({ domain }) => domain))],
        returns: row.sender.split('@')[1],
        from: row.from,
        list: header('List-Id'),
        id: row.messageId.split('@')[1]?.replace('>', ''),
      }
    }),
  )
  mailboxes.close()
  return got.toSorted((a, b) => a.to.localeCompare(b.to))
}

const MEMBERS = 20

it('a campaign rotates over the domains of its organization, each recipient keeping its own', async () => {
  const tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `ok-pool${n}@gmail.test`),
  )
  const pooled = `news.${SENDER}`
  await addDomain(tenant, pooled)
  await addDomain(tenant, 'other-organization.test')
  await addDomain(tenant, `pending.${SENDER}`, { status: 'pending' })
  await addDomain(tenant, `listed.${SENDER}`, { is_blocklisted: true })
  await addDomain(tenant, `private.${SENDER}`, { in_pool: false })
  const first = await send(tenant, true)
  const counted = (domain: string) => first.filter(({ signed }) => signed.join() === domain).length
  expect([counted(SENDER), counted(pooled)]).toEqual([MEMBERS / 2, MEMBERS / 2])
  for (const mail of first) {
    const domain = String(mail.signed)
    expect(mail).toMatchObject({ verified: 'pass', returns: `bounce.${domain}`, id: domain })
    expect(mail.from).toContain(`@${SENDER}>`)
    expect(mail.list).toContain(`.${SENDER}>`)
  }
  const again = await send(tenant, true)
  expect(again.map(({ to, signed }) => [to, signed])).toEqual(first.map(({ to, signed }) => [to, signed]))
  await database.db
    .updateTable('domain')
    .set({ dmarc_strict: true })
    .where('domain_id', '=', tenant.domainId)
    .execute()
  const strict = await send(tenant, true)
  expect(new Set(strict.flatMap(({ signed }) => signed))).toEqual(new Set([SENDER]))
  const alone = await send(tenant, false)
  expect(new Set(alone.flatMap(({ signed }) => signed))).toEqual(new Set([SENDER]))
})

it.each([
  ['unverified', { status: 'failed' }],
  ['blocklisted', { is_blocklisted: true }],
  ['taken out of the pool', { in_pool: false }],
  ['deleted', { deleted_at: new Date().toISOString() }],
])('a domain that is %s while the campaign runs is not used any more', async (_case, failing) => {
  const tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_mail, n) => `ok-pool${n}@gmail.test`),
  )
  const [failed, other] = [`news.${SENDER}`, `offers.${SENDER}`]
  await addDomain(tenant, failed)
  await addDomain(tenant, other)
  const before = await send(tenant, true)
  const { campaignId } = await addCampaign(tenant, { valid: campaignState.draft })
  // One mail is sent, and the others wait for their tokens.
  await setCampaign(campaignId, { use_domain_pool: true, throttle: 1, valid: campaignState.preparing })
  await expect.poll(async () => (await countLedger(database.db, campaignId)).sent).toBe(1)
  await transaction(database.db, async tx => {
    await tx.updateTable('domain').set(failing).where('name', '=', failed).execute()
    await tx.updateTable('campaign').set({ throttle: 0 }).where('campagne_id', '=', campaignId).execute()
  })
  const after = await receivedOf(campaignId)
  const domainsOf = (mails: typeof after) => new Map(mails.map(({ to, signed }) => [to, signed.join()]))
  const [planned, used] = [domainsOf(before), domainsOf(after)]
  const moved = [...planned].filter(([to, domain]) => used.get(to) !== domain)
  expect(new Set(moved.map(([, domain]) => domain))).toEqual(new Set([failed]))
  expect([...used.values()].filter(domain => domain === failed).length).toBeLessThanOrEqual(1)
  expect(new Set(moved.map(([to]) => used.get(to)))).toEqual(new Set([SENDER, other]))
})
