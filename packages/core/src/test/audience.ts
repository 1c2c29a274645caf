import { type MemberColumn, memberColumn } from '@emma/contract/resources/membertable.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { type Actor, systemActor } from '../resource/actor.ts'
import { membertableOperations } from '../audience/datasources/datasource-operations.ts'

/** Fixture of audience tests: a database, and two clients with an actor each. */
export interface TestAudience {
  database: TestDatabase
  clientId: number
  actor: Actor
  scope: { clientIds: number[] }
  foreign: { clientId: number; actor: Actor; scope: { clientIds: number[] } }
}

export async function createTestAudience(): Promise<TestAudience> {
  const database = await createTestDatabase()
  const [own, other] = await database.db
    .insertInto('client')
    .values([{ name: 'Own' }, { name: 'Other' }])
    .returning('client_id')
    .execute()
  const clientId = own?.client_id ?? 0
  const foreignId = other?.client_id ?? 0
  return {
    database,
    clientId,
    actor: systemActor(clientId),
    scope: { clientIds: [clientId] },
    foreign: { clientId: foreignId, actor: systemActor(foreignId), scope: { clientIds: [foreignId] } },
  }
}

/** Creates a datasource of the first client; returns its member_table_id. */
export async function createTestDatasource(
  { database, actor, clientId }: TestAudience,
  schema: readonly Partial<MemberColumn>[] = [],
  name = 'Customers',
): Promise<number> {
  const made = await membertableOperations.create(database.db, actor, clientId, {
    name,
    emmamembertableschema: schema.map(column => memberColumn.parse({ label: column.column_name, ...column })),
  })
  return Number(made.member_table_id)
}
