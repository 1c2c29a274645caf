import { randomUUID } from 'node:crypto'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, startLab, testEngine, testExpansion, validOf } from '../test/engine.ts'
import { claimDue } from './claim-due.ts'
import { readRecipients } from './read-recipients.ts'

const NAMES = ['stays', 'client', 'platform', 'attached', 'digest', 'pending', 'bounced', 'expired']

let database: TestDatabase
let tenant: TestTenant
beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    NAMES.map(name => `${name}@gmx.test`),
  )
})
afterEach(() => database.drop())

it('skips members who were suppressed or lost their opt-in after the expansion, with the reason', async () => {
  const attached = await addList('campaign', 'email', [])
  const key = await expanded({ blacklist_ids: [attached] })
  await addList('client', 'email', ['client@gmx.test'])
  await addList('client', 'md5', [], 'digest@gmx.test')
  await sql`insert into internal_blacklist_entry (value) values ('platform@gmx.test')`.execute(tenant.db)
  await addEntries(attached, ['attached@gmx.test'])
  await setMember('pending', sql`doi_state = 'pending'`)
  await setMember('bounced', sql`hardbounced_at = now()`)
  await addList('client', 'email', ['expired@gmx.test'])
  await sql`update blacklist_entry set expires_at = now() where value = 'expired@gmx.test'`.execute(tenant.db)
  expect(await reasons(key, [attached])).toEqual({
    stays: null,
    client: 'blacklist_client',
    platform: 'blacklist_internal',
    attached: 'blacklist_campaign',
    digest: 'blacklist_client',
    pending: 'doi_missing',
    bounced: 'hardbounce',
    expired: null,
  })
})

it('skips unconfirmed members if the datasource requires double opt-in since', async () => {
  const key = await expanded()
  await database.db.updateTable('member_table').set({ doi_required: true }).execute()
  await setMember('stays', sql`doi_state = 'confirmed'`)
  const { stays, ...others } = await reasons(key, [])
  expect(stays).toBeNull()
  expect(new Set(Object.values(others))).toEqual(new Set(['doi_missing']))
})

it('reads active seeds only, without suppression', async () => {
  const seed = { client_id: tenant.clientId, addr_type: 'global_seed' }
  await database.db
    .insertInto('test_address')
    .values([
      { ...seed, email: 'seed@web.test' },
      { ...seed, email: 'off@web.test' },
    ])
    .execute()
  const key = await expanded()
  await sql`update test_address set active = false where email = 'off@web.test'`.execute(tenant.db)
  await addList('client', 'email', ['seed@web.test'])
  expect(await reasons(key, [])).toMatchObject({ seed: null, off: 'unsubscribed' })
})

it('sends to the new address of a member, not to the old one', async () => {
  const { campaignId } = await expanded()
  await setMember('stays', sql`email = 'new@gmail.test'`)
  await setMember('client', sql`email = 'listed@gmail.test'`)
  await addList('client', 'email', ['listed@gmail.test'])
  const lab = await startLab(database.db)
  const engine = await testEngine(database, lab.port)
  try {
    await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
    const recipients = lab.log().map(row => row.recipient)
    expect(recipients).toContain('new@gmail.test')
    expect(recipients).not.toContain('stays@gmx.test')
    expect(recipients).toHaveLength(NAMES.length - 1)
  } finally {
    await engine.stop()
    await lab.stop()
  }
  expect(await countLedger(tenant.db, campaignId)).toEqual({ sent: NAMES.length - 1, blacklist_client: 1 })
  const { rows } = await sql<{ email: string; attempts: number; provider: string }>`
    select d.email, d.attempts, p.name as provider from delivery d join provider p using (provider_id)
    where d.email = 'new@gmail.test'`.execute(tenant.db)
  expect(rows).toEqual([{ email: 'new@gmail.test', attempts: 1, provider: 'Gmail' }])
})

it('skips a member as duplicate whose new address already got this campaign', async () => {
  const { campaignId } = await expanded()
  const members = sql.id('members', `t${tenant.memberTableId}`)
  await sql`update delivery set state = 'sent' where email in ('client@gmx.test', 'digest@gmx.test')`.execute(
    tenant.db,
  )
  // One recipient has changed the address since, one was deleted; two others have their addresses now. Two more swap
  // theirs.
  await setMember('client', sql`email = 'elsewhere@gmx.test'`)
  await setMember('stays', sql`email = 'Client@gmx.test'`)
  await sql`delete from ${members} where email = 'digest@gmx.test'`.execute(tenant.db)
  await setMember('pending', sql`email = 'digest@gmx.test'`)
  await setMember('bounced', sql`email = 'between@gmx.test'`)
  await setMember('expired', sql`email = 'bounced@gmx.test'`)
  await sql`update ${members} set email = 'expired@gmx.test' where email = 'between@gmx.test'`.execute(
    tenant.db,
  )
  const lab = await startLab(database.db)
  const engine = await testEngine(database, lab.port)
  try {
    await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
    const recipients = lab.log().map(row => row.recipient)
    expect(new Set(recipients)).toEqual(
      new Set(['attached@gmx.test', 'bounced@gmx.test', 'expired@gmx.test', 'platform@gmx.test']),
    )
    expect(recipients).toHaveLength(4)
  } finally {
    await engine.stop()
    await lab.stop()
  }
  const { rows } = await sql<{ email: string; skip_reason: string }>`
    select email, skip_reason from delivery where state = 'skipped' order by email`.execute(tenant.db)
  expect(rows).toEqual([
    { email: 'pending@gmx.test', skip_reason: 'duplicate' },
    { email: 'stays@gmx.test', skip_reason: 'duplicate' },
  ])
})

async function expanded(fields: { blacklist_ids?: number[] } = {}): Promise<CampaignKey> {
  const key = await addCampaign(tenant, fields)
  await expandCampaign(tenant.db, key, testExpansion)
  return key
}

/** Claims all rows; returns the skip reason by the local part of the address. */
async function reasons(
  key: CampaignKey,
  blacklistIds: readonly number[],
): Promise<Record<string, string | null>> {
  const rows = await claimDue(tenant.db, randomUUID(), [
    { ...key, limit: 100, buckets: [], receivers: [], closed: [] },
  ])
  const source = { memberTableId: tenant.memberTableId, blacklistIds, columns: ['firstname'] }
  const recipients = await readRecipients(tenant.db, tenant.clientId, source, rows.rows)
  return Object.fromEntries(
    recipients.map(recipient => [
      recipient.row.email.split('@')[0],
      'skip' in recipient ? recipient.skip : null,
    ]),
  )
}

async function setMember(name: string, change: ReturnType<typeof sql>): Promise<void> {
  const members = sql.id('members', `t${tenant.memberTableId}`)
  await sql`update ${members} set ${change} where email = ${`${name}@gmx.test`}`.execute(tenant.db)
}

/** `hashed`: an address whose digest is added. */
async function addList(
  kind: string,
  match: 'email' | 'md5',
  values: string[],
  hashed?: string,
): Promise<number> {
  const { blacklist_id } = await tenant.db
    .insertInto('blacklist')
    .values({ client_id: tenant.clientId, name: `${kind} ${match}`, kind, match })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await addEntries(blacklist_id, values)
  if (hashed !== undefined)
    await sql`insert into blacklist_entry (client_id, blacklist_id, value)
      values (${tenant.clientId}, ${blacklist_id}, md5(${hashed}))`.execute(tenant.db)
  return blacklist_id
}

async function addEntries(blacklistId: number, values: string[]): Promise<void> {
  if (values.length === 0) return
  await tenant.db
    .insertInto('blacklist_entry')
    .values(values.map(value => ({ client_id: tenant.clientId, blacklist_id: blacklistId, value })))
    .execute()
}
