import { sealSecret } from '@emma/core/deliverability/secret-box.ts'
import { saveSettingWithSecret } from '@emma/core/platform/system-settings.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { createTestTenant, SENDER } from '@emma/core/test/tenant.ts'
import { findMailFaults } from '@emma/mail/test/strict-mail.ts'
import { authenticateMail } from '@emma/testbed/authenticate-mail.ts'
import { hasOpendkim, opendkimVerdicts } from '@emma/testbed/test/opendkim.ts'
import { testInbound } from '@emma/testbed/test/servers.ts'
import { hasSpamAssassin, spamScores } from '@emma/testbed/test/spam-score.ts'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Config, loadConfig } from '../config.ts'
import { sendPasswordLink } from './send-password-link.ts'

let database: TestDatabase
let config: Config
beforeAll(async () => {
  database = await createTestDatabase()
  config = loadConfig({
    DATABASE_URL: database.url,
    EMMA_SECRET: 'a secret for tests only',
    NODE_ENV: 'test',
  })
  const { db } = database
  await createTestTenant(db, [])
  // Keys are unencrypted in the tests.
  for (const { selector, private_key } of await db.selectFrom('dkim_key').selectAll().execute())
    await db
      .updateTable('dkim_key')
      .set({ private_key: sealSecret(config.deriveKey('secrets at rest'), private_key.toString()) })
      .where('selector', '=', selector)
      .execute()
})
afterAll(() => database.drop())

const KINDS = ['en', 'de', 'es'].flatMap(language =>
  [true, false].map(isInvitation => ({ language, isInvitation })),
)

/** Sends all emails with a password link over a test relay. */
async function sendAll(from: string) {
  const { db } = database
  const relay = await testInbound()
  const { host, port } = relay
  const settings = { is_enabled: true, from, host, port, tls: 'none', username: null } as const
  const secret = { key: Buffer.alloc(32), field: 'password', text: null }
  await saveSettingWithSecret(db, systemActor(0), 'mail', settings, secret)
  for (const kind of KINDS)
    await sendPasswordLink(
      { config, db },
      {
        ...kind,
        email: 'joerg@example.net',
        username: 'jörg',
        firstname: 'Jörg "JJ" <Käfer>\r\nBcc: x@example.org',
        token: 'tok',
      },
    )
  return relay.mails
}

/** DNS records of the installation's domain. */
async function readRecords(): Promise<Record<string, string>> {
  const keys = await database.db.selectFrom('dkim_key').select(['selector', 'public_txt']).execute()
  return {
    [`_dmarc.${SENDER}`]: 'v=DMARC1; p=reject',
    [SENDER]: 'v=spf1 ip4:127.0.0.1 -all',
    ...Object.fromEntries(keys.map(key => [`${key.selector}._domainkey.${SENDER}`, key.public_txt])),
  }
}

function verdictOf({ from, raw }: { from: string; raw: Buffer }, records: Record<string, string>) {
  const arrival = { sender: from, ip: '127.0.0.1', helo: 'mail.sender.test', host: 'mx.example.net' }
  return authenticateMail(raw, arrival, name => {
    const text = records[name]
    if (text === undefined) return Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
    return Promise.resolve([[text]])
  })
}

test('system emails are valid, signed with the key of their domain, and aligned', async () => {
  const mails = await sendAll(`emma@${SENDER}`)
  expect(mails).toHaveLength(KINDS.length)
  const records = await readRecords()
  for (const mail of mails) {
    expect(findMailFaults(mail.raw)).toEqual([])
    expect(await verdictOf(mail, records)).toMatchObject({
      dkim: [{ domain: SENDER, selector: 's-rsa', algorithm: 'rsa-sha256', result: 'pass' }],
      spf: { domain: SENDER, result: 'pass' },
      dmarc: { domain: SENDER, result: 'pass' },
    })
    const { to, bcc, headers } = await PostalMime.parse(mail.raw)
    expect([to?.map(({ address }) => address), bcc]).toEqual([['joerg@example.net'], undefined])
    expect(headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
  }
})

test.skipIf(!hasOpendkim)('opendkim verifies the signature of system emails', async () => {
  const [mail] = await sendAll(`emma@${SENDER}`)
  const verdicts = opendkimVerdicts(mail?.raw ?? Buffer.alloc(0), await readRecords())
  expect(verdicts).toEqual([`pass ${SENDER} rsa-sha256`])
})

test('system emails from a foreign domain are sent without a signature', async () => {
  const [mail] = await sendAll('emma@elsewhere.test')
  expect(mail?.raw.toString('latin1')).toMatch(/^From: EMMA <emma@elsewhere\.test>/m)
  expect(mail?.raw.includes('DKIM-Signature')).toBe(false)
})

test.skipIf(!hasSpamAssassin)('SpamAssassin gives every system email less than 1', async () => {
  const mails = await sendAll(`emma@${SENDER}`)
  const scores = spamScores(mails.map(({ raw }) => raw))
  expect(scores.filter(({ score }) => score >= 1)).toEqual([])
})
