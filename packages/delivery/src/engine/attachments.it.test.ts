import { Readable } from 'node:stream'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countLedger, startLab, testEngine, type TestLab, validOf } from '../test/engine.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import { AttachedBytes } from './attached-bytes.ts'
import { CompiledCampaigns } from './compiled-campaigns.ts'
import type { Engine } from './engine.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine
let tenant: TestTenant
const contents = new Map([['1/prices', Buffer.from('%PDF-1.7 prices')]])
const read: string[] = []
const files = {
  get: async (key: string) => {
    read.push(key)
    const content = contents.get(key)
    return content ? Readable.from([content]) : null
  },
}

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmail.test', 'bob@gmx.test', 'eve@yahoo.test'])
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port, {
    files,
  })
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

async function attach(path: string): Promise<void> {
  const attachments = [{ path, name: 'Preise März.pdf', mime_type: 'application/pdf', size: 15 }]
  await sql`update message set attachments = ${JSON.stringify(attachments)}::jsonb
    where client_id = ${tenant.clientId} and message_id = ${tenant.messageId}`.execute(database.db)
}

it('reads the attachments of a campaign once, and sends them to every recipient', async () => {
  await attach('/files/1/prices.pdf')
  const { campaignId } = await addCampaign(tenant)
  await expect.poll(() => validOf(database.db, campaignId)).toBe(3)
  expect(await countLedger(database.db, campaignId)).toEqual({ sent: 3 })
  expect(read).toEqual(['1/prices'])
  const mailboxes = openMailboxes(lab.folder)
  const { rows } = mailboxes.listMessages({ limit: 10 })
  expect(rows.map(({ verified }) => verified)).toEqual(['pass', 'pass', 'pass'])
  for (const { id } of rows)
    expect((await mailboxes.getMessage(id))?.attachments).toMatchObject([
      { name: 'Preise März.pdf', type: 'application/pdf', size: 15 },
    ])
})

it('holds a campaign whose attachment is gone, and names it', async () => {
  await attach('/files/1/gone.pdf')
  const { campaignId } = await addCampaign(tenant)
  const stored = () =>
    database.db
      .selectFrom('campaign')
      .select(['error_code', 'error_values'])
      .where('client_id', '=', tenant.clientId)
      .where('campagne_id', '=', campaignId)
      .executeTakeFirstOrThrow()
  await expect
    .poll(stored)
    .toEqual({ error_code: 'campaign.attachment_gone', error_values: { name: 'Preise März.pdf' } })
  await expect.poll(() => countLedger(database.db, campaignId)).toEqual({ pending: 3 })
})

it('keeps the attachments of the last campaigns; those that have no room are read again', async () => {
  contents.set('1/list', Buffer.alloc(600, 'x'))
  await attach('/files/1/list.pdf')
  const campaigns: CampaignKey[] = []
  for (let count = 0; count < 2; count++) {
    const { campaignId } = await addCampaign(tenant)
    await expect.poll(() => validOf(database.db, campaignId)).toBe(3)
    campaigns.push({ clientId: tenant.clientId, campaignId })
  }
  read.length = 0
  const compiled = new CompiledCampaigns(
    database.db,
    sealed => sealed.toString(),
    files,
    new AttachedBytes(1500),
  )
  const [first, second] = campaigns
  await compiled.of(first!)
  await compiled.of(first!)
  expect(read).toHaveLength(1)
  await compiled.of(second!)
  await compiled.of(second!)
  expect(read).toHaveLength(2)
  await compiled.of(first!)
  expect(read).toHaveLength(3)
})
