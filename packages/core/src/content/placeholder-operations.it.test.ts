import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTestTenant, testKey, type TestTenant } from '../test/campaign.ts'
import { placeholderOperations } from './placeholder-operations.ts'

const operations = placeholderOperations(testKey)

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

function add(token: string, text: string, of = tenant) {
  return operations.create(of.db, of.actor, of.clientId, {
    name: token,
    token,
    body: { de: text },
  })
}

function change(id: number, text: string) {
  const { db, actor, scope } = tenant
  return operations.patch(db, actor, scope, id, { body: { de: text } }, { revision: null })
}

test('R218 placeholders that contain each other are rejected with their path', async () => {
  const first = await add('first', 'none yet')
  const other = await addTestTenant(database.db)
  await add('first', '{{ module.second }}', other)
  await add('second', '{{ module.first }}')
  await add('third', '{{ module.second }}')
  const fault = { field: 'body', code: 'content.module_circle' }
  await expect(change(first.module_id, '{{ module.third }}')).rejects.toMatchObject({
    code: 'invalid',
    fields: [{ ...fault, values: { path: 'first → third → second → first' } }],
  })
  const { db, actor, scope } = tenant
  expect(await operations.find(db, actor, scope, first.module_id)).toMatchObject({
    body: { de: 'none yet' },
    revision: first.revision,
  })
  await expect(add('own', '{{ module.own }}')).rejects.toMatchObject({
    fields: [{ ...fault, values: { path: 'own → own' } }],
  })
})

test('R218 placeholders nest five levels deep', async () => {
  await add('level5', 'end')
  for (const level of [4, 3, 2, 1]) await add(`level${level}`, `{{ module.level${level + 1} }}`)
  await expect(add('level0', '{{ module.level1 }}')).rejects.toMatchObject({
    fields: [{ field: 'body', code: 'content.module_deep', values: { max: 5 } }],
  })
})

test('other faults of a text are left to the templates that use it', async () => {
  expect(await add('unfinished', '{{ module.nowhere }}{% if')).toMatchObject({ token: 'unfinished' })
})
