import { skipReasons } from '@emma/contract/actions/reports.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTestCampaign, addTestTenant, type TestTenant } from '../test/campaign.ts'
import { type Figures, readFigures } from './read-figures.ts'
import { readReport } from './read-report.ts'

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

const states = [
  'pending',
  'claimed',
  'sent',
  'deferred',
  'rejected',
  'unknown',
  'skipped',
  'cancelled',
] as const
const verdicts = ['human', 'machine', 'apple_mpp', 'scanner', 'prefetch'] as const
const devices = ['desktop', 'mobile', 'tablet', null] as const
/** -1 and -2 are seeds. */
const memberId = fc.constantFrom(-2, -1, 1, 2, 3, 4, 5, 6)

const ledgerRow = fc.record({
  member_id: memberId,
  state: fc.constantFrom(...states),
  reason: fc.constantFrom(...skipReasons),
  provider_id: fc.constantFrom(0, 1, 5),
  hard: fc.boolean(),
})
const hit = fc.record({
  type: fc.constantFrom('open', 'click'),
  member_id: memberId,
  verdict: fc.constantFrom(...verdicts),
  device: fc.constantFrom(...devices),
  link_index: fc.constantFrom(0, 1, 2),
})
const reply = fc.record({
  type: fc.constantFrom('bounce', 'unsubscribe', 'complaint', 'deferred', 'view'),
  member_id: memberId,
  class: fc.constantFrom('full', 'other', 'policy', null),
  hard: fc.constantFrom(true, false, null),
})

type LedgerRow = (typeof ledgerRow)['generate'] extends (...args: never[]) => { value: infer Row }
  ? Row
  : never
type Hit = (typeof hit)['generate'] extends (...args: never[]) => { value: infer Row } ? Row : never
type Reply = (typeof reply)['generate'] extends (...args: never[]) => { value: infer Row } ? Row : never

const mails = fc.record({
  ledger: fc.uniqueArray(ledgerRow, { selector: row => row.member_id, maxLength: 8 }),
  hits: fc.array(hit, { maxLength: 25 }),
  replies: fc.array(reply, { maxLength: 12 }),
})

test('the figures equal a naive recount of random data', async () => {
  await fc.assert(
    fc.asyncProperty(mails, mails, async (mine, others) => {
      const id = await addMails(mine)
      // Events of another campaign must not be counted.
      const other = await addMails(others)
      const figures = await readFigures(tenant.db, tenant.clientId, [other, id])
      expect(figures).toEqual([recount(other, others), recount(id, mine)])
    }),
    { numRuns: 40 },
  )
})

test('the parts of a report add up to its figures', async () => {
  await fc.assert(
    fc.asyncProperty(mails, async mine => {
      const id = await addMails(mine)
      const report = await readReport(tenant.db, tenant.actor, tenant.scope, id)
      const sum = (part: unknown, field: string): number =>
        Array.isArray(part) ? part.reduce((total, row) => total + Number(row[field]), 0) : Number.NaN
      const human = (type: string) =>
        mine.hits.filter(each => each.type === type && each.verdict === 'human' && each.member_id > 0)
      expect(sum(report.preblocks, 'count')).toBe(report.nb_preblock)
      expect(sum(report.providers, 'sent')).toBe(report.nb_send)
      expect(sum(report.providers, 'unknown')).toBe(report.nb_unknown)
      expect(sum(report.opens_clicks_over_time, 'opens')).toBe(human('open').length)
      expect(sum(report.opens_clicks_over_time, 'clicks')).toBe(report.nb_click_total)
      expect(sum(report.links, 'total')).toBe(report.nb_click_total)
    }),
    { numRuns: 25 },
  )
})

test('there are no figures of another client’s campaign', async () => {
  const id = await addMails({ ledger: [], hits: [], replies: [] })
  expect(await readFigures(tenant.db, tenant.clientId + 1, [id])).toEqual([])
  expect(await readFigures(tenant.db, tenant.clientId, [])).toEqual([])
})

interface Mails {
  ledger: LedgerRow[]
  hits: Hit[]
  replies: Reply[]
}

async function addMails({ ledger, hits, replies }: Mails): Promise<number> {
  const { db, clientId } = tenant
  const campaign = await addTestCampaign(tenant, 2)
  const of = { client_id: clientId, campagne_id: Number(campaign.campagne_id) }
  const links = [0, 1, 2].map(index => ({ index, name: `Link ${index}`, url: 'https://shop.example/' }))
  await sql`update campaign set snapshot = ${JSON.stringify({ links })} where campagne_id = ${of.campagne_id}`.execute(
    db,
  )
  const rows = ledger.map(({ reason, ...row }) => ({
    ...of,
    ...row,
    email: `m${row.member_id}@example.test`,
    skip_reason: row.state === 'skipped' ? reason : null,
  }))
  if (rows.length > 0) await db.insertInto('delivery').values(rows).execute()
  const events = [...hits, ...replies].map(event => ({
    ...of,
    class: null,
    hard: null,
    device: null,
    verdict: null,
    link_index: null,
    ...event,
  }))
  for (const { type, member_id, class: kind, hard, device, verdict, link_index } of events)
    await sql`
      insert into event (client_id, campagne_id, type, member_id, class, hard, device, verdict, link_index)
      values (${of.client_id}, ${of.campagne_id}, ${type}, ${member_id}, ${kind}, ${hard}, ${device}, ${verdict}, ${link_index})`.execute(
      db,
    )
  return of.campagne_id
}

/** Straightforward recount of the figures in memory. */
function recount(id: number, { ledger: all, hits, replies }: Mails): Figures {
  const ledger = all.filter(row => row.member_id > 0)
  const isRecipient = (wanted: number) => ledger.some(row => row.member_id === wanted)
  const inState = (...wanted: string[]) => ledger.filter(row => wanted.includes(row.state)).length
  const people = (rows: { member_id: number }[]) => new Set(rows.map(row => row.member_id)).size
  const members = hits.filter(row => row.member_id > 0)
  const hitsOf = (type: string) => {
    const hit = members.filter(row => row.type === type)
    const human = hit.filter(row => row.verdict === 'human')
    const humans = new Set(human.map(row => row.member_id))
    return {
      people: humans.size,
      total: human.length,
      machine: people(hit.filter(row => !humans.has(row.member_id))),
      desktop: people(human.filter(row => row.device === 'desktop')),
      mobile: people(human.filter(row => row.device === 'mobile' || row.device === 'tablet')),
    }
  }
  const bounces = Map.groupBy(
    replies.filter(row => row.type === 'bounce' && row.member_id > 0),
    row => row.member_id,
  )
  const kinds = [...bounces.values()].map(rows => {
    if (rows.some(row => row.hard === true)) return 'hard'
    return rows.some(row => row.class !== null && row.class !== 'other') ? 'soft' : 'other'
  })
  const kind = (wanted: string) => kinds.filter(each => each === wanted).length
  const saying = (type: string) =>
    people(replies.filter(row => row.type === type && isRecipient(row.member_id)))
  const [opens, clicks] = [hitsOf('open'), hitsOf('click')]
  const answered = inState('sent', 'rejected')
  return {
    campagne_id: id,
    nb_recipients: ledger.length,
    nb_preblock: inState('skipped'),
    nb_pending: inState('pending', 'claimed', 'deferred'),
    nb_unknown: inState('unknown'),
    nb_cancelled: inState('cancelled'),
    nb_send: answered,
    nb_delivered: ledger.filter(
      row => ['sent', 'rejected'].includes(row.state) && !bounces.has(row.member_id),
    ).length,
    nb_hardbounce: kind('hard'),
    nb_softbounce: kind('soft'),
    nb_otherbounce: kind('other'),
    nb_open: opens.people,
    nb_open_total: opens.total,
    nb_open_machine: opens.machine,
    nb_open_desktop: opens.desktop,
    nb_open_mobile: opens.mobile,
    nb_click: clicks.people,
    nb_click_total: clicks.total,
    nb_click_machine: clicks.machine,
    nb_click_desktop: clicks.desktop,
    nb_click_mobile: clicks.mobile,
    nb_unsubscribe: saying('unsubscribe'),
    nb_complaint: saying('complaint'),
  }
}
