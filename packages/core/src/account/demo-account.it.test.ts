import { demoClientId } from '@emma/contract/session.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoAccount, ensureDemoClient } from './demo-account.ts'
import { activeClientOf, findPerson } from './person.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('R136 T11 a demo account has access to the demo client only', async () => {
  const { db } = database
  await ensureDemoClient(db)
  await ensureDemoClient(db)
  const made = await createDemoAccount(db, { username: 'dora', email: 'dora@demo.test', superadmin: true })
  const other = await createDemoAccount(db, { username: 'dan', email: 'dan@demo.test' })
  const client = await db.selectFrom('client').selectAll().executeTakeFirstOrThrow()
  expect(client).toMatchObject({ client_id: demoClientId, is_demo: true })
  const person = await findPerson(db, made.id)
  expect(person).toMatchObject({ superadmin: false, administrator: false, clients: [demoClientId] })
  expect(activeClientOf(person)).toBe(demoClientId)
  expect(person.permissions).toContain('EmmaCampaign:patch')
  expect(person.permissions).not.toContain('Role:get')
  expect((await findPerson(db, other.id)).permissions).toEqual(person.permissions)
})
