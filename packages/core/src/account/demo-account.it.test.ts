import { demoClientId } from '@emma/contract/session.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoAccount, ensureDemoClient } from './demo-account.ts'
import { activeClientOf, findPerson } from './person.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('R136 T11 a demo account works for the demo client, and for that alone', async () => {
  const { sql } = database
  await ensureDemoClient(sql)
  await ensureDemoClient(sql)
  const made = await createDemoAccount(sql, { username: 'dora', email: 'dora@demo.test', superadmin: true })
  const other = await createDemoAccount(sql, { username: 'dan', email: 'dan@demo.test' })
  const client = await sql.selectFrom('client').selectAll().executeTakeFirstOrThrow()
  expect(client).toMatchObject({ client_id: demoClientId, is_demo: true })
  const person = await findPerson(sql, made.id)
  expect(person).toMatchObject({ superadmin: false, administrator: false, clients: [demoClientId] })
  expect(activeClientOf(person)).toBe(demoClientId)
  expect(person.permissions).toContain('EmmaCampaign:patch')
  expect(person.permissions).not.toContain('Role:get')
  expect((await findPerson(sql, other.id)).permissions).toEqual(person.permissions)
})
