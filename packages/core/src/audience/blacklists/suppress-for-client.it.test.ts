import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '@emma/db/connection.ts'
import { readDatasource } from '../datasources/datasource.ts'
import { eraseMember } from '../members/erase-member.ts'
import { suppressForClient } from './suppress-for-client.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { createMember } from '../members/write-member.ts'

let tenant: TestAudience
beforeAll(async () => {
  tenant = await createTestAudience()
})
afterAll(() => tenant.database.drop())

const complaints = { name: 'Complaints', match: 'email' } as const

function entryOf(clientId: number, value: string) {
  return { clientId, value, reason: null, source: 'complaint' }
}

async function entries() {
  const { rows } = await sql`
    select b.client_id, b.name, b.count, e.value from blacklist b left join blacklist_entry e using (client_id, blacklist_id)
    order by b.name, b.client_id, e.value`.execute(tenant.database.db)
  return rows
}

test('EMMA’s lists: one of a name per client, each value once, under concurrent writers', async () => {
  const { database, clientId, foreign } = tenant
  const add = (value: string) =>
    transaction(database.db, tx =>
      suppressForClient(tx, complaints, [entryOf(clientId, value), entryOf(foreign.clientId, value)]),
    )
  const added = await Promise.all([add('a@x.test'), add('a@x.test'), add('b@x.test')])
  expect(added.reduce((sum, each) => sum + each.size, 0)).toBe(4)
  const list = (client_id: number) =>
    ['a@x.test', 'b@x.test'].map(value => ({ client_id, name: 'Complaints', count: 2, value }))
  expect(await entries()).toEqual([...list(clientId), ...list(foreign.clientId)])
})

test('erasure: removes the address from the client’s lists and stores its digest', async () => {
  const { database, clientId, actor, scope } = tenant
  const source = await readDatasource(database.db, scope, await createTestDatasource(tenant))
  const member = await createMember(database.db, actor, source, { email: 'A@x.test' })
  await eraseMember(database.db, actor, source, Number(member.member_id))
  const own = (await entries()).filter(row => Object(row).client_id === clientId)
  expect(own).toEqual([
    { client_id: clientId, name: 'Complaints', count: 1, value: 'b@x.test' },
    { client_id: clientId, name: 'Erased people', count: 1, value: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ])
})
