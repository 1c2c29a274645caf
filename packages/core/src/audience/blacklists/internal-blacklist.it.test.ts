import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addInternalEntries,
  addInternalExcludes,
  deleteOldRemovals,
  listInternalEntries,
  listInternalExcludes,
  removeInternalEntry,
  removeInternalExclude,
  restoreInternalRemoval,
} from './internal-blacklist.ts'
import { checkAddress } from '../check-address.ts'
import { suppressedBy } from './suppression.ts'
import { createTestAudience, type TestAudience } from '../../test/audience.ts'

let tenant: TestAudience
beforeAll(async () => {
  tenant = await createTestAudience()
})
afterAll(() => tenant.database.drop())

const page = { limit: 10, offset: 0 }

async function reasons(email: string): Promise<unknown> {
  const db = tenant.database.db
  const address = sql`${email}::text`
  const own = await suppressedBy(db, tenant.clientId, [], address)
  const other = await suppressedBy(db, tenant.foreign.clientId, [], address)
  const { rows } = await sql`select ${own} as own, ${other} as other`.execute(db)
  return rows[0]
}

test('internal blacklist: blocks for all clients except for its exceptions, and can be removed', async () => {
  const { actor, clientId } = tenant
  const db = tenant.database.db
  const values = ['Trap@Example.test', 'spam.test', 'spam.test']
  expect(await addInternalEntries(db, actor, { values, reason: 'trap' })).toEqual({ added: 2, existing: 0 })
  expect(await addInternalEntries(db, actor, { values: ['spam.test'] })).toEqual({ added: 0, existing: 1 })
  expect((await listInternalEntries(db, { ...page, search: 'trap@' })).data).toMatchObject([
    { value: 'trap@example.test', match: 'email', reason: 'trap' },
  ])
  const blocked = 'blacklist_internal'
  expect(await reasons('trap@example.test')).toEqual({ own: blocked, other: blocked })

  const exception = { values: ['spam.test'], client_id: clientId }
  expect(await addInternalExcludes(db, actor, exception)).toEqual({ added: 1, existing: 0 })
  expect(await reasons('ann@spam.test')).toEqual({ own: null, other: blocked })
  expect((await listInternalExcludes(db, page)).data).toMatchObject([{ value: 'spam.test', client: 'Own' }])
  expect(await removeInternalExclude(db, actor, 'spam.test', null)).toEqual({ removed: 0, removal_id: null })
  expect(await removeInternalExclude(db, actor, 'spam.test', clientId)).toMatchObject({ removed: 1 })

  expect(await removeInternalEntry(db, actor, 'SPAM.test ')).toMatchObject({ removed: 1 })
  expect(await reasons('ann@spam.test')).toEqual({ own: null, other: null })
})

test('internal blacklist: reports each value that is neither address nor domain, and an unknown client', async () => {
  const { actor } = tenant
  const db = tenant.database.db
  await expect(
    addInternalEntries(db, actor, { values: ['a@b.test', 'no domain', 'a@'] }),
  ).rejects.toMatchObject({
    fields: [{ field: 'values.1' }, { field: 'values.2' }],
  })
  const foreign = { values: ['c.test'], client_id: 99_999 }
  await expect(addInternalExcludes(db, actor, foreign)).rejects.toMatchObject({
    fields: [{ field: 'client_id' }],
  })
  expect((await listInternalEntries(db, { ...page, search: 'b.test' })).total).toBe(0)
})

test('R104 R106 a removal is undone with who added the value and why, once and within the hour', async () => {
  const { actor, clientId } = tenant
  const db = tenant.database.db
  await addInternalEntries(db, actor, { values: ['back.test'], reason: 'trap' })
  await addInternalExcludes(db, actor, { values: ['back.test'], reason: 'customer', client_id: clientId })
  const read = async () => [
    (await listInternalEntries(db, { ...page, search: 'back' })).data,
    (await listInternalExcludes(db, { ...page, search: 'back' })).data,
  ]
  const before = await read()
  const entry = await removeInternalEntry(db, actor, 'back.test')
  const exclude = await removeInternalExclude(db, actor, 'back.test', clientId)
  expect(await read()).toEqual([[], []])
  for (const { removal_id } of [entry, exclude])
    expect(await restoreInternalRemoval(db, actor, removal_id ?? 0)).toEqual({ restored: 1 })
  expect(await read()).toEqual(before)
  await expect(restoreInternalRemoval(db, actor, entry.removal_id ?? 0)).rejects.toMatchObject({
    code: 'not_found',
  })

  const late = await removeInternalEntry(db, actor, 'back.test')
  await sql`update internal_blacklist_removal set removed_at = now() - interval '61 minutes'`.execute(db)
  await expect(restoreInternalRemoval(db, actor, late.removal_id ?? 0)).rejects.toMatchObject({
    code: 'not_found',
  })
  await deleteOldRemovals(db)
  expect((await sql`select from internal_blacklist_removal`.execute(db)).rows).toEqual([])
})

test('R105 an entry with an end suppresses until then, and is renewed by a later end', async () => {
  const { actor } = tenant
  const db = tenant.database.db
  const add = (expires_at: string | null) =>
    addInternalEntries(db, actor, { values: ['until.test'], expires_at })
  await add('2020-01-01T00:00:00.000Z')
  expect(await reasons('ann@until.test')).toEqual({ own: null, other: null })
  expect((await checkAddress(db, actor, tenant.clientId, 'ann@until.test')).entries).toMatchObject([
    { kind: 'internal', in_force: false },
  ])
  expect(await add('2099-01-01T00:00:00.000Z')).toEqual({ added: 1, existing: 0 })
  expect(await reasons('ann@until.test')).toMatchObject({ own: 'blacklist_internal' })
  expect(await add('2098-01-01T00:00:00.000Z')).toEqual({ added: 0, existing: 1 })
  expect(await add(null)).toEqual({ added: 1, existing: 0 })
})
