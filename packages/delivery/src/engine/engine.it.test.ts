import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from './engine.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, startLab, testEngine, type TestLab, validOf } from '../test/engine.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine
let tenant: TestTenant

/** Some addresses of each kind, and many with random outcomes. */
const EMAILS = [
  ...['bounce', 'full', 'grey', 'reject', 'busy', 'slow', 'dsn'].map(word => `${word}-a@web.test`),
  'drop-a@flaky.test',
  'cut-a@flaky.test',
  'kaputt@nowhere.example',
  ...Array.from({ length: 290 }, (_, n) => `person${n}@${['gmail', 'gmx', 'tonline', 'yahoo'][n % 4]}.test`),
]

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, EMAILS)
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port)
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

describe('the engine', () => {
  it('accounts for every member of the segment, and sends to no address twice', async () => {
    const { campaignId } = await addCampaign(tenant)
    await expect.poll(() => validOf(database.db, campaignId)).toBe(3)
    const counts = await countLedger(database.db, campaignId)
    const { sent = 0, rejected = 0, unknown = 0, ...others } = counts
    expect(others).toEqual({})
    expect(sent + rejected + unknown).toBe(EMAILS.length)
    const log = lab.log()
    const accepted = log.filter(row => row.outcome === 'accepted')
    expect(accepted.length).toBe(sent)
    const kept = log.filter(row => row.outcome === 'accepted' || row.outcome === 'unanswered')
    expect(new Set(kept.map(row => row.recipient)).size).toBe(kept.length)
    const mailboxes = openMailboxes(lab.folder)
    const received = mailboxes.listMessages({ limit: 500 })
    expect(received.rows.filter(row => row.verified !== 'pass')).toEqual([])
    const message = await mailboxes.getMessage(received.rows[0]?.id ?? 0)
    expect(message?.verdict.dkim).toMatchObject([
      { algorithm: 'ed25519-sha256', result: 'pass' },
      { algorithm: 'rsa-sha256', result: 'pass' },
    ])
    const names = message?.headers.map(header => header.name.toLowerCase()) ?? []
    expect(names.filter(name => name === 'dkim-signature')).toHaveLength(2)
    expect(names).toEqual(
      expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'list-id', 'feedback-id']),
    )
  })

  it('marks the members with their last sending time', async () => {
    const { campaignId } = await addCampaign(tenant)
    await expect.poll(() => validOf(database.db, campaignId)).toBe(3)
    const { sent = 0 } = await countLedger(database.db, campaignId)
    const members = sql.id('members', `t${tenant.memberTableId}`)
    const marked = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${members} m
        join delivery d using (client_id, member_id)
        where d.campagne_id = ${campaignId} and d.state = 'sent' and m.last_sent_at = d.recorded_at`.execute(
        database.db,
      )
      return rows[0]?.count
    }
    await expect.poll(marked).toBe(sent)
  })
})
