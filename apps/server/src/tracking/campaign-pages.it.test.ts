import { split } from '@emma/contract/split.ts'
import { setContactLanguage } from '@emma/core/audience/preferences/contact-language.ts'
import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { snapshotCampaign } from '@emma/delivery/model/campaign-snapshot.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCampaignPages } from './campaign-pages.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('the browser view has the language that the recipient gets mail in', async () => {
  const { db } = database
  const tenant = await createTestTenant(db, ['ann@gmail.test', 'bob@gmx.test'])
  const { clientId, messageId } = tenant
  const german = { lang: 'de', subject: 'Neues', body_long: '<p>Hallo {{ member.firstname }}</p>' }
  await sql`update message set body_long = ${'<p>Hello {{ member.firstname }}</p>'},
      languages = ${JSON.stringify([german])}::jsonb
    where client_id = ${clientId} and message_id = ${messageId}`.execute(db)
  await setContactLanguage(db, clientId, 'BOB@gmx.test', 'de')
  const { campaignId } = await addCampaign(tenant)
  const snapshot = await snapshotCampaign(db, { clientId, campaignId }, () => 'http://localhost:9')
  await sql`update campaign set snapshot = ${JSON.stringify(snapshot)}::jsonb
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(db)
  const pages = createCampaignPages(db)
  const view = (memberId: number) =>
    pages.browserView({ kind: 'campaign', clientId, campaignId, memberId }, { tracking: 't', page: 'p' })
  expect(await view(1)).toContain('<p>Hello Ann 1</p>')
  expect(await view(2)).toContain('<p>Hallo Ann 2</p>')
})

test('the browser view is that of the variant that the recipient got, or of the winner', async () => {
  const { db } = database
  const tenant = await createTestTenant(db, ['ann@gmail.test', 'bob@gmx.test', 'cyd@web.test'])
  const { clientId, messageId } = tenant
  await sql`update message set body_long = ${'<p>{{ campaign.subject }}</p>'}
    where client_id = ${clientId} and message_id = ${messageId}`.execute(db)
  const variants = split.parse({ variants: [{ subject: 'B' }, { subject: 'C' }] })
  const { campaignId } = await addCampaign(tenant, { split: JSON.stringify(variants) })
  const snapshot = await snapshotCampaign(db, { clientId, campaignId }, () => 'http://localhost:9')
  await sql`update campaign set snapshot = ${JSON.stringify(snapshot)}::jsonb, split_winner = 2
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(db)
  await sql`insert into delivery (client_id, campagne_id, member_id, email, variant)
    values (${clientId}, ${campaignId}, 1, 'ann@gmail.test', 0), (${clientId}, ${campaignId}, 2, 'bob@gmx.test', 1),
      (${clientId}, ${campaignId}, 3, 'cyd@web.test', null)`.execute(db)
  const pages = createCampaignPages(db)
  const view = (memberId: number) =>
    pages.browserView({ kind: 'campaign', clientId, campaignId, memberId }, { tracking: 't', page: 'p' })
  expect(await view(1)).toMatch(/<p>News for/)
  expect(await view(2)).toContain('<p>B</p>')
  expect(await view(3)).toContain('<p>C</p>')
})
