import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { applyReplyRules } from './apply-reply-rules.ts'
import type { RuleHits } from './count-replies.ts'
import { compileRules, type ReplyRule } from './match-reply.ts'
import { readRules } from './read-rules.ts'

/** A minute is the shortest window: the tests insert replies of some seconds ago. */
const WINDOW = 60

let database: TestDatabase
let tenant: TestTenant
let campaignId: number

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['a@gmx.test'])
  await sql`update scd_rule set active = false`.execute(tenant.db)
  campaignId = (await addCampaign(tenant, { valid: 2 })).campaignId
})
afterEach(() => database.drop())

describe('the window of a rule', () => {
  it('R257 slides: three within exactly its length trigger the action, three within a millisecond more do not', async () => {
    const rule = await addRule('backoff_provider', 3)
    await applyReplyRules(tenant.db, [hitsOf(rule, 'wider', [WINDOW + 5.001, 40, 5])])
    expect(await acted()).toEqual([])
    await applyReplyRules(tenant.db, [hitsOf(rule, 'exact', [WINDOW + 5, 40, 5])])
    expect(await acted()).toMatchObject([{ object: 'exact', hits: 3 }])
  })

  it('R257 has no edges: replies before and after any full minute count together', async () => {
    const rule = await addRule('backoff_provider', 4)
    // Ages of one reply each: two and two lie on both sides of every possible minute boundary.
    for (let edge = 1; edge <= WINDOW; edge++) {
      await applyReplyRules(tenant.db, [hitsOf(rule, `edge ${edge}`, [edge + 0.02, edge + 0.01])])
      await applyReplyRules(tenant.db, [hitsOf(rule, `edge ${edge}`, [edge - 0.01, edge - 0.02])])
    }
    expect(await acted()).toHaveLength(WINDOW)
  })

  it('R257 counts replies to two engines, whichever records first', async () => {
    const rule = await addRule('backoff_provider', 4)
    // The second one received its replies before the first.
    await applyReplyRules(tenant.db, [hitsOf(rule, 'late', [10, 1])])
    await applyReplyRules(tenant.db, [hitsOf(rule, 'late', [60, 50])])
    expect(await acted()).toMatchObject([{ object: 'late', hits: 4 }])
    // Four, but no window contains more than three.
    await applyReplyRules(tenant.db, [hitsOf(rule, 'apart', [10, 1])])
    await applyReplyRules(tenant.db, [hitsOf(rule, 'apart', [75, 65])])
    expect(await acted()).toHaveLength(1)
  })

  it('R257 acts and notifies once when six engines record at the same moment', async () => {
    const rule = await addRule('backoff_provider', 60)
    const ages = Array.from({ length: 10 }, (_, n) => n / 10)
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 6 }, () => applyReplyRules(tenant.db, [hitsOf(rule, 'gmail', ages)])),
      )
    expect(await acted()).toMatchObject([{ object: 'gmail', hits: 300 }])
    expect(await lastReported()).toEqual(['scd_backoff_provider'])
    expect(await kept()).toEqual([])
  })

  it("R257 is not shifted by an engine's waiting time", async () => {
    const rule = await addRule('backoff_provider', 2)
    // Another session holds the lock for a while.
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('act on replies', 0))`)
    const came = performance.now()
    const waiting = applyReplyRules(tenant.db, [hitsOf(rule, 'gmail', [0])])
    await sleep(1_500)
    await holder.query('rollback')
    holder.release()
    await waiting
    const { rows } = await sql<{ late: number }>`
      select extract(epoch from now() - times[1])::float8 as late from scd_window`.execute(tenant.db)
    // Counted from the start of the transaction, it would be one and a half seconds earlier.
    expect(Math.abs((rows[0]?.late ?? 0) - (performance.now() - came) / 1000)).toBeLessThan(1)
  })

  it('R257 is shared by two rules with the same action on the same object', async () => {
    const rules = [await addRule('backoff_provider', 5), await addRule('backoff_provider', 5)]
    const batches = rules.map(rule => [hitsOf(rule, 'gmail', [5, 4, 3, 2, 1])])
    await Promise.all(batches.map(batch => applyReplyRules(tenant.db, batch)))
    await applyReplyRules(
      tenant.db,
      rules.map(rule => hitsOf(rule, 'gmx', [5, 4, 3, 2, 1])),
    )
    expect((await acted()).map(({ object }) => object).toSorted()).toEqual(['gmail', 'gmx'])
    expect(await lastReported()).toHaveLength(2)
  })

  it('R257 restarts when the action has ended, with one notification in hours', async () => {
    const rule = await addRule('backoff_provider', 3)
    await applyReplyRules(tenant.db, [hitsOf(rule, 'gmail', [3, 2, 1])])
    // Messages in flight when it began do not count towards another action.
    await applyReplyRules(tenant.db, [hitsOf(rule, 'gmail', [0, 0])])
    expect(await acted()).toMatchObject([{ hits: 5 }])
    await sql`update scd_action set acted_at = acted_at - interval '1 hour', until = now() - interval '4 seconds'`.execute(
      tenant.db,
    )
    await applyReplyRules(tenant.db, [hitsOf(rule, 'gmail', [2, 1])])
    expect(await acted()).toHaveLength(1)
    await applyReplyRules(tenant.db, [hitsOf(rule, 'gmail', [0])])
    expect(await acted()).toMatchObject([{ hits: 5 }, { hits: 3 }])
    expect(await lastReported()).toEqual(['scd_backoff_provider'])
  })

  it('R257 stores fewer times than the threshold, and no row longer than its window', async () => {
    const rule = await addRule('backoff_provider', 10)
    for (let n = 0; n < 40; n++) await applyReplyRules(tenant.db, [hitsOf(rule, 'slow', [400 - n * 10])])
    const [row] = await kept()
    expect(row?.count).toBeLessThan(20)
    expect(await acted()).toEqual([])
    await sql`update scd_window set expires_at = now() - interval '1 second'`.execute(tenant.db)
    await applyReplyRules(tenant.db, [hitsOf(rule, 'other', [1])])
    expect((await kept()).map(({ object }) => object)).toEqual(['other'])
  })
})

describe('rule actions', () => {
  it('R257 a paused campaign is not paused again, but a resumed one is', async () => {
    const rule = await addRule('pause_campaign', 2)
    await applyReplyRules(tenant.db, [hitsOf(rule, 'campaign', [2, 1])])
    await applyReplyRules(tenant.db, [hitsOf(rule, 'campaign', [0, 0])])
    await applyReplyRules(tenant.db, [hitsOf(rule, 'campaign', [0, 0])])
    expect(await lastReported()).toEqual(['scd_pause_campaign'])
    await sql`update campaign set valid = 2, error = null`.execute(tenant.db)
    await applyReplyRules(tenant.db, [hitsOf(rule, 'campaign', [0, 0])])
    expect(await lastReported()).toEqual(['scd_pause_campaign', 'scd_pause_campaign'])
    expect(await acted()).toHaveLength(2)
  })

  it('R257 a thousand addresses are suppressed by one statement with one alert', async () => {
    const rule = await addRule('blacklist', 1)
    const batch = Array.from({ length: 1000 }, (_, n) => ({
      ...hitsOf(rule, `address ${n}`, [0]),
      email: `P${n}@gmx.test`,
    }))
    await applyReplyRules(tenant.db, batch)
    await applyReplyRules(tenant.db, batch.slice(500))
    const lists = await tenant.db.selectFrom('blacklist').select(['name', 'count']).execute()
    expect(lists).toEqual([{ name: 'Reply rules', count: 1000 }])
    const entries = await tenant.db.selectFrom('blacklist_entry').select('value').orderBy('value').execute()
    expect(entries).toHaveLength(1000)
    expect(entries[0]?.value).toBe('p0@gmx.test')
    expect(await acted()).toHaveLength(1000)
    expect(await lastReported()).toEqual(['scd_blacklist_several'])
    expect(await kept()).toEqual([])
  })

  it('R257 suppresses an address again if its list entry has expired', async () => {
    const rule = await addRule('blacklist', 1)
    const reply = (age: number) => ({ ...hitsOf(rule, 'a@gmx.test', [age]), email: 'A@gmx.test' })
    await applyReplyRules(tenant.db, [reply(1)])
    await sql`update blacklist_entry set expires_at = now() - interval '1 day'`.execute(tenant.db)
    await sql`update scd_action set acted_at = now() - interval '1 day'`.execute(tenant.db)
    await applyReplyRules(tenant.db, [reply(0)])
    expect(await acted()).toHaveLength(2)
    const entries = await tenant.db.selectFrom('blacklist_entry').select(['value', 'expires_at']).execute()
    expect(entries).toEqual([{ value: 'a@gmx.test', expires_at: null }])
    const list = await tenant.db.selectFrom('blacklist').select('count').executeTakeFirstOrThrow()
    expect(list.count).toBe(1)
  })

  it('counts replies of rules without action in the rule only', async () => {
    const rule = await addRule('none', 1)
    await applyReplyRules(tenant.db, [{ ...hitsOf(rule, 'replies', [1]), count: 700 }])
    const { rows } = await sql<{ hits: number }>`select hits from scd_rule where id = ${rule.id}`.execute(
      tenant.db,
    )
    expect(rows).toEqual([{ hits: 700 }])
    expect([await acted(), await kept(), await lastReported()]).toEqual([[], [], []])
  })
})

async function addRule(action: string, threshold: number): Promise<ReplyRule> {
  const { id } = await tenant.db
    .insertInto('scd_rule')
    .values({ name: action, action, threshold, window_minutes: WINDOW / 60, minutes: 30 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rule = compileRules(await readRules(tenant.db)).rules.find(one => one.id === id)
  if (!rule) throw new Error('There is no rule.')
  return rule
}

/** Replies that arrived some seconds ago. */
function hitsOf(rule: ReplyRule, object: string, ages: readonly number[]): RuleHits {
  const now = performance.now()
  return {
    rule,
    object,
    clientId: tenant.clientId,
    campaignId,
    mailclassId: tenant.mailclassId,
    providerId: 5,
    sendIp: null,
    email: null,
    reply: '421 slow down',
    scale: 1,
    count: ages.length,
    times: ages.map(age => now - age * 1000),
  }
}

async function acted() {
  const { rows } = await sql<{ object: string; hits: number }>`
    select object, hits from scd_action order by id`.execute(tenant.db)
  return rows
}

async function kept() {
  const { rows } = await sql<{ object: string; count: number }>`
    select object, cardinality(times) as count from scd_window order by object`.execute(tenant.db)
  return rows
}

async function lastReported(): Promise<(string | null)[]> {
  const rows = await tenant.db.selectFrom('notification').select('code').orderBy('id').execute()
  return rows.map(({ code }) => code)
}
