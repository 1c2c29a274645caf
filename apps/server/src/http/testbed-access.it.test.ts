import { readFileSync } from 'node:fs'
import { permissions } from '@emma/contract/permissions.ts'
import { createAccount } from '@emma/core/account/create-account.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSystemMailServer, type SystemMailServer } from '../test/system-mail.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let testbed: SystemMailServer
let client: TestClient
let superadmin: string

beforeAll(async () => {
  testbed = await startSystemMailServer()
  app = await startTestApp({ EMMA_TESTBED_SMTP_PORT: String(testbed.port) })
  superadmin = await app.logInSuperadmin()
  client = await addTestClient(app, superadmin)
})
afterAll(async () => {
  await app.close()
  await testbed.close()
})

test('testbed: only superadmins have access, whatever a role grants', async () => {
  const { token } = await app.logIn({ clients: [client.clientId], permissions, administrator: true })
  for (const path of ['/testbed/mailbox/', '/testbed/message/', '/testbed/message/1']) {
    expect([path, (await app.call('GET', path, { token })).status]).toEqual([path, 403])
    expect((await app.call('GET', path, { token: superadmin })).status).not.toBe(403)
  }
})

test('roles: existing ones and API tokens lose only the permission for the testbed', async () => {
  const { id } = await app.db
    .insertInto('role')
    .values({ name: 'Old reader', permissions: ['EmmaCampaign:get', 'Testbed:get', 'User:get'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  const migration = new URL(
    '../../../../packages/db/migrations/0023-testbed-of-superadmins.sql',
    import.meta.url,
  )
  await app.pool.query(readFileSync(migration, 'utf8'))
  const role = await app.db.selectFrom('role').select('permissions').where('id', '=', id).executeTakeFirst()
  expect(role?.permissions).toEqual(['EmmaCampaign:get', 'User:get'])
})

test('password reset: without system email no link is created, and the answer says so', async () => {
  await createAccount(app.db, { username: 'boss', email: 'boss@example.test', superadmin: true })
  for (const username of ['boss', 'boss@example.test', 'nobody at all'])
    expect(await app.call('POST', '/password-reset/', { body: { username } })).toMatchObject({
      status: 202,
      json: { ok: true, is_mailed: false },
    })
  expect(await app.db.selectFrom('password_reset').selectAll().execute()).toEqual([])
  expect(testbed.received).toEqual([])
})

test('invitation: without system email it is rejected with a hint', async () => {
  const refused = await app.call('POST', `/user:invite/${client.ids.user}`, { token: superadmin })
  expect(refused).toMatchObject({ status: 409, error: { code: 'mail_off' } })
  expect(refused.error.error).toContain('emma user reset')
  expect(await app.db.selectFrom('password_reset').selectAll().execute()).toEqual([])
  expect(testbed.received).toEqual([])
})
