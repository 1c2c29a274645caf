import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTest, findTest, recordResults } from '@emma/core/campaigns/test-history.ts'
import { addTestMails, markTestMailSent, type TestMailKey } from '@emma/core/campaigns/test-mails.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import { signToken, signTokens, type Token, tokenKey } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTracking, type TestTracking, trackingKey } from '../test/tracking-server.ts'

const HUMAN =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const APPLE_PREFETCH = 'Mozilla/5.0'

let database: TestDatabase
let tenant: TestTenant
let tracking: TestTracking
const folder = mkdtempSync(join(tmpdir(), 'emma-tests-'))

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test'])
  tracking = await openTestTracking(database, folder)
})
afterAll(async () => {
  await tracking.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

it('records the first open and click of a person for the test, and nowhere else', async () => {
  const mail = await sentTest()
  await get(`/t/o/${tokenOf(mail)}.gif`)
  await get(`/t/o/${tokenOf(mail)}.gif`)
  const click = await get(`/t/c/${tokenOf(mail)}/3`)
  expect(click.statusCode).toBe(302)
  expect(click.headers.location).toBe('https://shop.example/test')
  await stored()
  const result = await resultOf(mail)
  expect(result).toMatchObject({
    is_tracked: true,
    opened_at: expect.any(String),
    clicked_at: expect.any(String),
    machine_opened_at: null,
    machine_clicked_at: null,
  })
  await get(`/t/o/${tokenOf(mail)}.gif`)
  await stored()
  expect(await resultOf(mail)).toEqual(result)
  expect(await counted()).toBe(0)
})

it('tells opens of programs from those of people', async () => {
  const mail = await sentTest()
  await get(`/t/o/${tokenOf(mail)}.gif`, APPLE_PREFETCH)
  await get(`/t/c/${tokenOf(mail)}/3`, APPLE_PREFETCH)
  await stored()
  expect(await resultOf(mail)).toMatchObject({
    opened_at: null,
    clicked_at: null,
    machine_opened_at: expect.any(String),
    machine_clicked_at: expect.any(String),
  })
})

it('tells an open at the moment of delivery from one of a person', async () => {
  const mail = await sentTest('0 s')
  await get(`/t/o/${tokenOf(mail)}.gif`)
  await stored()
  expect(await resultOf(mail)).toMatchObject({ opened_at: null, machine_opened_at: expect.any(String) })
})

it('ignores forged tokens, and those of another client, test or email', async () => {
  const mail = await sentTest()
  const other = await sentTest()
  const forged = signToken(tokenKey('another secret'), tokenFor(mail), 'tracking')
  const ofReturnPath = signToken(trackingKey, tokenFor(mail), 'return')
  for (const token of [
    forged,
    ofReturnPath,
    tokenOf({ ...mail, clientId: mail.clientId + 1 }),
    tokenOf({ ...mail, testId: other.testId }),
    tokenOf({ ...mail, mailId: mail.mailId + 1_000 }),
  ]) {
    expect((await get(`/t/o/${token}.gif`)).statusCode).toBe(200)
    expect((await get(`/t/c/${token}/3`)).statusCode).toBe(404)
  }
  await stored()
  for (const each of [mail, other])
    expect(await resultOf(each)).toMatchObject({ opened_at: null, clicked_at: null, machine_opened_at: null })
})

it('shows no page, and follows no link that the test does not have', async () => {
  const mail = await sentTest()
  const tokens = signTokens(trackingKey, tokenFor(mail))
  for (const path of [
    `/u/${tokens.tracking}`,
    `/u/${tokens.tracking}/preferences`,
    `/t/b/${tokens.tracking}`,
  ])
    expect((await get(path)).statusCode).toBe(404)
  expect((await get(`/t/b/${tokens.page}`)).statusCode).toBe(404)
  expect((await get(`/t/c/${tokens.tracking}/0`)).statusCode).toBe(404)
})

it('does not follow the links of a campaign with the same number', async () => {
  const campaign = await addCampaign(tenant)
  await expandCampaign(tenant.db, campaign, testExpansion)
  const ofCampaign = { kind: 'campaign', ...campaign, memberId: 1 } as const
  const link = await get(`/t/c/${signToken(trackingKey, ofCampaign, 'tracking')}/1`)
  expect(link.headers.location).toBe('https://shop.example/')
  const sameNumber = tokenOf({ clientId: campaign.clientId, testId: campaign.campaignId, mailId: 1 })
  expect((await get(`/t/c/${sameNumber}/1`)).statusCode).toBe(404)
  await sql`delete from event`.execute(tenant.db)
})

it('records nothing for tests of more than 90 days ago, and for deleted ones', async () => {
  const old = await sentTest()
  const deleted = await sentTest()
  await sql`update test_campaign set created_at = now() - interval '91 days' where id = ${old.testId}`.execute(
    tenant.db,
  )
  await sql`update test_campaign set deleted_at = now() where id = ${deleted.testId}`.execute(tenant.db)
  for (const mail of [old, deleted]) await get(`/t/o/${tokenOf(mail)}.gif`)
  expect((await get(`/t/c/${tokenOf(deleted)}/3`)).statusCode).toBe(404)
  await stored()
  const { rows } = await sql`
    select from test_mail where opened_at is not null and test_id in (${old.testId}, ${deleted.testId})`.execute(
    tenant.db,
  )
  expect(rows).toEqual([])
})

/** A test to one address, which was accepted some time ago. */
async function sentTest(age = '1 hour'): Promise<TestMailKey> {
  const { clientId, db } = tenant
  const email = 'tester@gmail.test'
  const testId = await addTest(db, { userId: null }, clientId, {
    campagne_id: null,
    message_id: tenant.messageId,
    subject_prefix: '',
    emails: [email],
  })
  const links = [{ index: 3, url: 'https://shop.example/test' }]
  const ids = await addTestMails(db, { clientId, testId, variant: 0, emails: [email], links })
  const mail = { clientId, testId, mailId: ids.get(email) ?? 0 }
  await markTestMailSent(db, mail)
  await sql`
    update test_mail set sent_at = now() - ${age}::interval where mail_id = ${mail.mailId}`.execute(db)
  await recordResults(db, clientId, testId, [{ email, outcome: 'sent', reply: '250' }])
  return mail
}

function tokenFor({ clientId, testId, mailId }: TestMailKey): Token {
  return { kind: 'test_mail', clientId, campaignId: testId, memberId: mailId }
}

function tokenOf(mail: TestMailKey): string {
  return signToken(trackingKey, tokenFor(mail), 'tracking')
}

async function resultOf({ clientId, testId }: TestMailKey) {
  const { results } = await findTest(tenant.db, { clientIds: [clientId] }, testId)
  expect(results).toHaveLength(1)
  return results[0]
}

function get(url: string, agent = HUMAN) {
  return tracking.app.inject({ url, headers: { 'user-agent': agent } })
}

/** Stores all events, by ending the spool. */
async function stored(): Promise<void> {
  await tracking.close()
  tracking = await openTestTracking(database, folder)
}

async function counted(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from event`.execute(tenant.db)
  return rows[0]?.count ?? -1
}
