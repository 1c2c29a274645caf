import { split, splitVariant, variantLetters } from '@emma/contract/split.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { addTestCampaign, addTestTenant, type TestTenant } from '../test/campaign.ts'
import { exportRecipients, listRecipients, type RecipientQuery } from './list-recipients.ts'
import { readFigures } from './read-figures.ts'
import { readSplitReport } from './read-split-report.ts'

type Who = Omit<RecipientQuery, 'limit' | 'offset'>

let database: TestDatabase
let tenant: TestTenant
let campaignId: number
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
  campaignId = await addMails()
})
afterAll(() => database.drop())

test('each figure lists as many recipients as it counts', async () => {
  const [figures] = await readFigures(tenant.db, tenant.clientId, [campaignId])
  const behind: [count: number | undefined, who: Who][] = [
    [figures?.nb_recipients, {}],
    [figures?.nb_send, { figure: 'answered' }],
    [figures?.nb_delivered, { figure: 'delivered' }],
    [figures?.nb_pending, { figure: 'waiting' }],
    [figures?.nb_preblock, { state: 'skipped' }],
    [figures?.nb_unknown, { state: 'unknown' }],
    [figures?.nb_open, { event: 'open', verdict: 'human' }],
    [figures?.nb_open_machine, { event: 'open', verdict: 'machine' }],
    [figures?.nb_click, { event: 'click', verdict: 'human' }],
    [figures?.nb_click_machine, { event: 'click', verdict: 'machine' }],
    [figures?.nb_hardbounce, { event: 'bounce', hard: true }],
    [figures?.nb_unsubscribe, { event: 'unsubscribe' }],
  ]
  const counted = await Promise.all(behind.map(async ([, who]) => (await list(who)).total))
  expect(counted).toEqual(behind.map(([count]) => count))
  // All counts being 0 would prove nothing.
  expect(counted.filter(count => count === 0)).toEqual([])
})

test.each<[string, Who, number[]]>([
  ['by reason', { state: 'skipped', reason: 'capping' }, [7]],
  ['by link', { event: 'click', verdict: 'human', link_index: 1 }, [2]],
  ['by device', { event: 'hit', verdict: 'human', device: 'mobile' }, [1, 2]],
  ['by email client, unnamed ones as other', { event: 'hit', verdict: 'human', agent_client: 'other' }, [2]],
  ['by bounce class', { event: 'bounce', class: 'quota', hard: false }, [4]],
  ['by provider', { provider_id: 5 }, [1, 2]],
  ['by address', { search: 'M5@' }, [5]],
])('recipients are filtered %s', async (_, who, ids) => {
  const { data } = await list(who)
  expect(data.map(row => row.member_id)).toEqual(ids)
})

test('recipients of opens and clicks have the classification of the last one, with its reason', async () => {
  const said = async (who: Who) => (await list(who)).data.map(row => [row.verdict, row.verdict_reason])
  expect(await said({ event: 'click', verdict: 'machine' })).toEqual([['scanner', 'many_links']])
  expect(await said({ event: 'open', verdict: 'human' })).toEqual([['human', null]])
  expect(await said({ event: 'bounce', class: 'quota' })).toEqual([[null, null]])
})

test('recipients of an event have its time, recipients in a state have none', async () => {
  const at = async (who: Who) => (await list(who)).data.map(row => row.event_at)
  expect(await at({ event: 'unsubscribe' })).toEqual(['2026-11-02T09:30:00.000Z'])
  expect(await at({ state: 'skipped' })).toEqual([null])
})

test('the export has each recipient once, with the times of their events', async () => {
  const rows = await Array.fromAsync(exportRecipients(tenant.db, tenant.actor, tenant.scope, campaignId, {}))
  expect(rows.map(row => row.member_id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const did = (name: string) => rows.filter(row => typeof row[name] === 'string').map(row => row.member_id)
  expect([did('open_at'), did('click_at'), did('bounce_at')]).toEqual([[1], [2], [4, 5]])
  expect(rows[0]).toMatchObject({ unsubscribe_at: '2026-11-02T09:30:00.000Z', complaint_at: null })
})

describe('an A/B test', () => {
  let tested: number
  const listTested = async (who: Who) =>
    (
      await listRecipients(tenant.db, tenant.actor, tenant.scope, tested, { limit: 100, offset: 0, ...who })
    ).data.map(row => [row.member_id, row.variant])
  const decide = (winner: number | null) =>
    sql`update campaign set split_winner = ${winner} where campagne_id = ${tested}`.execute(database.db)

  beforeAll(async () => {
    const variants = [splitVariant.parse({ subject: 'Other' })]
    const campaign = await addTestCampaign(tenant, 2, {
      split: split.parse({ variants, holdout_percent: 10 }),
    })
    tested = campaign.campagne_id
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, state, skip_reason, variant)
      select ${tenant.clientId}, ${tested}, n, 'm' || n || '@example.test', state::delivery_state,
        reason::skip_reason, variant
      from unnest('{sent,rejected,sent,pending,pending,skipped,skipped,skipped}'::text[],
        array[null, null, null, null, null, 'capping', 'holdout', 'capping'], '{0,1,1,null,null,null,null,1}'::int[])
        with ordinality as r (state, reason, variant, n)`.execute(database.db)
  })

  test('lists the recipients of each part as its report counts them', async () => {
    const { parts } = await readSplitReport(
      tenant.db,
      await campaignOperations.find(tenant.db, tenant.actor, tenant.scope, tested),
    )
    const whoOf = (part: string, variant: number | null): Who => {
      if (part === 'holdout') return { reason: 'holdout' }
      return { variant: part === 'rest' ? 'rest' : (variantLetters[variant ?? 0] ?? 'H') }
    }
    const listed = await Promise.all(parts.map(async each => listTested(whoOf(each.part, each.variant))))
    expect(listed.map(rows => rows.length)).toEqual(parts.map(part => part.recipients))
    expect(parts.map(({ part, variant, recipients }) => [part, variant, recipients])).toEqual([
      ['variant', 0, 1],
      ['variant', 1, 2],
      ['holdout', null, 1],
      ['rest', null, 2],
    ])
  })

  test('names the variant of each recipient, and the winner once it is chosen', async () => {
    await decide(null)
    expect(await listTested({ variant: 'rest' })).toEqual([
      [4, null],
      [5, null],
    ])
    expect(await listTested({ variant: 'B', state: 'sent' })).toEqual([[3, 'B']])
    expect(await listTested({ variant: 'C' })).toEqual([])
    await decide(1)
    expect(await listTested({})).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, 'B'],
      [4, 'B'],
      [5, 'B'],
      [6, null],
      [7, null],
      [8, 'B'],
    ])
    const rows = await Array.fromAsync(
      exportRecipients(tenant.db, tenant.actor, tenant.scope, tested, { variant: 'A' }),
    )
    expect(rows.map(row => [row.member_id, row.variant])).toEqual([[1, 'A']])
  })
})

function list(who: Who) {
  return listRecipients(tenant.db, tenant.actor, tenant.scope, campaignId, { limit: 100, offset: 0, ...who })
}

async function addMails(): Promise<number> {
  const { db, clientId } = tenant
  const campaign = await addTestCampaign(tenant, 2)
  const id = Number(campaign.campagne_id)
  const of = { client_id: clientId, campagne_id: id }
  const states = ['sent', 'sent', 'sent', 'rejected', 'rejected', 'deferred', 'skipped', 'unknown'] as const
  await db
    .insertInto('delivery')
    .values(
      states.map((state, index) => ({
        ...of,
        member_id: index + 1,
        email: `m${index + 1}@example.test`,
        state,
        skip_reason: state === 'skipped' ? ('capping' as const) : null,
        provider_id: index < 2 ? 5 : 0,
      })),
    )
    .execute()
  const hit = (member: number, type: string, verdict: string, device: string | null, more: unknown[] = []) =>
    sql`
      insert into event (client_id, campagne_id, member_id, type, verdict, device, agent_client, link_index, verdict_reason)
      values (${clientId}, ${id}, ${member}, ${type}, ${verdict}, ${device}, ${more[0] ?? null}, ${more[1] ?? null}, ${more[2] ?? null})`.execute(
      db,
    )
  await hit(1, 'open', 'human', 'mobile', ['Gmail'])
  await hit(1, 'open', 'apple_mpp', 'mobile', ['Apple Mail'])
  await hit(2, 'open', 'apple_mpp', 'mobile', ['Apple Mail'])
  await hit(2, 'click', 'human', 'mobile', [null, 1])
  await hit(3, 'click', 'scanner', 'desktop', ['Scanner', 0, 'many_links'])
  const bounce = (member: number, kind: string, hard: boolean) =>
    sql`
      insert into event (client_id, campagne_id, member_id, type, class, hard)
      values (${clientId}, ${id}, ${member}, 'bounce', ${kind}, ${hard})`.execute(db)
  await bounce(4, 'quota', false)
  await bounce(5, 'bad-mailbox', true)
  await sql`insert into event (client_id, campagne_id, member_id, type, ts)
    values (${clientId}, ${id}, 1, 'unsubscribe', '2026-11-02T09:30:00Z')`.execute(db)
  return id
}
