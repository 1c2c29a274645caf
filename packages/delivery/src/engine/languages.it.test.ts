import { setContactLanguage } from '@emma/core/audience/preferences/contact-language.ts'
import { addCampaign, createTestTenant, SENDER } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countLedger, startLab, TEST_TOKEN_KEY, testEngine, type TestLab, validOf } from '../test/engine.ts'
import { sendTest } from '../send-test.ts'
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

it('sends each member the language of their address, or the default one', async () => {
  const { db } = database
  const tenant = await createTestTenant(db, [
    'ann@gmail.test',
    'Bob@gmx.test',
    'eve@yahoo.test',
    'tom@web.test',
  ])
  const { clientId, messageId } = tenant
  const german = {
    lang: 'de',
    subject: 'Neues',
    body_long:
      '<p><a href="https://shop.example/de">Angebot</a> <a href="https://shop.example/">Shop</a> <a href="{{ link.unsubscribe }}">Abmelden</a></p>',
  }
  await sql`update message set languages = ${JSON.stringify([german])}::jsonb
    where client_id = ${clientId} and message_id = ${messageId}`.execute(db)
  await setContactLanguage(db, clientId, 'bob@gmx.test', 'de')
  // The message does not have this language.
  await setContactLanguage(db, clientId, 'eve@yahoo.test', 'es')
  const { campaignId } = await addCampaign(tenant)
  await expect.poll(() => validOf(db, campaignId)).toBe(3)
  expect(await countLedger(db, campaignId)).toEqual({ sent: 4 })
  const { rows } = openMailboxes(lab.folder).listMessages({ limit: 10 })
  const subjects = rows.map(({ recipient, subject }) => [recipient.toLowerCase(), subject])
  expect(Object.fromEntries(subjects)).toEqual({
    'ann@gmail.test': 'News for Ann 1',
    'bob@gmx.test': 'Neues',
    'eve@yahoo.test': 'News for Ann 3',
    'tom@web.test': 'News for Ann 4',
  })
  const { snapshot } = await db
    .selectFrom('campaign')
    .select('snapshot')
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(snapshot).toMatchObject({
    links: [
      { index: 0, url: 'https://shop.example/offer?c={{ member.member_id }}' },
      { index: 1, url: 'https://shop.example/' },
      { index: 2, url: 'https://shop.example/de' },
    ],
  })
})

it('sends a test in each language', async () => {
  const { db } = database
  const tenant = await createTestTenant(db, [])
  const { clientId, messageId, domainId, mailclassId } = tenant
  const german = { lang: 'de', subject: 'Neues', body_long: '<p>Angebot</p>' }
  await sql`update message set languages = ${JSON.stringify([german])}::jsonb
    where client_id = ${clientId} and message_id = ${messageId}`.execute(db)
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
      recipients: [{ email: 'tester@gmail.test', member: { firstname: 'Tess' } }],
      prefix: '[TEST] ',
      domainId,
      mailclassId,
      espId: null,
      memberTableId: null,
      sender: { address: `news@${SENDER}`, name: 'Shop', replyTo: null },
      subject: null,
    },
  )
  expect(outcomes).toMatchObject([{ email: 'tester@gmail.test', outcome: 'sent' }])
  const { rows } = openMailboxes(lab.folder).listMessages({ search: 'tester', limit: 10 })
  expect(rows.map(({ subject }) => subject).toSorted()).toEqual(['[TEST] Neues', '[TEST] News for Tess'])
})
