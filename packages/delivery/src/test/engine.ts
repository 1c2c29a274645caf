import { createSecretKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { SENDER } from '@emma/core/test/tenant.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import type { LogRow } from '@emma/testbed/mailbox-rows.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { startTestbed, type Testbed } from '@emma/testbed/testbed.ts'
import type { Answer } from '@emma/testbed/zone.ts'
import { sql } from 'kysely'
import type { ExpandSource } from '../1-expand/expand-campaign.ts'
import { type Engine, type EngineOptions, startEngine } from '../engine/engine.ts'
import { snapshotCampaign } from '../model/campaign-snapshot.ts'

/** Token key of all test messages. */
export const TEST_TOKEN_KEY = createSecretKey(Buffer.alloc(32, 7))

/** Selects members by the list's name: a condition on member_id such as `<=3`, or all. */
export const segmentOf: EngineOptions['segmentOf'] = async (db, { clientId, listId }) => {
  const list = await db
    .selectFrom('list')
    .select(['name', 'member_table_id'])
    .where('client_id', '=', clientId)
    .where('list_id', '=', listId)
    .executeTakeFirstOrThrow()
  const limit = /^<=(\d+)$/.exec(list.name)?.[1]
  const table = sql.id('members', `t${list.member_table_id}`)
  const members = sql`select member_id, email from ${table} where client_id = ${clientId}
    ${limit === undefined ? sql`` : sql`and member_id <= ${Number(limit)}`}`
  return { memberTableId: list.member_table_id, members }
}

const trackingBaseOf = () => 'http://localhost:9'

/** Expands a campaign to the segment of `segmentOf`, with the snapshot that an engine takes. */
export const testExpansion: ExpandSource = {
  segmentOf,
  takeSnapshot: (tx, key) => snapshotCampaign(tx, key, trackingBaseOf),
}

/** An engine for a test; secrets are unencrypted in test databases. */
export function testEngine(
  { db, pool }: { db: Db; pool: Pool },
  testbedPort: number,
  more: Partial<EngineOptions> = {},
): Promise<Engine> {
  return startEngine({
    db,
    pool,
    logger: { info() {}, warn() {}, error: (fields, text) => console.error(text, fields) },
    segmentOf,
    trackingBaseOf,
    tokenKey: TEST_TOKEN_KEY,
    openSecret: sealed => sealed.toString(),
    testbed: { host: '127.0.0.1', port: testbedPort },
    helo: 'engine.test',
    outgoing: { allowPrivate: true },
    // 48 hours of retries in 4 seconds.
    retryScale: { testbed: 0.00002, smtp: 0.00002 },
    ...more,
  })
}

export interface TestLab {
  port: number
  folder: string
  /** One row per recipient and transaction. */
  log(): LogRow[]
  stop(): Promise<void>
}

/** A testbed without recipient reactions that serves the sender's domain. */
export async function startLab(db: Db): Promise<TestLab> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-delivery-'))
  const testbed: Testbed = await startTestbed({
    folder,
    smtpPort: 0,
    seed: 'delivery',
    retryAfter: 0,
    slowReply: 0.05,
    reactions: { enabled: false },
    verifySample: { perSecond: 10_000, fraction: 1 },
    lookup: name => lookUp(db, name),
  })
  return {
    port: testbed.smtpPort,
    folder,
    log: () => [...openMailboxes(folder).readLog()],
    async stop() {
      await testbed.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function lookUp(db: Db, name: string): Promise<Answer[] | null> {
  const [selector] = name.split('._domainkey.')
  const keys = await db.selectFrom('dkim_key').select(['selector', 'public_txt']).execute()
  const key = keys.find(one => one.selector === selector)
  if (key) return [{ type: 'TXT', text: key.public_txt }]
  if (name === `_dmarc.${SENDER}`) return [{ type: 'TXT', text: 'v=DMARC1; p=reject' }]
  if (name === SENDER || name === `bounce.${SENDER}`)
    return [{ type: 'TXT', text: 'v=spf1 ip4:127.0.0.1 -all' }]
  return null
}

/** Returns the number of ledger rows by state and skip reason. */
export async function countLedger(db: Db, campaignId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select coalesce(skip_reason::text, state::text) as name, count(*) as count
    from delivery where campagne_id = ${campaignId} and member_id > 0 group by 1`.execute(db)
  return Object.fromEntries(rows.map(row => [row.name, row.count]))
}

/**
 * Returns the ledger once nothing of the campaign is in flight and nothing has changed for a while.
 * @throws if that takes more than 20 seconds
 */
export async function ledgerAtRest(db: Db, campaignId: number): Promise<Record<string, number>> {
  const end = performance.now() + 20_000
  let before = await countLedger(db, campaignId)
  while (performance.now() < end) {
    await sleep(700)
    const now = await countLedger(db, campaignId)
    if (!('claimed' in now) && isDeepStrictEqual(now, before)) return now
    before = now
  }
  throw new Error(`The ledger does not come to rest: ${JSON.stringify(before)}`)
}

export async function validOf(db: Db, campaignId: number): Promise<number> {
  const { valid } = await db
    .selectFrom('campaign')
    .select('valid')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return valid
}
