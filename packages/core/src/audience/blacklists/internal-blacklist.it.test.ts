import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addInternalEntries,
  addInternalExcludes,
  listInternalEntries,
  listInternalExcludes,
  removeInternalEntry,
  removeInternalExclude,
} from './internal-blacklist.ts'
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
  expect(await removeInternalExclude(db, actor, 'spam.test', null)).toEqual({ removed: 0 })
  expect(await removeInternalExclude(db, actor, 'spam.test', clientId)).toEqual({ removed: 1 })

  expect(await removeInternalEntry(db, actor, 'SPAM.test ')).toEqual({ removed: 1 })
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
