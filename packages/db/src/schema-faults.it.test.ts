import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PoolClient } from './connection.ts'
import { findSchemaFaults } from './schema-faults.ts'
import { createTestDatabase, type TestDatabase } from './test/database.ts'

let database: TestDatabase
let client: PoolClient
beforeAll(async () => {
  database = await createTestDatabase()
  client = await database.pool.connect()
})
afterAll(async () => {
  client.release()
  await database.drop()
})
beforeEach(() => client.query('begin'))
afterEach(() => client.query('rollback'))

test('the schema can be sharded by client_id', async () => {
  await client.query('select create_member_table(1), index_member_events(1)')
  expect(await findSchemaFaults(client)).toEqual([])
})

test.each([
  ['create table planted (id bigint primary key)', ['planted has neither a client_id']],
  ['drop table missing_text', ['missing_text is named']],
  [
    'create table planted (client_id bigint, id int generated always as identity, primary key (client_id, id))',
    ['planted.id is integer, not bigint'],
  ],
  [
    'create table planted (client_id int, id bigint, primary key (client_id, id))',
    ['planted.client_id is integer'],
  ],
  ['create table planted (client_id bigint not null)', ['planted has no primary key']],
  ['create unique index planted on list (list_id)', ['planted does not begin with client_id']],
  [
    'create unique index planted on event (ts, client_id, event_id)',
    ['planted does not begin with client_id'],
  ],
  [
    `create unique index other on list (list_id);
     create table planted (client_id bigint, list_id bigint references list (list_id), primary key (client_id, list_id))`,
    ['other does not begin', 'planted_list_id_fkey of planted refers'],
  ],
  [
    'alter table user_seen add client_id bigint, add list_id bigint, add foreign key (client_id, list_id) references list',
    ['user_seen_client_id_list_id_fkey of user_seen refers'],
  ],
  [
    'create trigger planted after update on client execute function tell_kept_changed()',
    ['planted stands on client'],
  ],
  [
    `create table planted (client_id bigint, user_id int, primary key (client_id, user_id),
       foreign key (user_id) references app_user)`,
    ['planted_user_id_fkey of planted has another type'],
  ],
])('planted: %s', async (statement, expected) => {
  await client.query(statement)
  const faults = await findSchemaFaults(client)
  expect(faults).toEqual(expected.map(start => expect.stringContaining(start)))
})
