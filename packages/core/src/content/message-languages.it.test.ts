import type { Patch } from '@emma/contract/resource-schemas.ts'
import type { message } from '@emma/contract/resources/message.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../resource/actor.ts'
import { addTestTenant, testMessages, type TestTenant } from '../test/campaign.ts'
import { listVersions } from './message-versions.ts'
import { restoreVersion } from './restore-version.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

const page = (text: string, url: string) =>
  `<p>${text} <a href="${url}">Shop</a> <a href="{{ link.unsubscribe }}">x</a></p>`
const german = (changes = {}) => ({
  lang: 'de' as const,
  subject: 'Neues',
  preheader: null,
  body_long: page('Hallo', 'https://shop.example/de'),
  body_mjml: null,
  body_text: null,
  ...changes,
})
const create = (languages: ReturnType<typeof german>[]) =>
  testMessages.create(database.db, tenant.actor, tenant.clientId, {
    name: 'News',
    subject: 'News',
    body_long: page('Hello', 'https://shop.example/en'),
    languages,
  })
const patch = (id: number, fields: Patch<typeof message>, actor: Actor = tenant.actor) =>
  testMessages.patch(database.db, actor, tenant.scope, id, fields, { revision: null })

test('the link table has the links of all languages, with their names', async () => {
  const { message_id: id, urls } = await create([german()])
  expect(urls.map(({ url }) => url)).toEqual(['https://shop.example/en', 'https://shop.example/de'])
  const named = urls.map(link => ({
    ...link,
    name: `link ${link.link_index}`,
    is_active: link.link_index === 0,
  }))
  await patch(id, { urls: named })
  const changed = await patch(id, { languages: [german({ subject: 'Anderes' })] })
  expect(changed.urls).toEqual(named)
})

test('a language that occurs twice, and one that cannot be compiled, are rejected', async () => {
  await expect(create([german(), german()])).rejects.toMatchObject({
    fields: [{ field: 'languages', code: 'field.language_twice', values: { lang: 'de' } }],
  })
  await expect(create([german({ body_long: '<p>{{ module.nothing }}</p>' })])).rejects.toMatchObject({
    fields: [{ field: 'languages', code: 'field.place' }],
  })
})

test('versions keep and restore languages', async () => {
  const { message_id: messageId } = await create([german()])
  const key = { clientId: tenant.clientId, messageId }
  const [first] = (await listVersions(database.db, key, { limit: 10, offset: 0 })).data
  const { id: userId } = await database.db
    .insertInto('app_user')
    .values({ username: 'ada', email: 'ada@example.test', firstname: 'Ada', lastname: 'Byron' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await patch(messageId, { languages: [] }, { ...tenant.actor, userId })
  await restoreVersion(database.db, testMessages, tenant.actor, { ...key, versionId: first?.version_id ?? 0 })
  const found = await testMessages.find(database.db, tenant.actor, tenant.scope, messageId)
  expect(found.languages).toEqual([german()])
})
