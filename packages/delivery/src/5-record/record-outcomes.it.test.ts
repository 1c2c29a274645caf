import { randomUUID } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimedRow, Outcome, Reply } from '../model/outcome.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { type LedgerRecord, recordOutcomes, toRecord } from './record-outcomes.ts'

const LEASE = randomUUID()

let database: TestDatabase
let tenant: TestTenant
let campaign: { clientId: number; campaignId: number }

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['a@gmx.test', 'b@gmx.test', 'c@gmx.test'])
  campaign = await addCampaign(tenant, { valid: 2 })
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, provider_id, state, lease, attempts)
    select client_id, ${campaign.campaignId}::bigint, member_id, email, 1, 'claimed', ${LEASE}::uuid, 1
    from ${sql.id('members', `t${tenant.memberTableId}`)}`.execute(tenant.db)
})
afterEach(() => database.drop())

describe('recordOutcomes', () => {
  it("stores the server's reply, and logs rejections and deferrals as events", async () => {
    const gone = {
      code: 550,
      enhanced: '5.1.1',
      text: 'No such user',
      class: 'bad-mailbox',
      hard: true,
    } as const
    const busy = { code: 451, enhanced: '4.7.1', text: 'Later', class: 'rate', hard: false } as const
    await record(
      [1, { kind: 'sent', reply: said(250) }],
      [2, { kind: 'rejected', reply: gone }],
      [3, { kind: 'deferred', reply: busy }],
    )
    expect(await ledger()).toMatchObject([
      { state: 'sent', smtp_code: 250, hard: false, wait: 0 },
      { state: 'rejected', smtp_code: 550, enhanced: '5.1.1', reply: 'No such user', hard: true },
      { state: 'deferred', smtp_code: 451, class: 'rate', wait: 300 },
    ])
    const events = await tenant.db
      .selectFrom('event')
      .select([
        'type',
        'member_id',
        'member_table_id',
        'campagne_id',
        'email',
        'provider_id',
        'hard',
        'source',
      ])
      .orderBy('member_id')
      .execute()
    const shared = {
      campagne_id: campaign.campaignId,
      member_table_id: tenant.memberTableId,
      provider_id: 1,
      source: 'smtp',
    }
    expect(events).toEqual([
      { ...shared, type: 'bounce', member_id: 2, email: 'b@gmx.test', hard: true },
      { ...shared, type: 'deferred', member_id: 3, email: 'c@gmx.test', hard: false },
    ])
  })

  it('gives up a deferred message after 48 hours', async () => {
    await record(
      [1, { kind: 'deferred', reply: said(451) }, { attempts: 10 }],
      [2, { kind: 'deferred', reply: said(451) }, { attempts: 11 }],
    )
    expect(await ledger()).toMatchObject([{ state: 'deferred', wait: 43_200 }, { state: 'rejected' }, {}])
  })

  it('releases what was not tried, as if it had never been claimed', async () => {
    await record([1, { kind: 'returned', text: 'No connection' }])
    expect((await ledger())[0]).toMatchObject({ state: 'pending', attempts: 0, wait: 0, reply: null })
  })

  it('stores the reason of a recipient who may not be sent to any more', async () => {
    await record([1, { kind: 'skipped', reason: 'complaint' }])
    expect((await ledger())[0]).toMatchObject({ state: 'skipped', skip_reason: 'complaint' })
  })

  it('leaves unknown messages unchanged, or resends them if the campaign allows it', async () => {
    await record(
      [1, { kind: 'unknown', reply: said(null) }],
      [2, { kind: 'unknown', reply: said(null) }, { resendUnknown: true }],
      [3, { kind: 'unknown', reply: said(null) }, { resendUnknown: true, attempts: 3 }],
    )
    expect((await ledger()).map(row => row.state)).toEqual(['unknown', 'deferred', 'unknown'])
  })

  it('is idempotent, and does not change rows of another engine', async () => {
    const [settled] = toRecords([1, { kind: 'rejected', reply: said(550) }])
    if (!settled) throw new Error('nothing settled')
    expect(await recordOutcomes(tenant.db, randomUUID(), [settled])).toBe(0)
    expect(await recordOutcomes(tenant.db, LEASE, [settled])).toBe(1)
    expect(await recordOutcomes(tenant.db, LEASE, [settled])).toBe(0)
    const { count } = await tenant.db
      .selectFrom('event')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  it('records an outcome even if the row is marked unknown while it waits', async () => {
    const other = await database.pool.connect()
    await other.query('begin')
    await other.query(`update delivery set state = 'unknown' where member_id < 3`)
    const { rows } = await other.query('select pg_backend_pid() as pid')
    const pid = Number(rows[0]?.pid)
    const recording = recordOutcomes(
      tenant.db,
      LEASE,
      toRecords([1, { kind: 'sent', reply: said(250) }], [3, { kind: 'sent', reply: said(250) }]),
    )
    await expect
      .poll(async () => {
        const waiting = await sql<{ found: boolean }>`
          select exists (select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))) as found`.execute(
          tenant.db,
        )
        return waiting.rows[0]?.found
      })
      .toBe(true)
    await other.query('commit')
    other.release()
    expect(await recording).toBe(2)
    expect((await ledger()).map(row => row.state)).toEqual(['sent', 'unknown', 'sent'])
  })

  it('sanitizes malicious replies of a server', async () => {
    await record([1, { kind: 'rejected', reply: { ...said(550), text: `a\0b\ud800${'x'.repeat(5_000)}` } }])
    expect((await ledger())[0]?.reply).toMatch(/^ab\ufffdx{990,}$/)
  })
})

type Given = [memberId: number, outcome: Outcome, more?: { attempts?: number; resendUnknown?: boolean }]

async function record(...given: Given[]): Promise<number> {
  for (const [memberId, , { attempts = 1 } = {}] of given)
    await sql`update delivery set attempts = ${attempts} where member_id = ${memberId}`.execute(tenant.db)
  return recordOutcomes(tenant.db, LEASE, toRecords(...given))
}

function toRecords(...given: Given[]): LedgerRecord[] {
  return given.map(([memberId, outcome, { attempts = 1, resendUnknown = false } = {}]) => {
    const row: ClaimedRow = { ...campaign, memberId, email: '', providerId: 0, attempts }
    return toRecord({ row, outcome, retryScale: 1, resendUnknown })
  })
}

function said(code: number | null): Reply {
  return { code, enhanced: null, text: 'so it is', class: 'other', hard: false }
}

async function ledger() {
  const { rows } = await sql<Record<string, unknown> & { state: string; reply: string }>`
    select state, skip_reason, attempts, smtp_code, enhanced, reply, class, hard,
      round(extract(epoch from due_at - recorded_at))::int as wait
    from delivery order by member_id`.execute(tenant.db)
  return rows
}
