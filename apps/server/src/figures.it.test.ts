import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { findRecipient } from '@emma/core/audience/members/email-recipient.ts'
import { resubscribeRecipient, unsubscribeRecipient } from '@emma/core/audience/subscription.ts'
import { type Figures, readFigures } from '@emma/core/reports/read-figures.ts'
import type { Db } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { recordOutcomes, toRecord } from '@emma/delivery/5-record/record-outcomes.ts'
import { reportProgress } from '@emma/delivery/5-record/report-progress.ts'
import { appendEvents } from '@emma/core/events/append-events.ts'
import { followEvents } from '@emma/core/events/follow-events.ts'
import { followAll } from '@emma/core/test/follow-all.ts'
import type { Outcome } from '@emma/delivery/model/outcome.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { startLab, testEngine, validOf } from '@emma/delivery/test/engine.ts'
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  record,
} from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

/** Random sequences of events of a message, through the code that records them and the reports that count them. */

const PEOPLE = 4

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: PEOPLE }, (_, n) => `ok-${n}@gmx.test`),
  )
})
afterAll(() => database.drop())

const step = record({
  what: constantFrom(
    'sent',
    'deferred',
    'refused for good',
    'refused for now',
    'unknown',
    'hard bounce',
    'soft bounce',
    'complaint',
    'human open',
    'machine open',
    'human click',
    'machine click',
    'unsubscribe',
    'undo',
  ),
  member: integer({ min: 1, max: PEOPLE }),
  /** Days before now of the event's time; late events come after later ones. */
  day: integer({ min: 1, max: 20 }),
  isDoubled: boolean(),
  isFollowed: boolean(),
})
type Step = typeof step extends Arbitrary<infer Made> ? Made : never

test('members, counters and reports match a simple model, in any order of events', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 30 }), async steps => {
      const { campaignId } = await startOver()
      const model = createModel()
      for (const one of steps) {
        const before = model.rowOf(one.member)
        await happen(campaignId, one, before)
        model.happen(one)
        if (one.isFollowed) await Promise.all([followEvents(tenant.db), followEvents(tenant.db)])
      }
      await followAll(tenant.db)
      expect(await readFigures(tenant.db, tenant.clientId, [campaignId])).toEqual([
        recount(campaignId, model.rows, model.events),
      ])
      expect(await readProgress(tenant.db, campaignId)).toBe(model.rows.filter(isDone).length)
      expect(await readMembers()).toEqual(model.members())
      expect(await readBlocked()).toEqual(model.blocked())
    }),
    { numRuns: 60 },
  )
})

test('the counters of a running campaign match a recount at any time', async () => {
  const own = await createTestDatabase()
  onTestFinished(() => own.drop())
  const kinds = ['ok', 'ok', 'ok', 'bounce', 'full']
  const crowd = await createTestTenant(
    own.db,
    Array.from({ length: 1_500 }, (_, n) => `${kinds[n % kinds.length]}-${n}@web.test`),
  )
  const lab = await startLab(own.db)
  onTestFinished(() => lab.stop())
  const engine = await testEngine(own, lab.port)
  onTestFinished(() => engine.stop())
  // Slow enough to be observed while running.
  const { campaignId } = await addCampaign(crowd, { throttle: 6_000, throttle_unit: 'minute' })

  const seen: number[] = []
  for (let turn = 0; (await validOf(own.db, campaignId)) !== campaignState.finished; turn++) {
    await appendEvents(own.pool, [hit(crowd, campaignId, (turn % 1_500) + 1)])
    const found = await look(own.db, crowd, campaignId)
    expect(found?.told).toEqual(found?.recounted)
    if (found) seen.push(found.told.progress)
    if (new Set(seen).size === 10) await own.db.updateTable('campaign').set({ throttle: 30_000 }).execute()
    await sleep(20)
  }
  const last = await look(own.db, crowd, campaignId)
  expect(last?.told).toEqual(last?.recounted)
  // It was observed while running, not only before and after.
  expect(new Set(seen).size).toBeGreaterThan(5)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})

interface Look {
  told: { figures: Figures | undefined; progress: number }
  recounted: { figures: Figures; progress: number }
}

/**
 * Reads in one snapshot; null if the engine updated the counter at that moment and this transaction was rolled back.
 */
async function look(db: Db, { clientId }: TestTenant, campaignId: number): Promise<Look | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async tx => {
      const { rows: ledger } = await sql<LedgerRow>`
        select member_id as member, state::text from delivery where campagne_id = ${campaignId}`.execute(tx)
      const { rows: events } = await sql<LoggedEvent>`
        select type::text, member_id as member, coalesce(hard, false) as hard, class, verdict::text
        from event where campagne_id = ${campaignId}`.execute(tx)
      const [figures] = await readFigures(tx, clientId, [campaignId])
      const progress = await readProgress(tx, campaignId)
      return {
        told: { figures, progress },
        recounted: {
          figures: recount(campaignId, ledger, events),
          progress: ledger.filter(isDone).length,
        },
      }
    })
    .catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE) return null
      throw error
    })
}

const SERIALIZATION_FAILURE = '40001'

function hit({ clientId, memberTableId }: TestTenant, campaignId: number, member: number) {
  const of = { client_id: clientId, campagne_id: campaignId, member_table_id: memberTableId }
  return { ...of, member_id: member, type: 'open', verdict: 'human', ts: new Date() } as const
}

interface LedgerRow {
  member: number
  state: string
}

interface LoggedEvent {
  type: string
  member: number
  hard: boolean
  class: string | null
  verdict: string | null
}

/** Recounts without SQL. */
function recount(id: number, rows: readonly LedgerRow[], events: readonly LoggedEvent[]): Figures {
  const inState = (...wanted: string[]) => rows.filter(row => wanted.includes(row.state)).length
  const people = (found: readonly LoggedEvent[]) => new Set(found.map(event => event.member)).size
  const ofType = (type: string) => events.filter(event => event.type === type)
  const hits = (type: string) => {
    const human = ofType(type).filter(event => event.verdict === 'human')
    const readers = new Set(human.map(event => event.member))
    const machine = people(ofType(type).filter(event => !readers.has(event.member)))
    return { people: readers.size, total: human.length, machine }
  }
  const bounced = Map.groupBy(ofType('bounce'), event => event.member)
  const bounces = [...bounced.values()]
  const hard = bounces.filter(own => own.some(event => event.hard)).length
  const [opens, clicks] = [hits('open'), hits('click')]
  const answered = inState('sent', 'rejected')
  return {
    campagne_id: id,
    nb_recipients: rows.length,
    nb_preblock: inState('skipped'),
    nb_pending: inState('pending', 'claimed', 'deferred'),
    nb_unknown: inState('unknown'),
    nb_cancelled: inState('cancelled'),
    nb_send: answered,
    nb_delivered: rows.filter(
      ({ member, state }) => ['sent', 'rejected'].includes(state) && !bounced.has(member),
    ).length,
    nb_hardbounce: hard,
    nb_softbounce: bounces.length - hard,
    nb_otherbounce: 0,
    nb_open: opens.people,
    nb_open_total: opens.total,
    nb_open_machine: opens.machine,
    nb_open_desktop: 0,
    nb_open_mobile: 0,
    nb_click: clicks.people,
    nb_click_total: clicks.total,
    nb_click_machine: clicks.machine,
    nb_click_desktop: 0,
    nb_click_mobile: 0,
    nb_unsubscribe: people(ofType('unsubscribe')),
    nb_complaint: people(ofType('complaint')),
  }
}

function isDone({ state }: LedgerRow): boolean {
  return !['pending', 'claimed', 'deferred'].includes(state)
}

/** Fields of each event type, for the model and for the log. */
const EVENTS = {
  'hard bounce': { type: 'bounce', hard: true, class: 'bad-mailbox', verdict: null },
  'soft bounce': { type: 'bounce', hard: false, class: 'quota', verdict: null },
  complaint: { type: 'complaint', hard: false, class: null, verdict: null },
  'human open': { type: 'open', hard: false, class: null, verdict: 'human' },
  'machine open': { type: 'open', hard: false, class: null, verdict: 'machine' },
  'human click': { type: 'click', hard: false, class: null, verdict: 'human' },
  'machine click': { type: 'click', hard: false, class: null, verdict: 'machine' },
} as const

const reply = { code: 250, enhanced: null, text: 'said', class: 'other', hard: false } as const
const OUTCOMES = {
  sent: { kind: 'sent', reply },
  deferred: { kind: 'deferred', reply: { ...reply, code: 450, class: 'quota' } },
  'refused for good': { kind: 'rejected', reply: { ...reply, code: 550, class: 'bad-mailbox', hard: true } },
  'refused for now': { kind: 'rejected', reply: { ...reply, code: 552, class: 'quota' } },
  unknown: { kind: 'unknown', reply: { ...reply, code: null, class: 'connection' } },
} as const satisfies Record<string, Outcome>

/** Events logged for an outcome; accepted messages are in the ledger only. */
const LOGGED = new Map<string, string>([
  ['rejected', 'bounce'],
  ['deferred', 'deferred'],
])

/** Simple model: one row per person, with the events about it. */
function createModel() {
  const rows = Array.from({ length: PEOPLE }, (_, n) => ({ member: n + 1, state: 'pending', attempts: 0 }))
  const events: (LoggedEvent & { ts: string | null })[] = []
  const left = new Set<number>()
  const rowOf = (member: number) => {
    const row = rows[member - 1]
    if (!row) throw new Error(`There is no member ${member}`)
    return row
  }
  const eventsOf = (member: number, fits: (event: LoggedEvent) => boolean) =>
    events.filter(event => event.member === member && fits(event)).map(event => event.ts)
  return {
    rows,
    events,
    rowOf: (member: number) => ({ ...rowOf(member) }),
    happen({ what, member, day, isDoubled }: Step): void {
      if (what === 'unsubscribe' || what === 'undo') {
        const isOff = left.has(member)
        if (what === 'undo') left.delete(member)
        else left.add(member)
        if (isOff === (what === 'unsubscribe')) return
        const type = what === 'undo' ? 'join' : what
        events.push({ type, member, hard: false, class: null, verdict: null, ts: null })
        return
      }
      if (!isOutcome(what)) {
        const event = { ...EVENTS[what], member, ts: dayBefore(day) }
        events.push(event)
        if (isDoubled) events.push(event)
        return
      }
      const row = rowOf(member)
      // A final row is not sent again.
      if (isDone(row)) return
      const { kind, reply: said } = OUTCOMES[what]
      row.state = kind
      row.attempts++
      const type = LOGGED.get(kind)
      if (type) events.push({ type, member, hard: said.hard, class: said.class, verdict: null, ts: null })
    },
    members: () =>
      rows.map(({ member }) => {
        return {
          member,
          isSubscribed: !left.has(member),
          hardbounced: earliest(eventsOf(member, event => isBounce(event) && event.hard)),
          softbounces: eventsOf(member, event => isBounce(event) && !event.hard).length > 0 ? 1 : 0,
          complained: earliest(eventsOf(member, ({ type }) => type === 'complaint')),
          opened: latest(eventsOf(member, event => isHuman(event) && event.type === 'open')),
          clicked: latest(eventsOf(member, event => isHuman(event) && event.type === 'click')),
        }
      }),
    blocked: () =>
      rows
        .filter(({ member }) => eventsOf(member, ({ type }) => type === 'complaint').length > 0)
        .map(({ member }) => `ok-${member - 1}@gmx.test`),
  }
}

/** `now` if all times were written by the database's clock. */
function earliest(times: readonly (string | null)[]): string | null {
  if (times.length === 0) return null
  const known = times.filter(time => time !== null)
  return known.reduce((least, time) => (time < least ? time : least), known[0] ?? 'now')
}

function latest(times: readonly (string | null)[]): string | null {
  return times.reduce((most, time) => (most === null || (time ?? '') > most ? time : most), null)
}

function isHuman({ verdict }: LoggedEvent): boolean {
  return verdict === 'human'
}

function isBounce({ type }: LoggedEvent): boolean {
  return type === 'bounce'
}

/** Written by the clock of this test run, whereas given events are days old. */
function isFresh(time: string | null): boolean {
  return time !== null && time > dayBefore(0.5)
}

function isOutcome(what: Step['what']): what is keyof typeof OUTCOMES {
  return what in OUTCOMES
}

async function happen(
  campaignId: number,
  one: Step,
  row: { state: string; attempts: number },
): Promise<void> {
  const { clientId, memberTableId } = tenant
  const { what, member: memberId, isDoubled } = one
  const times = isDoubled ? 2 : 1
  const key = { clientId, memberTableId, memberId, campaignId }
  if (isOutcome(what)) {
    if (!isDone({ member: memberId, state: row.state }))
      await claimAndRecord(campaignId, one, row.attempts + 1)
    return
  }
  for (let time = 0; time < times; time++) {
    if (what === 'unsubscribe' || what === 'undo') {
      const recipient = await findRecipient(tenant.db, key)
      if (!recipient) throw new Error('There is no such email')
      if (what === 'unsubscribe') await unsubscribeRecipient(tenant.db, recipient, { source: 'page' })
      else await resubscribeRecipient(tenant.db, recipient, { source: 'preferences' })
    } else
      await appendEvents(database.pool, [
        {
          client_id: clientId,
          campagne_id: campaignId,
          member_table_id: memberTableId,
          member_id: memberId,
          email: `ok-${memberId - 1}@gmx.test`,
          ...EVENTS[what],
          ts: new Date(dayBefore(one.day)),
        },
      ])
  }
}

/** A repeated outcome is recorded twice, and once more for the previous attempt: only the first may count. */
async function claimAndRecord(campaignId: number, one: Step, attempt: number): Promise<void> {
  if (!isOutcome(one.what)) return
  const { clientId } = tenant
  const lease = randomUUID()
  const row = { clientId, campaignId, memberId: one.member, email: '', providerId: 0, attempts: attempt }
  await sql`
    update delivery set state = 'claimed', attempts = ${attempt}, lease = ${lease}::uuid, claimed_at = now()
    where campagne_id = ${campaignId} and member_id = ${one.member}`.execute(tenant.db)
  const settled = { row, outcome: OUTCOMES[one.what], retryScale: 1, resendUnknown: false }
  const late = { ...settled, row: { ...row, attempts: attempt - 1 } }
  await recordOutcomes(tenant.db, lease, [toRecord(settled)])
  if (!one.isDoubled) return
  await recordOutcomes(tenant.db, lease, [toRecord({ ...late, outcome: OUTCOMES.sent })])
  if (one.what !== 'unknown') await recordOutcomes(tenant.db, lease, [toRecord(settled)])
}

async function startOver(): Promise<{ campaignId: number }> {
  await sql`delete from event`.execute(tenant.db)
  await sql`delete from delivery`.execute(tenant.db)
  await sql`delete from blacklist`.execute(tenant.db)
  await sql`
    update ${members()} set dateunjoin = null, hardbounced_at = null, complained_at = null, softbounce_count = 0,
      last_opened_at = null, last_clicked_at = null`.execute(tenant.db)
  await sql`update campaign set valid = 9`.execute(tenant.db)
  const { campaignId } = await addCampaign(tenant, { valid: campaignState.running })
  await sql`
    update campaign set expanded_at = now(), estimated_volume = ${PEOPLE} where campagne_id = ${campaignId}`.execute(
    tenant.db,
  )
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email)
    select client_id, ${campaignId}, member_id, email from ${members()}`.execute(tenant.db)
  return { campaignId }
}

async function readProgress(db: Db, campaignId: number): Promise<number> {
  await reportProgress(db, new Map())
  const { progress_cur } = await db
    .selectFrom('campaign')
    .select('progress_cur')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return progress_cur
}

async function readMembers() {
  const { rows } = await sql<{ hardbounced: string | null }>`
    select member_id as member, dateunjoin is null as "isSubscribed", hardbounced_at as hardbounced,
      softbounce_count as softbounces, complained_at as complained, last_opened_at as opened,
      last_clicked_at as clicked
    from ${members()} order by member_id`.execute(tenant.db)
  return rows.map(row => ({ ...row, hardbounced: isFresh(row.hardbounced) ? 'now' : row.hardbounced }))
}

async function readBlocked(): Promise<string[]> {
  const { rows } = await sql<{
    value: string
  }>`select value from blacklist_entry where source = 'complaint' order by value`.execute(tenant.db)
  return rows.map(row => row.value)
}

function members() {
  return sql.id('members', `t${tenant.memberTableId}`)
}

const START = Date.now()

function dayBefore(days: number): string {
  return new Date(START - days * 86_400_000).toISOString()
}
