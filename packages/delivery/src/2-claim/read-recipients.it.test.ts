import { randomUUID } from 'node:crypto'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test-database.ts'
import { sql as raw } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import { snapshotCampaign } from '../model/campaign-snapshot.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, segmentOf, startLab, testEngine, validOf } from '../test/engine.ts'
import { claimDue } from './claim-due.ts'
import { readRecipients } from './read-recipients.ts'

const NAMES = ['stays', 'client', 'platform', 'attached', 'digest', 'pending', 'bounced', 'expired']

let database: TestDatabase
let tenant: TestTenant
beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.sql,
    NAMES.map(name => `${name}@gmx.test`),
  )
})
afterEach(() => database.drop())

it('skips who was suppressed or lost the opt-in after the expansion, each with the reason', async () => {
  const attached = await addList('campaign', 'email', [])
  const key = await expanded({ blacklist_ids: [attached] })
  await addList('client', 'email', ['client@gmx.test'])
  await addList('client', 'md5', [], 'digest@gmx.test')
  await raw`insert into internal_blacklist_entry (value) values ('platform@gmx.test')`.execute(tenant.sql)
  await addEntries(attached, ['attached@gmx.test'])
  await setMember('pending', raw`doi_state = 'pending'`)
  await setMember('bounced', raw`hardbounced_at = now()`)
  await addList('client', 'email', ['expired@gmx.test'])
  await raw`update blacklist_entry set expires_at = now() where value = 'expired@gmx.test'`.execute(
    tenant.sql,
  )
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

it('skips unconfirmed members when the datasource has come to require the double opt-in', async () => {
  const key = await expanded()
  await database.sql.updateTable('member_table').set({ doi_required: true }).execute()
  await setMember('stays', raw`doi_state = 'confirmed'`)
  const { stays, ...others } = await reasons(key, [])
  expect(stays).toBeNull()
  expect(new Set(Object.values(others))).toEqual(new Set(['doi_missing']))
})

it('reads seeds without suppression, and none that was switched off', async () => {
  const seed = { client_id: tenant.clientId, addr_type: 'global_seed' }
  await database.sql
    .insertInto('test_address')
    .values([
      { ...seed, email: 'seed@web.test' },
      { ...seed, email: 'off@web.test' },
    ])
    .execute()
  const key = await expanded()
  await raw`update test_address set active = false where email = 'off@web.test'`.execute(tenant.sql)
  await addList('client', 'email', ['seed@web.test'])
  expect(await reasons(key, [])).toMatchObject({ seed: null, off: 'unsubscribed' })
})

it('a changed address gets the mail of its member, the old one nothing', async () => {
  const { campaignId } = await expanded()
  await setMember('stays', raw`email = 'new@gmail.test'`)
  await setMember('client', raw`email = 'listed@gmail.test'`)
  await addList('client', 'email', ['listed@gmail.test'])
  const lab = await startLab(database.sql)
  const engine = await testEngine(database, lab.port)
  try {
    await expect
      .poll(() => validOf(database.sql, campaignId), { timeout: 20_000 })
      .toBe(campaignState.finished)
    const recipients = lab.log().map(row => row.recipient)
    expect(recipients).toContain('new@gmail.test')
    expect(recipients).not.toContain('stays@gmx.test')
    expect(recipients).toHaveLength(NAMES.length - 1)
  } finally {
    await engine.stop()
    await lab.stop()
  }
  expect(await countLedger(tenant.sql, campaignId)).toEqual({ sent: NAMES.length - 1, blacklist_client: 1 })
  const { rows } = await raw<{ email: string; attempts: number; provider: string }>`
    select d.email, d.attempts, p.name as provider from delivery d join provider p using (provider_id)
    where d.email = 'new@gmail.test'`.execute(tenant.sql)
  expect(rows).toEqual([{ email: 'new@gmail.test', attempts: 1, provider: 'Gmail' }])
})

it('an address changed to one that had the mail of this campaign is skipped as a duplicate', async () => {
  const { campaignId } = await expanded()
  const members = raw.id('members', `t${tenant.memberTableId}`)
  await raw`update delivery set state = 'sent' where email in ('client@gmx.test', 'digest@gmx.test')`.execute(
    tenant.sql,
  )
  // One who got the mail has moved on, one is deleted; two others have their addresses now. Two more change places.
  await setMember('client', raw`email = 'elsewhere@gmx.test'`)
  await setMember('stays', raw`email = 'Client@gmx.test'`)
  await raw`delete from ${members} where email = 'digest@gmx.test'`.execute(tenant.sql)
  await setMember('pending', raw`email = 'digest@gmx.test'`)
  await setMember('bounced', raw`email = 'between@gmx.test'`)
  await setMember('expired', raw`email = 'bounced@gmx.test'`)
  await raw`update ${members} set email = 'expired@gmx.test' where email = 'between@gmx.test'`.execute(
    tenant.sql,
  )
  const lab = await startLab(database.sql)
  const engine = await testEngine(database, lab.port)
  try {
    await expect
      .poll(() => validOf(database.sql, campaignId), { timeout: 20_000 })
      .toBe(campaignState.finished)
    const recipients = lab.log().map(row => row.recipient)
    expect(new Set(recipients)).toEqual(
      new Set(['attached@gmx.test', 'bounced@gmx.test', 'expired@gmx.test', 'platform@gmx.test']),
    )
    expect(recipients).toHaveLength(4)
  } finally {
    await engine.stop()
    await lab.stop()
  }
  const { rows } = await raw<{ email: string; skip_reason: string }>`
    select email, skip_reason from delivery where state = 'skipped' order by email`.execute(tenant.sql)
  expect(rows).toEqual([
    { email: 'pending@gmx.test', skip_reason: 'duplicate' },
    { email: 'stays@gmx.test', skip_reason: 'duplicate' },
  ])
})

async function expanded(fields: { blacklist_ids?: number[] } = {}): Promise<CampaignKey> {
  const key = await addCampaign(tenant, fields)
  await expandCampaign(tenant.sql, key, {
    segmentOf,
    takeSnapshot: (tx, one) => snapshotCampaign(tx, one, () => 'http://localhost:9'),
  })
  return key
}

/** Claims all rows; the reason of each by the local part of its address. */
async function reasons(
  key: CampaignKey,
  blacklistIds: readonly number[],
): Promise<Record<string, string | null>> {
  const rows = await claimDue(tenant.sql, randomUUID(), [
    { ...key, limit: 100, buckets: [], receivers: [], closed: [] },
  ])
  const source = { memberTableId: tenant.memberTableId, blacklistIds, columns: ['firstname'] }
  const recipients = await readRecipients(tenant.sql, tenant.clientId, source, rows.rows)
  return Object.fromEntries(
    recipients.map(recipient => [
      recipient.row.email.split('@')[0],
      'skip' in recipient ? recipient.skip : null,
    ]),
  )
}

async function setMember(name: string, change: ReturnType<typeof raw>): Promise<void> {
  const members = raw.id('members', `t${tenant.memberTableId}`)
  await raw`update ${members} set ${change} where email = ${`${name}@gmx.test`}`.execute(tenant.sql)
}

/** `hashed`: an address whose digest is added. */
async function addList(
  kind: string,
  match: 'email' | 'md5',
  values: string[],
  hashed?: string,
): Promise<number> {
  const { blacklist_id } = await tenant.sql
    .insertInto('blacklist')
    .values({ client_id: tenant.clientId, name: `${kind} ${match}`, kind, match })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await addEntries(blacklist_id, values)
  if (hashed !== undefined)
    await raw`insert into blacklist_entry (client_id, blacklist_id, value)
      values (${tenant.clientId}, ${blacklist_id}, md5(${hashed}))`.execute(tenant.sql)
  return blacklist_id
}

async function addEntries(blacklistId: number, values: string[]): Promise<void> {
  if (values.length === 0) return
  await tenant.sql
    .insertInto('blacklist_entry')
    .values(values.map(value => ({ client_id: tenant.clientId, blacklist_id: blacklistId, value })))
    .execute()
}
