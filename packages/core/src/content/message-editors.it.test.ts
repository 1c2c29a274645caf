import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestAudience, type TestAudience } from '../test/audience.ts'
import { listOtherEditors, noteEditor } from './message-editors.ts'

let audience: TestAudience
beforeAll(async () => {
  audience = await createTestAudience()
})
afterAll(() => audience.database.drop())

async function addMessage(): Promise<number> {
  const { database, clientId } = audience
  const { message_id } = await database.db
    .insertInto('message')
    .values({ client_id: clientId, name: 'News', subject: 'News' })
    .returning('message_id')
    .executeTakeFirstOrThrow()
  return message_id
}

async function addUser(firstname: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into app_user (username, firstname, lastname, email)
    values (${firstname.toLowerCase()}, ${firstname}, 'Miller', ${`${firstname}@example.test`})
    returning id`.execute(audience.database.db)
  return Number(rows[0]?.id)
}

test('R129 a second editor is seen until the window closes, or is silent', async () => {
  const { database, clientId } = audience
  const { db } = database
  const messageId = await addMessage()
  const [anna, ben] = [await addUser('Anna'), await addUser('Ben')]
  const windowOf = (userId: number) => ({ clientId, messageId, userId, windowId: randomUUID() })
  const [first, again, other] = [windowOf(anna), windowOf(anna), windowOf(ben)]
  const names = async (of: typeof first) =>
    (await listOtherEditors(db, of)).map(({ name, is_self }) => `${name}${is_self ? ' (self)' : ''}`)

  await noteEditor(db, first, false)
  expect(await names(first)).toEqual([])
  await noteEditor(db, again, false)
  await noteEditor(db, other, false)
  expect(await names(first)).toEqual(['Anna Miller (self)', 'Ben Miller'])
  expect(await names(other)).toEqual(['Anna Miller'])

  // Nobody closes the window of somebody else.
  await noteEditor(db, { ...first, userId: ben }, true)
  expect(await names(other)).toEqual(['Anna Miller'])
  await noteEditor(db, first, true)
  expect(await names(other)).toEqual(['Anna Miller'])
  await sql`update message_editor set seen_at = now() - interval '91 seconds' where user_id = ${anna}`.execute(
    db,
  )
  expect(await names(other)).toEqual([])
  await noteEditor(db, other, false)
  const { rows } = await sql`select user_id from message_editor`.execute(db)
  expect(rows).toEqual([{ user_id: ben }])
})

test('R129 nobody learns who edits a template of another client', async () => {
  const { database, foreign } = audience
  const messageId = await addMessage()
  const window = { clientId: foreign.clientId, messageId, userId: 1, windowId: randomUUID() }
  await expect(noteEditor(database.db, window, false)).rejects.toMatchObject({ code: 'not_found' })
  expect(await listOtherEditors(database.db, window)).toEqual([])
})
