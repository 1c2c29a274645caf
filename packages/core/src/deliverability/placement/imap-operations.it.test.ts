import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSecret } from '../secret-box.ts'
import { transition } from '../../campaigns/transition.ts'
import { recurringOperations } from '../../recurring/recurring-operations.ts'
import { runNow } from '../../recurring/run-now.ts'
import { addTestCampaign, addTestTenant, testContext, testKey, type TestTenant } from '../../test/campaign.ts'
import { imapLoginOperations } from './imap-login-operations.ts'
import { imapSettingOperations } from './imap-setting-operations.ts'
import { ipciOperations } from './ipci-operations.ts'

const settings = imapSettingOperations(testKey, async () => null)
const logins = imapLoginOperations(testKey)
let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

async function addLogin() {
  const { db, actor, clientId } = tenant
  const { setting_id } = await settings.create(db, actor, clientId, {
    provider: 'GMX',
    host: 'imap.gmx.net',
  })
  const login = { email: 'seed@gmx.net', username: 'seed', password: 'secret', setting_id }
  return logins.create(db, actor, clientId, login)
}

const anyRevision = { revision: null }

async function storedPassword(id: number): Promise<string | null> {
  const { password } = await database.db
    .selectFrom('imap_login')
    .select('password')
    .where('login_id', '=', id)
    .executeTakeFirstOrThrow()
  return password && openSecret(testKey, password)
}

test('R212 a password is stored encrypted, and never returned', async () => {
  const login = await addLogin()
  expect(login).toMatchObject({ password: null, password_set: true, last_poll: null, last_error: null })
  expect(await storedPassword(login.login_id)).toBe('secret')
  const { db, actor, clientId } = tenant
  const { setting_id } = login
  await expect(
    logins.create(db, actor, clientId, { email: 'a@gmx.net', username: 'a', setting_id }),
  ).rejects.toMatchObject({ fields: [{ field: 'password', code: 'field.required' }] })
})

test.each([{ host: 'evil.example' }, { port: 143 }, { tls: 'starttls' as const }])(
  'R213 a changed server %o gets no password of its mailboxes',
  async change => {
    const { db, actor, scope } = tenant
    const { login_id, setting_id } = await addLogin()
    await settings.patch(db, actor, scope, setting_id, { provider: 'GMX 2' }, anyRevision)
    expect(await storedPassword(login_id)).toBe('secret')
    await settings.patch(db, actor, scope, setting_id, change, anyRevision)
    expect(await storedPassword(login_id)).toBeNull()
    expect(await logins.find(db, actor, scope, login_id)).toMatchObject({
      password_set: false,
      last_error: { code: 'imap.password' },
    })
  },
)

test('a mailbox that moves to another server or user name needs its password again', async () => {
  const { db, actor, scope } = tenant
  const { login_id } = await addLogin()
  const other = await addLogin()
  for (const change of [{ setting_id: other.setting_id }, { username: 'else' }])
    await expect(logins.patch(db, actor, scope, login_id, change, anyRevision)).rejects.toMatchObject({
      fields: [{ field: 'password', code: 'field.secret_again' }],
    })
  expect(await storedPassword(login_id)).toBe('secret')
})

test('OAuth 2.0 needs where the token comes from', async () => {
  const { db, actor, clientId } = tenant
  await expect(
    settings.create(db, actor, clientId, { provider: 'Microsoft', host: 'imap.example', auth: 'oauth2' }),
  ).rejects.toMatchObject({ fields: [{ field: 'token_url' }, { field: 'oauth_client_id' }] })
})

test('a server with mailboxes is not deleted', async () => {
  const { db, actor, scope } = tenant
  const { setting_id } = await addLogin()
  await expect(settings.remove(db, actor, scope, setting_id, { revision: null })).rejects.toMatchObject({
    code: 'in_use',
  })
})

test('R222 a check has one awaited mail a mailbox, and cannot be changed but for its name', async () => {
  const { db, actor, scope, clientId, messageId, domainId, mailclassId } = tenant
  const { login_id } = await addLogin()
  const other = await addLogin()
  const check = await ipciOperations.create(db, actor, clientId, {
    name: 'Check',
    login_ids: [login_id, other.login_id, login_id],
    message_id: messageId,
    domain_id: domainId,
    mailclass_id: mailclassId,
  })
  expect(check).toMatchObject({ login_ids: [login_id, other.login_id], nb_waiting: 2, valid: 1 })
  const { ipci_id } = check
  expect(await ipciOperations.patch(db, actor, scope, ipci_id, { name: 'Other' }, anyRevision)).toMatchObject(
    {
      name: 'Other',
      nb_waiting: 2,
    },
  )
  await expect(
    ipciOperations.patch(db, actor, scope, ipci_id, { login_ids: [login_id] }, anyRevision),
  ).rejects.toMatchObject({ fields: [{ field: 'login_ids', code: 'field.fixed' }] })
})

test('a campaign that wants it has a check once it starts', async () => {
  const { db, actor, scope } = tenant
  const { login_id } = await addLogin()
  const inactive = await addLogin()
  await logins.patch(db, actor, scope, inactive.login_id, { active: false }, anyRevision)
  const checksOf = async (check_placement: boolean) => {
    const { campagne_id: campaignId } = await addTestCampaign(tenant, 0, { check_placement })
    const key = { clientId: tenant.clientId, campaignId }
    await transition(db, key, { from: [0], to: 4 })
    // Held before it was expanded, and started again.
    await transition(db, key, { from: [4], to: 7 })
    await transition(db, key, { from: [7], to: 4 })
    const page = await ipciOperations.list(db, actor, scope, {
      limit: 10,
      offset: 0,
      search: null,
      sort: null,
      filters: { campagne_id: [campaignId] },
      included: [],
      superadminview: false,
    })
    return page.data
  }
  expect(await checksOf(false)).toEqual([])
  const [check, ...others] = await checksOf(true)
  expect(others).toEqual([])
  expect(check).toMatchObject({ name: 'November', valid: 1, message_id: tenant.messageId })
  expect(check?.login_ids).toContain(login_id)
  expect(check?.login_ids).not.toContain(inactive.login_id)
  expect(check?.nb_waiting).toBe(check?.login_ids.length)
})

test('a run of a recurring campaign that wants it has a check once it starts', async () => {
  const { db, actor, scope, clientId, listId, messageId, domainId, mailclassId } = tenant
  await addLogin()
  const { recurring_id: id } = await recurringOperations.create(db, actor, clientId, {
    name: 'Morning news',
    list_id: listId,
    message_id: messageId,
    domain_id: domainId,
    mailclass_id: mailclassId,
    fromadr: 'news@sender.test',
    schedule: { rrule: 'FREQ=DAILY', tz: 'Europe/Berlin', start: '2026-01-01', end: null, time: '09:00' },
  })
  const checksOfRun = async (check_placement: boolean, minute: string) => {
    await recurringOperations.patch(db, actor, scope, id, { check_placement }, anyRevision)
    const run = await runNow(db, actor, scope, id, new Date(minute), testContext)
    const checks = await db
      .selectFrom('ipci')
      .select(['valid', 'message_id'])
      .where('campagne_id', '=', run.campagne_id)
      .execute()
    return checks
  }
  expect(await checksOfRun(false, '2026-01-01T15:10:00Z')).toEqual([])
  expect(await checksOfRun(true, '2026-01-01T15:11:00Z')).toEqual([{ valid: 1, message_id: messageId }])
  expect(await checksOfRun(true, '2026-01-01T15:12:00Z')).toHaveLength(1)
})
