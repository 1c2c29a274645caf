import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import type { message } from '@emma/contract/resources/message.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../resource/actor.ts'
import { addTestTenant, testMessages, type TestTenant } from '../test/campaign.ts'
import { listVersions, nameVersion, readVersion } from './message-versions.ts'
import { restoreVersion } from './restore-version.ts'

let database: TestDatabase
let tenant: TestTenant
let others: Actor
let id: number

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
  const { id: userId } = await database.db
    .insertInto('app_user')
    .values({ username: 'ada', email: 'ada@example.test', firstname: 'Ada', lastname: 'Byron' })
    .returning('id')
    .executeTakeFirstOrThrow()
  others = { ...tenant.actor, userId }
})
afterAll(() => database.drop())
beforeEach(async () => {
  const { db, actor, clientId } = tenant
  const made = await testMessages.create(db, actor, clientId, {
    name: 'News',
    subject: 'First',
    body_long: '<p>One <a href="https://example.test/">shop</a></p>',
  })
  id = made.message_id
})

const save = (fields: Patch<typeof message>, actor: Actor = tenant.actor) =>
  testMessages.patch(tenant.db, actor, tenant.scope, id, fields, { revision: null })

async function versions() {
  const key = { clientId: tenant.clientId, messageId: id }
  return (await listVersions(tenant.db, key, { limit: 100, offset: 0 })).data
}

const keyOf = (versionId: number) => ({ clientId: tenant.clientId, messageId: id, versionId })
const contentOf = async (versionId: number) => (await readVersion(tenant.db, keyOf(versionId))).content
const restore = (versionId: number) => restoreVersion(tenant.db, testMessages, tenant.actor, keyOf(versionId))

/** As if the last change had been made an hour earlier. */
async function passAnHour(): Promise<void> {
  const { db, clientId } = tenant
  const hour = sql`interval '1 hour'`
  await sql`update message set updated_at = updated_at - ${hour} where client_id = ${clientId} and message_id = ${id}`.execute(
    db,
  )
  await sql`update message_version set began_at = began_at - ${hour}, saved_at = saved_at - ${hour}
    where client_id = ${clientId} and message_id = ${id}`.execute(db)
}

test('every change of another user is a version, with the fields that changed', async () => {
  await save({ subject: 'Second' }, others)
  await save({ body_long: '<p>Two</p>', category: 'Autumn' })
  const [third, second, first, ...more] = await versions()
  expect(more).toEqual([])
  expect(first).toMatchObject({ user: '', changed: null, revision: 1, restored_from: null })
  expect(second).toMatchObject({ user: 'Ada Byron', changed: ['subject'], revision: 2 })
  expect(third).toMatchObject({ user: '', changed: ['body_long', 'category', 'urls'], revision: 3 })
  expect(await contentOf(first?.version_id ?? 0)).toEqual({
    bee_json: null,
    name: 'News',
    lang: 'en',
    category: null,
    collection: null,
    message_type: 'multipart',
    subject: 'First',
    preheader: null,
    body_mjml: null,
    body_long: '<p>One <a href="https://example.test/">shop</a></p>',
    body_text: null,
    charset: 'utf-8',
    languages: [],
    attachments: [],
    is_tracked: true,
    urls: [expect.objectContaining({ link_index: 0, url: 'https://example.test/', is_active: true })],
  })
})

test('changes of one user within ten minutes are one version; a change of nothing is none', async () => {
  await passAnHour()
  await save({ subject: 'Second' })
  await save({ preheader: 'Read on' })
  await save({ preheader: 'Read on' })
  const [last, ...before] = await versions()
  expect(before).toHaveLength(1)
  expect(last).toMatchObject({ changed: ['preheader', 'subject'], revision: 3 })
  await passAnHour()
  await save({ subject: 'Third' })
  expect(await versions()).toHaveLength(3)
})

test('the state before the first change is kept for messages that have no versions', async () => {
  await sql`delete from message_version where client_id = ${tenant.clientId} and message_id = ${id}`.execute(
    tenant.db,
  )
  await save({ subject: 'Second' }, others)
  const [, first] = await versions()
  expect(await contentOf(first?.version_id ?? 0)).toMatchObject({ subject: 'First' })
})

test('a restored version is a change of its own: nothing is lost, and it can be undone', async () => {
  const [first] = await versions()
  const link = { link_index: 0, name: 'Shop', url: 'https://example.test/' }
  await save({ subject: 'Second' }, others)
  await save({ subject: 'Third', urls: [{ ...link, is_active: false }] })
  await save({ subject: 'Fourth' })
  await restore(first?.version_id ?? 0)
  const afterwards = await versions()
  expect(afterwards.map(({ restored_from }) => restored_from)).toEqual([first?.version_id, null, null, null])
  expect(await testMessages.find(tenant.db, tenant.actor, tenant.scope, id)).toMatchObject({
    subject: 'First',
    urls: [{ is_active: true }],
  })
  expect(await contentOf(afterwards[1]?.version_id ?? 0)).toMatchObject({ urls: [{ is_active: false }] })
  await restore(afterwards[1]?.version_id ?? 0)
  await save({ preheader: 'More' })
  const subjects = await Promise.all(
    (await versions()).map(async ({ version_id }) => (await contentOf(version_id)).subject),
  )
  expect(subjects).toEqual(['Fourth', 'Fourth', 'First', 'Fourth', 'Second', 'First'])
})

test('restoring the current state changes nothing', async () => {
  const [first] = await versions()
  await restore(first?.version_id ?? 0)
  expect(await versions()).toEqual([first])
})

test('content that cannot be sent any more is not restored, and nothing changes', async () => {
  const [first] = await versions()
  await save({ subject: 'Second' }, others)
  await sql`
    update message_version set content = content || '{"body_long": "{{ module.gone }}"}'
    where client_id = ${tenant.clientId} and version_id = ${first?.version_id}`.execute(tenant.db)
  const before = await versions()
  await expect(restore(first?.version_id ?? 0)).rejects.toMatchObject({ code: 'invalid' })
  expect(await versions()).toEqual(before)
})

test('R129 a named version is kept, and not continued by the next change; its name can be taken away', async () => {
  const subjects = async () => Promise.all((await versions()).map(one => contentOf(one.version_id)))
  await save({ subject: 'Approved' })
  const [approved] = await versions()
  const versionId = approved?.version_id ?? 0
  expect(await nameVersion(tenant.db, tenant.actor, keyOf(versionId), 'As approved')).toMatchObject({
    name: 'As approved',
  })
  await save({ subject: 'Later' })
  expect((await subjects()).map(({ subject }) => subject)).toEqual(['Later', 'Approved'])
  await sql`update message_version set size = 20000000 where client_id = ${tenant.clientId} and message_id = ${id}`.execute(
    tenant.db,
  )
  await save({ subject: 'Much later' }, others)
  expect((await versions()).map(({ name }) => name)).toContain('As approved')
  expect(await nameVersion(tenant.db, tenant.actor, keyOf(versionId), null)).toMatchObject({ name: null })
  const other = await addTestTenant(database.db)
  const foreign = { ...keyOf(versionId), clientId: other.clientId }
  await expect(nameVersion(database.db, tenant.actor, foreign, 'Mine')).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('at most 100 versions are kept, and fewer of long messages', async () => {
  for (let index = 0; index < 104; index++)
    await save({ subject: `${index}` }, index % 2 ? others : tenant.actor)
  expect(await versions()).toHaveLength(100)
  await sql`update message_version set size = 20000000 where client_id = ${tenant.clientId} and message_id = ${id}`.execute(
    tenant.db,
  )
  await save({ subject: 'After' })
  expect(await versions()).toHaveLength(2)
})

test('versions of other clients, of deleted messages and of other messages are not found', async () => {
  const other = await addTestTenant(database.db)
  const [first] = await versions()
  const versionId = first?.version_id ?? 0
  const foreign = { clientId: other.clientId, messageId: id, versionId }
  await expect(listVersions(database.db, foreign, { limit: 1, offset: 0 })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(readVersion(database.db, foreign)).rejects.toMatchObject({ code: 'not_found' })
  await expect(restoreVersion(database.db, testMessages, other.actor, foreign)).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    readVersion(database.db, { ...keyOf(versionId), messageId: tenant.messageId }),
  ).rejects.toMatchObject({
    code: 'not_found',
  })
  await testMessages.remove(tenant.db, tenant.actor, tenant.scope, id, { revision: null })
  await expect(versions()).rejects.toMatchObject({ code: 'not_found' })
})

test('users who save at once lose no version', async () => {
  await Promise.all(
    ['A', 'B', 'C'].map(subject => save({ subject }, subject === 'B' ? others : tenant.actor)),
  )
  const { subject } = await testMessages.find(tenant.db, tenant.actor, tenant.scope, id)
  const [last] = await versions()
  expect(await contentOf(last?.version_id ?? 0)).toMatchObject({ subject })
})

test('a design of Beefree is restored with its HTML, and removed with it', async () => {
  await passAnHour()
  await save({ body_long: '<p>Bee</p>', bee_json: { page: { rows: [] } } })
  await passAnHour()
  const [bee, plain] = await versions()
  expect(bee?.changed).toEqual(['bee_json', 'body_long', 'urls'])
  await restore(plain?.version_id ?? 0)
  const read = () => testMessages.find(tenant.db, tenant.actor, tenant.scope, id)
  expect(await read()).toMatchObject({ bee_json: null })
  await restore(bee?.version_id ?? 0)
  expect(await read()).toMatchObject({ body_long: '<p>Bee</p>', bee_json: { page: { rows: [] } } })
})
