import { campaignState } from '@emma/contract/campaign-states.ts'
import { type LegalKind, legalKinds } from '@emma/contract/legal-document.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureDemoClient } from '../account/demo-account.ts'
import { checkCampaign } from '../campaigns/check-campaign.ts'
import { moveCampaign } from '../campaigns/move-campaign.ts'
import { addTestCampaign, addTestTenant, testContext, type TestTenant } from '../test/campaign.ts'
import { confirmDocument } from './confirm-document.ts'
import { findDueDocuments, findOverdueFault } from './due-documents.ts'
import { legalDocumentOperations } from './legal-document-operations.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  for (const kind of legalKinds)
    await sql`truncate ${sql.table(kind)}, ${sql.table(`${kind}_confirm`)}, ${sql.table(`${kind}_pdf`)}`.execute(
      database.db,
    )
  tenant = await addTestTenant(database.db)
  await sql`update client set created_at = now() - interval '1 year'`.execute(database.db)
})

const actor = () => ({ ...tenant.actor, superadmin: true, administrator: true })
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

let versions = 0

/** A document that came into force and was published so many days ago. */
async function publish(
  kind: LegalKind,
  { validDays = 0, publishedDays = validDays }: { validDays?: number; publishedDays?: number } = {},
) {
  versions += 1
  const document = await legalDocumentOperations(kind).create(database.db, actor(), null, {
    version: `v${versions}`,
    title_en: 'Terms',
    title_de: 'AGB',
    title_es: 'Condiciones',
    html_en: '<p>en</p>',
    html_de: '<p>de</p>',
    html_es: '<p>es</p>',
    valid_from: day(validDays),
    published: true,
  })
  await sql`
    update ${sql.table(kind)} set published_at = now() - make_interval(days => ${publishedDays})
    where id = ${document.id}`.execute(database.db)
  return document
}

const due = () => findDueDocuments(database.db, tenant.clientId)
const confirm = (kind: LegalKind, id: number) =>
  confirmDocument(database.db, actor(), kind, tenant.clientId, { doc_id: id, name: 'Ann', role: 'CEO' })
const start = async () => {
  const campaign = await addTestCampaign(tenant, campaignState.draft)
  const { campagne_id: id } = campaign
  return moveCampaign(tenant.db, tenant.actor, tenant.scope, Number(id), 'start', {}, testContext)
}
const check = async () =>
  checkCampaign(database.db, await addTestCampaign(tenant, campaignState.draft), testContext)

describe('what is due', () => {
  test('R188 R189 nothing without a published document in force', async () => {
    await publish('agb', { validDays: -1 })
    expect(await due()).toEqual([])
  })

  test('R188 R189 the newest version of each document, until it is confirmed', async () => {
    const terms = await publish('agb', { validDays: 30 })
    const agreement = await publish('bav', { validDays: 3 })
    expect(await due()).toMatchObject([
      { kind: 'agb', doc_id: terms.id, version: terms.version },
      { kind: 'bav', doc_id: agreement.id, version: agreement.version },
    ])
    await confirm('agb', terms.id)
    expect(await due()).toMatchObject([{ kind: 'bav' }])
    await confirm('bav', agreement.id)
    expect(await due()).toEqual([])
  })

  test.each([
    { what: 'the first day', validDays: 3, publishedDays: 10, createdDays: 30, days: 3 },
    { what: 'the publication', validDays: 30, publishedDays: 5, createdDays: 30, days: 5 },
    { what: 'the creation of the client', validDays: 30, publishedDays: 30, createdDays: 2, days: 2 },
  ])('the days of grace begin with $what, if that is last', async ({ createdDays, days, ...times }) => {
    await publish('agb', times)
    await sql`update client set created_at = now() - make_interval(days => ${createdDays})`.execute(
      database.db,
    )
    const [document] = await due()
    const began = Date.now() - Date.parse(document?.since ?? '')
    expect(Math.abs(began / 86_400_000 - days)).toBeLessThanOrEqual(1)
    expect(Date.parse(document?.until ?? '') - Date.parse(document?.since ?? '')).toBe(14 * 86_400_000)
  })

  test('a newer version does not begin the days of grace of an unconfirmed one again', async () => {
    const first = await publish('agb', { validDays: 40 })
    await publish('agb', { validDays: 1 })
    const [document] = await due()
    expect(Date.now() - Date.parse(document?.since ?? '')).toBeGreaterThan(39 * 86_400_000)
    expect(await findOverdueFault(database.db, tenant.clientId)).not.toBeNull()
    await sql`delete from agb where id <> ${first.id}`.execute(database.db)
    await confirm('agb', first.id)
    await publish('agb', { validDays: 1 })
    expect(await findOverdueFault(database.db, tenant.clientId)).toBeNull()
    expect(await due()).toHaveLength(1)
  })

  test('T12 nothing in the demo', async () => {
    await ensureDemoClient(database.db)
    await publish('agb', { validDays: 30 })
    await publish('bav', { validDays: 30 })
    expect(await findDueDocuments(database.db, demoClientId)).toEqual([])
  })
})

describe('the start of a campaign', () => {
  test.each(legalKinds)('%s: within the days of grace the check warns', async kind => {
    const { version } = await publish(kind, { validDays: 5 })
    const { errors, warnings } = await check()
    expect(errors).toEqual([])
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'unconfirmed',
        field: kind,
        reason: `campaign.${kind}_due`,
        values: { version, until: day(-9) },
      }),
    )
    expect(await start()).toMatchObject({ valid: campaignState.preparing })
  })

  test.each(legalKinds)('%s: after them it is blocked, until the document is confirmed', async kind => {
    const { id } = await publish(kind, { validDays: 15 })
    expect((await check()).errors).toMatchObject([{ code: 'unconfirmed', field: kind }])
    await expect(start()).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: kind, code: `campaign.${kind}_overdue` }],
    })
    await confirm(kind, id)
    expect(await start()).toMatchObject({ valid: campaignState.preparing })
  })

  test('what was started continues', async () => {
    await publish('agb', { validDays: 15 })
    const { campagne_id: id } = await addTestCampaign(tenant, campaignState.paused)
    await sql`update campaign set expanded_at = now(), started_at = now() where campagne_id = ${id}`.execute(
      database.db,
    )
    const resumed = await moveCampaign(
      tenant.db,
      tenant.actor,
      tenant.scope,
      Number(id),
      'start',
      {},
      testContext,
    )
    expect(resumed).toMatchObject({ valid: campaignState.running })
  })
})
