import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addEntries } from '../blacklists/blacklist-entries.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { eraseMember } from './erase-member.ts'
import { suppressForClient } from '../blacklists/suppress-for-client.ts'
import { suppressedBy } from '../blacklists/suppression.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { createMember, deleteMember, patchMember, unsubscribeMember } from './write-member.ts'

const NAME = 'Wilhelmine Quastenberg'
const ADDRESS = 'W.Quastenberg@x.example'

let audience: TestAudience
let source: Datasource
let other: Datasource

beforeAll(async () => {
  audience = await createTestAudience()
  const { db } = audience.database
  const columns = [{ column_name: 'firstname', data_type: 'string' as const }]
  source = await readDatasource(db, audience.scope, await createTestDatasource(audience, columns))
  other = await readDatasource(db, audience.scope, await createTestDatasource(audience, columns, 'Others'))
})
afterAll(() => audience.database.drop())

/** All rows of all tables that contain a text (case-insensitive), as `table: row`. */
async function findEverywhere(text: string): Promise<string[]> {
  const { db } = audience.database
  const tables = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`.execute(db)
  const found: string[] = []
  for (const { schema, name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.id(schema, name)} as t
      where position(lower(${text}) in lower(t::text)) > 0`.execute(db)
    found.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return found
}

async function add(table: Datasource, email: string, firstname: string): Promise<number> {
  const { database, actor } = audience
  return Number((await createMember(database.db, actor, table, { email, firstname })).member_id)
}

/** Writes data of the person to every table that stores personal data. */
async function leaveTraces(memberId: number, earlierId: number): Promise<void> {
  const { database, actor, scope, clientId } = audience
  const { db } = database
  const address = ADDRESS.toLowerCase()
  await patchMember(db, actor, source, memberId, { firstname: `${NAME} II` }, { revision: null })
  await unsubscribeMember(db, actor, source, memberId)
  await sql`insert into campaign (client_id, name, valid) values (${clientId}, 'C', 2)`.execute(db)
  for (const id of [memberId, earlierId])
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, state, reply)
      select ${clientId}, campagne_id, ${id}, ${ADDRESS}, 'pending', 'user ' || ${ADDRESS} from campaign`.execute(
      db,
    )
  await sql`
    insert into event (client_id, type, member_id, member_table_id, email, ip, user_agent, reply)
    values (${clientId}, 'bounce', ${earlierId}, ${source.member_table_id}, ${ADDRESS}, '192.0.2.77', 'Quastenberg/1',
      ${`550 ${ADDRESS}`}), (${clientId}, 'open', ${earlierId}, ${source.member_table_id}, null, '192.0.2.77',
      'Quastenberg/1', null)`.execute(db)
  await sql`
    insert into contact_frequency (client_id, address, period_hours) values (${clientId}, ${address}, 168)`.execute(
    db,
  )
  await sql`
    insert into contact_pause (client_id, address, paused_until) values (${clientId}, ${address}, now())`.execute(
    db,
  )
  await sql`
    insert into contact_language (client_id, address, lang) values (${clientId}, ${address}, 'de')`.execute(
    db,
  )
  await sql`
    insert into member_pending_state (client_id, member_table_id, member_id, address)
    values (${clientId}, ${source.member_table_id}, ${earlierId}, ${address})`.execute(db)
  const sample = [
    [ADDRESS, NAME],
    ['else@x.example', 'Else'],
  ]
  await sql`
    insert into data_upload (client_id, member_table_id, filename, sample)
    values (${clientId}, ${source.member_table_id}, 'people.csv', ${JSON.stringify(sample)})`.execute(db)
  await sql`insert into internal_blacklist_entry (value, reason) values (${address}, 'trap')`.execute(db)
  const reply = { clientId, value: address, reason: `550 no ${NAME}`, source: 'scd-rule 1' }
  await db
    .transaction()
    .execute(tx => suppressForClient(tx, { name: 'Reply rules', match: 'email' }, [reply]))
  const { blacklist_id } = await db
    .insertInto('blacklist')
    .values({ client_id: clientId, name: 'By hand', kind: 'campaign', match: 'email' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await addEntries(db, actor, scope, blacklist_id, { values: [ADDRESS, 'else@x.example'] })
  await sql`
    insert into scd_action (rule_id, action, object, client_id, email, reply, window_start, hits)
    select id, 'blacklist', ${`address ${clientId}/${address}`}, ${clientId}, ${ADDRESS}, ${`550 ${NAME}`}, now(), 1
    from scd_rule limit 1`.execute(db)
  await sql`
    insert into scd_window (rule_id, object, times, expires_at)
    select id, ${`address ${clientId}/${address}`}, '{}', now() from scd_rule limit 1`.execute(db)
  await sql`
    insert into notification (client_id, kind, text, details)
    values (${clientId}, 'info', ${`${ADDRESS} is suppressed`}, '{}')`.execute(db)
  await sql`
    insert into test_campaign (client_id, emails, results)
    values (${clientId}, array[${ADDRESS}, 'else@x.example'], ${JSON.stringify([{ email: ADDRESS }])})`.execute(
    db,
  )
  const { rows } = await sql<{ webhook_id: number }>`
    insert into webhook (client_id, url, secret, events)
    values (${clientId}, 'https://w.example', '', '{member.unsubscribed}') returning webhook_id`.execute(db)
  const events = [ADDRESS, 'else@x.example'].map(email => ({
    id: email.length,
    data: { email, member_id: 1 },
  }))
  await sql`
    insert into webhook_message (client_id, webhook_id, types, event_count, events)
    values (${clientId}, ${rows[0]?.webhook_id}, '{member.unsubscribed}', 2, ${JSON.stringify(events)})`.execute(
    db,
  )
  await sql`
    insert into webhook_attempt (client_id, message_id, started_at, duration_ms, answer)
    select client_id, message_id, now(), 1, ${`Thanks, ${ADDRESS}`} from webhook_message`.execute(db)
}

test('erasing a person removes name and address from the whole database', async () => {
  const { database, actor } = audience
  const { db } = database
  const earlier = await add(source, ADDRESS, NAME)
  await deleteMember(db, actor, source, earlier, { revision: null })
  const id = await add(source, ADDRESS, NAME)
  await add(other, ADDRESS.toLowerCase(), NAME)
  const neighbour = await add(source, 'else@x.example', 'Else')
  await leaveTraces(id, earlier)
  expect((await findEverywhere('quastenberg')).length).toBeGreaterThan(20)
  await eraseMember(db, actor, source, id)
  expect(await findEverywhere('quastenberg')).toEqual([])
  expect(await findEverywhere('192.0.2.77')).toEqual([])

  const rows = await db.selectFrom('delivery').select(['email', 'state']).execute()
  expect(rows).toEqual([
    { email: ERASED_ADDRESS, state: 'cancelled' },
    { email: ERASED_ADDRESS, state: 'cancelled' },
  ])
  const isSuppressed = async (clientId: number) => {
    const reason = await suppressedBy(db, clientId, [], sql`${ADDRESS}::text`)
    return (await sql<{ reason: string }>`select ${reason} as reason`.execute(db)).rows[0]?.reason
  }
  expect(await isSuppressed(audience.foreign.clientId)).toBe('blacklist_internal')
  await sql`delete from internal_blacklist_entry`.execute(db)
  expect(await isSuppressed(audience.clientId)).toBe('blacklist_client')
  expect(await isSuppressed(audience.foreign.clientId)).toBe(null)
  expect((await findEverywhere('else@x.example')).length).toBeGreaterThan(4)
  const { rows: left } = await sql`select member_id from ${membersTable(source.member_table_id)}`.execute(db)
  expect(left).toEqual([{ member_id: neighbour }])
  const lists = await db.selectFrom('blacklist').select(['name', 'count']).orderBy('name').execute()
  expect(lists).toEqual([
    { name: 'By hand', count: 1 },
    { name: 'Erased people', count: 1 },
    { name: 'Reply rules', count: 0 },
  ])
})

test('erasing a person does not affect a member who had the address before and has another now', async () => {
  const { database, actor, clientId } = audience
  const { db } = database
  const moved = await add(source, 'old@x.example', 'Moved')
  await patchMember(db, actor, source, moved, { email: 'new@x.example' }, { revision: null })
  const erased = await add(source, 'old@x.example', 'Erased')
  await sql`
    insert into event (client_id, type, member_id, member_table_id, email, ip)
    values (${clientId}, 'open', ${moved}, ${source.member_table_id}, 'new@x.example', '192.0.2.9'),
      (${clientId}, 'open', ${moved}, ${source.member_table_id}, 'old@x.example', '192.0.2.8')`.execute(db)
  await eraseMember(db, actor, source, erased)
  expect(await findEverywhere('old@x.example')).toEqual([])
  expect(await findEverywhere('192.0.2.8')).toEqual([])
  expect(await findEverywhere('192.0.2.9')).toHaveLength(1)
})
