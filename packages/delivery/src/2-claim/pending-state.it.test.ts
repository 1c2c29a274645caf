import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readRecipients } from './read-recipients.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { appendEvents } from '@emma/core/events/append-events.ts'
import type { NewEvent } from '@emma/core/events/event.ts'
import { followAll } from '@emma/core/test/follow-all.ts'

/** Events of members whose address changed, who were deleted or added again, or are locked by an import. */

let database: TestDatabase
let tenant: TestTenant
let campaign: { clientId: number; campaignId: number }

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, [])
  campaign = await addCampaign(tenant, { valid: 3 })
})
afterAll(() => database.drop())
beforeEach(async () => {
  const tables = ['event', 'blacklist_entry', 'delivery', 'member_pending_state', 'member_opt_out']
  for (const table of tables) await sql`delete from ${sql.id(table)}`.execute(tenant.db)
  await sql`delete from ${members()}`.execute(tenant.db)
  await sql`
    insert into ${members()} (client_id, member_id, email)
    values (${tenant.clientId}, 1, 'ann@x.example'), (${tenant.clientId}, 2, 'ben@x.example')`.execute(
    tenant.db,
  )
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state)
    select client_id, ${campaign.campaignId}, member_id, email, 'sent' from ${members()}`.execute(tenant.db)
})

const hard = { type: 'bounce', hard: true } as const
const soft = { type: 'bounce', hard: false, class: 'quota' } as const

test('a bounce of an old address does not affect the new one, and is stored for the old one', async () => {
  await sql`update ${members()} set email = 'Ann.new@x.example' where member_id = 1`.execute(tenant.db)
  await append(
    { member_id: 1, email: 'ANN@x.example', ...hard },
    { member_id: 1, email: 'ann@x.example', ...soft },
  )
  await append({ member_id: 2, email: 'ben@x.example', ...hard })
  await followAll(tenant.db)
  expect(await states()).toEqual(['1', '2 bounced'])
  const { rows } = await sql`select hardbounced_at is not null as bounced from member_opt_out`.execute(
    tenant.db,
  )
  expect(rows).toEqual([{ bounced: true }])
  await append({ member_id: 1, email: 'ann.new@x.example', ...hard })
  await followAll(tenant.db)
  expect(await states()).toEqual(['1 bounced', '2 bounced'])
})

test('soft bounces of an old address do not count for the new one', async () => {
  for (const campagne_id of [11, 12, 13])
    await append({ member_id: 1, campagne_id, email: 'ann@x.example', ...soft })
  await followAll(tenant.db)
  expect(await softBounces()).toBe(3)
  await sql`update ${members()} set email = 'ann.new@x.example' where member_id = 1`.execute(tenant.db)
  await append({ member_id: 1, campagne_id: 14, email: 'ann.new@x.example', ...soft })
  await followAll(tenant.db)
  expect(await softBounces()).toBe(1)
})

test('events of a member that was deleted and added again reach the new member', async () => {
  await sql`update ${members()} set member_id = member_id + 100`.execute(tenant.db)
  await append(
    { member_id: 1, email: 'ann@x.example', type: 'complaint' },
    { member_id: 1, type: 'open', verdict: 'human' },
    { member_id: 2, email: 'Ben@x.example', ...hard },
  )
  await followAll(tenant.db)
  expect(await states()).toEqual(['101 complained opened', '102 bounced'])
})

test('events of a deleted member are stored for its address', async () => {
  await sql`delete from ${members()}`.execute(tenant.db)
  await append({ member_id: 1, type: 'complaint' }, { member_id: 2, email: 'ben@x.example', ...hard })
  await followAll(tenant.db)
  const { rows } = await sql`
    select complained_at is not null as complained, hardbounced_at is not null as bounced from member_opt_out
    order by 1`.execute(tenant.db)
  expect(rows).toEqual([
    { complained: false, bounced: true },
    { complained: true, bounced: false },
  ])
  expect(await pendingCount()).toBe(0)
})

test('events of members locked by an import wait for it, and block their messages', async () => {
  const importing = await hold(`select from members.t${tenant.memberTableId} where member_id = 1 for update`)
  await append({ member_id: 1, type: 'complaint' }, { member_id: 1, ...soft }, { member_id: 2, ...hard })
  await followAll(tenant.db)
  expect(await states()).toEqual(['1', '2 bounced'])
  expect(await skips()).toEqual(['complaint', 'hardbounce'])
  await importing.end()
  await followAll(tenant.db)
  expect(await states()).toEqual(['1 complained', '2 bounced'])
  expect(await softBounces()).toBe(1)
  expect(await pendingCount()).toBe(0)
})

test('other events are processed while an import locks a whole datasource', async () => {
  const importing = await hold(`lock table members.t${tenant.memberTableId} in access exclusive mode`)
  await append({ member_id: 1, type: 'complaint', email: 'ann@x.example' })
  await followAll(tenant.db)
  expect(await pendingCount()).toBe(1)
  await importing.end()
  await followAll(tenant.db)
  expect(await states()).toEqual(['1 complained', '2'])
})

async function hold(statement: string) {
  const client = await database.pool.connect()
  let isOpen = true
  const end = async () => {
    if (!isOpen) return
    isOpen = false
    await client.query('rollback')
    client.release()
  }
  onTestFinished(end)
  await client.query('begin')
  await client.query(statement)
  return { end }
}

function append(...events: (Partial<NewEvent> & Pick<NewEvent, 'member_id' | 'type'>)[]): Promise<void> {
  const { clientId: client_id, memberTableId: member_table_id } = tenant
  const existing = { client_id, member_table_id, campagne_id: campaign.campaignId, ts: new Date() }
  return appendEvents(
    database.pool,
    events.map(event => ({ ...existing, ...event })),
  )
}

function members() {
  return sql.id('members', `t${tenant.memberTableId}`)
}

async function states(): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ', member_id, case when hardbounced_at is not null then 'bounced' end,
      case when complained_at is not null then 'complained' end,
      case when last_opened_at is not null then 'opened' end) as state
    from ${members()} order by member_id`.execute(tenant.db)
  return rows.map(row => row.state)
}

async function softBounces(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select softbounce_count as count from ${members()} where member_id = 1`.execute(tenant.db)
  return rows[0]?.count
}

async function pendingCount(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from member_pending_state`.execute(
    tenant.db,
  )
  return rows[0]?.count
}

async function skips() {
  const emails = ['ann@x.example', 'ben@x.example']
  const rows = emails.map((email, index) => ({
    ...campaign,
    memberId: index + 1,
    email,
    providerId: 0,
    attempts: 1,
    previousState: 'pending' as const,
  }))
  const source = { memberTableId: tenant.memberTableId, blacklistIds: [], columns: [] }
  const recipients = await readRecipients(tenant.db, tenant.clientId, source, rows)
  return recipients.map(recipient => ('skip' in recipient ? recipient.skip : null))
}
