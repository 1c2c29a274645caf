import { addTest } from '@emma/core/campaigns/test-history.ts'
import { findTestLink } from '@emma/core/campaigns/test-mails.ts'
import { addCampaign, createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { signToken } from '@emma/mail/token.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendTest } from '../send-test.ts'
import { startLab, TEST_TOKEN_KEY, testEngine, type TestLab, validOf } from '../test/engine.ts'
import type { Engine } from './engine.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmail.test'])
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port)
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

it('a recorded test differs from what is sent only in its tokens and personal links', async () => {
  const { db } = database
  const { clientId } = tenant
  const [first, second] = ['tester@gmail.test', 'other@gmx.test']
  const testId = await sendRecorded([first, second])
  const { campaignId } = await addCampaign(tenant)
  await expect.poll(() => validOf(db, campaignId)).toBe(3)
  const [sent, test] = [await received('ann@'), await received('tester@')]

  const { rows } = await sql<{ mail_id: number; email: string; sent_at: string | null }>`
    select mail_id, email, sent_at from test_mail where client_id = ${clientId} and test_id = ${testId}
    order by email desc`.execute(db)
  expect(rows).toMatchObject([
    { email: first, sent_at: expect.any(String) },
    { email: second, sent_at: expect.any(String) },
  ])
  const mailId = rows[0]?.mail_id ?? 0
  const token = signToken(
    TEST_TOKEN_KEY,
    { kind: 'test_mail', clientId, campaignId: testId, memberId: mailId },
    'tracking',
  )
  const [, index = ''] = new RegExp(`/t/c/${token}/(\\d+)"`).exec(test.html) ?? []
  expect(test.html).toContain(`/t/o/${token}.gif`)
  expect(await findTestLink(db, { clientId, testId, mailId }, Number(index))).toBe('https://shop.example/')
  expect(test.html).toContain('href="https://shop.example/offer?c=1"')
  const withoutTokens = (html: string) =>
    html
      .replaceAll(/\/([tu]\/(?:[ocb]\/)?)[\w-]{34,47}/g, '/$1token')
      .replaceAll(/"[^"]*\/t\/c\/token\/0"/g, '"https://shop.example/offer?c=1"')
  expect(withoutTokens(test.html)).toBe(withoutTokens(sent.html))
})

it('a test without tracking has no open pixel', async () => {
  const { db } = database
  await sql`update mailclass set track_clicks_opens = false where client_id = ${tenant.clientId}`.execute(db)
  const testId = await sendRecorded(['untracked@gmail.test'])
  expect((await received('untracked@')).html).not.toMatch(/\/t\/[oc]\//)
  const { rows } = await sql`select from test_mail where test_id = ${testId}`.execute(db)
  expect(rows).toEqual([])
})

async function sendRecorded(emails: string[]): Promise<number> {
  const { db } = database
  const { clientId, messageId, domainId, mailclassId } = tenant
  const testId = await addTest(db, { userId: null }, clientId, {
    campagne_id: null,
    message_id: messageId,
    subject_prefix: '',
    emails,
  })
  const outcomes = await sendTest(
    {
      db,
      tokenKey: TEST_TOKEN_KEY,
      openSecret: sealed => sealed.toString(),
      trackingBaseOf: () => 'http://localhost:9',
      testbed: { host: '127.0.0.1', port: lab.port },
      helo: 'engine.test',
    },
    {
      clientId,
      messageId,
      campaign: null,
      recipients: emails.map(email => ({ email, member: { firstname: 'Ann 1', member_id: 1 } })),
      prefix: '',
      domainId,
      mailclassId,
      espId: null,
      memberTableId: tenant.memberTableId,
      sender: { address: `news@${SENDER}`, name: 'Shop', replyTo: null },
      subject: null,
      recorded: { testId, variant: 0 },
    },
  )
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(emails.map(() => 'sent'))
  return testId
}

async function received(search: string) {
  const mailboxes = openMailboxes(lab.folder)
  const { rows } = mailboxes.listMessages({ search, limit: 2 })
  expect(rows).toHaveLength(1)
  const mail = await mailboxes.getMessage(rows[0]?.id ?? 0)
  mailboxes.close()
  expect(mail?.verdict.verified).toBe('pass')
  return { html: mail?.html ?? '' }
}
