import { readFileSync } from 'node:fs'
import { list as listResource } from '@emma/contract/resources/list.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSegment } from './count-segment.ts'
import { readDatasource } from '../datasources/datasource.ts'
import { listOperations } from './list-operations.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { createMember } from '../members/write-member.ts'

let audience: TestAudience
let member_table_id: number

beforeAll(async () => {
  audience = await createTestAudience()
  const { database, actor, scope } = audience
  member_table_id = await createTestDatasource(audience, [{ column_name: 'city', data_type: 'string' }])
  const source = await readDatasource(database.db, scope, member_table_id)
  for (const [name, city] of [
    ['a', 'Berlin'],
    ['b', 'München'],
    ['c', 'Köln'],
  ])
    await createMember(database.db, actor, source, { email: `${name}@x.example`, city })
})
afterAll(() => audience.database.drop())

const choices = (value: string[]) => ({
  combinator: 'and' as const,
  rules: [{ combinator: 'or' as const, rules: [{ field: 'city', operator: 'in' as const, value }] }],
})
const typed = choices(['Berlin', ' München', 'Köln\u00a0 '])
const meant = choices(['Berlin', 'München', 'Köln'])

test('values of "is one of" are trimmed when a segment is saved or counted', async () => {
  const { database, actor, clientId, scope } = audience
  // The contract trims values of requests.
  const input = { name: 'Cities', member_table_id, query: listResource.fields.query.parse(typed) }
  const list = await listOperations.create(database.db, actor, clientId, input)
  expect(list).toMatchObject({ query: meant, count: 3 })
  expect(await countSegment(database.db, scope, { list_id: Number(list.list_id) })).toMatchObject({
    total: 3,
  })
})

test('the migration trims values of saved segments', async () => {
  const { database, clientId } = audience
  const { list_id } = await database.db
    .insertInto('list')
    .values({
      client_id: clientId,
      member_table_id,
      name: 'Old',
      query: JSON.stringify(typed),
      counted_at: new Date(),
    })
    .returning('list_id')
    .executeTakeFirstOrThrow()
  const migration = new URL('../../../../db/migrations/0035-trimmed-choices.sql', import.meta.url)
  await database.pool.query(readFileSync(migration, 'utf8'))
  const { rows } = await sql`select query, counted_at from list where list_id = ${list_id}`.execute(
    database.db,
  )
  expect(rows).toEqual([{ query: meant, counted_at: null }])
})
