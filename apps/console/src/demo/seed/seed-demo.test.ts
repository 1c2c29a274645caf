import { expect, test } from 'vitest'
import type {
  DemoCampaign,
  DemoDoiReport,
  DemoRecurring,
  DemoReport,
  DemoSendVolume,
  DemoSubscriber,
  DemoTemplate,
} from '../demo-records.ts'
import type { DemoEntity } from '../demo-tables.ts'
import { memoryTables } from '../test-tables.ts'
import { demoRows, reseedDemo, seedDemo } from './seed-demo.ts'

const person = { id: 5, username: 'dora', firstname: 'Dora', lastname: 'Demo', email: 'dora@demo.test' }
const now = new Date('2026-05-20T14:00:00')
const seed = { person, clients: [], lang: 'en', now } as const

/** Days that give different random seeds. */
const days = Array.from({ length: 40 }, (_, at) => new Date(2026, at % 12, 1 + at * 3, 11))

async function seeded<Row>(entity: DemoEntity, on = now): Promise<Row[]> {
  const tables = memoryTables()
  await seedDemo(tables, { ...seed, now: on })
  return tables<Row>(entity).all()
}

function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least)
  expect(value).toBeLessThanOrEqual(most)
}

test('R311 the newest campaign of type 1 is running, the next three are finished, others keep their state', async () => {
  const campaigns = (await seeded<DemoCampaign>('campaign')).toReversed()
  const regular = campaigns.filter(({ ctype }) => ctype === 1)
  expect(regular.map(({ valid }) => valid)).toEqual([2, 3, 3, 3, 5, 8, 0, 3, 3])
  const others = campaigns.filter(({ ctype }) => ctype !== 1)
  expect(others.map(({ valid }) => valid)).toEqual([1, 3, 3, 3, 3, 3, 3])
  const finished = regular.filter(({ valid }) => valid === 3)
  expect(finished.every(({ progress_cur, estimated_volume }) => progress_cur === estimated_volume)).toBe(true)
  expectWithin(regular[0]?.progress_cur ?? 0, 1, (regular[0]?.estimated_volume ?? 0) - 1)
})

test.each(days)(
  'R251 the newsletter has a run of each of the last four Mondays, and the next one ahead (%s)',
  async day => {
    const [newsletter] = await seeded<DemoRecurring>('recurring', day)
    const campaigns = await seeded<DemoCampaign>('campaign', day)
    const runs = campaigns
      .filter(row => row.recurring_id === newsletter?.recurring_id)
      .toSorted((one, other) => String(other.started_at).localeCompare(String(one.started_at)))
    expect(runs.map(({ valid }) => valid)).toEqual([3, 3, 3, 3])
    expect(runs[0]?.started_at).toBe(newsletter?.last_run)
    const starts = runs.map(({ started_at }) => new Date(String(started_at)))
    expect(starts.map(start => start.getUTCDay())).toEqual([1, 1, 1, 1])
    expectWithin(day.getTime() - Number(starts[0]), 0, 7 * 86_400_000)
    expectWithin(Date.parse(String(newsletter?.next_run)) - day.getTime(), 0, 7 * 86_400_000)
  },
)

test.each(days)('R312 values are in the specified ranges on %s', async day => {
  for (const { estimated_volume } of await seeded<DemoCampaign>('campaign', day))
    expectWithin(estimated_volume, 250_000, 300_000)
  const months = await seeded<DemoSendVolume>('send_volume', day)
  expect(new Set(months.map(({ invoice_month }) => invoice_month)).size).toBe(12)
  for (const { total } of months) expectWithin(total, 100_000, 400_000)
  for (const { entries, imports } of await seeded<DemoDoiReport>('doi_report', day)) {
    expectWithin(entries, 200, 250)
    expectWithin(imports, 160, 180)
  }
  for (const { open_rate, click_rate } of await seeded<DemoSubscriber>('subscriber', day)) {
    expectWithin(open_rate, 20, 30)
    expectWithin(click_rate, 20, 30)
  }
  for (const { nb_open, nb_click, nb_delivered, nb_send } of await seeded<DemoReport>('report', day))
    for (const people of [nb_open, nb_click])
      for (const whole of [nb_delivered, nb_send]) expectWithin(people / whole, 0.2, 0.3)
})

const specified: readonly [DemoEntity, string][] = [
  [
    'campaign',
    'campagne_id ctype valid name domain_id mailclass_id message_id list_id esp_id fromadr reply_to startdate throttle throttle_unit use_domain_pool estimated_volume combined_volume progress_cur client_id manager_id member_table_id screenshot domain list mailclass message',
  ],
  [
    'report',
    'campagne_id nb_send nb_open nb_click nb_hardbounce nb_softbounce nb_otherbounce nb_unsubscribe nb_complaint nb_preblock nb_open_desktop nb_open_mobile nb_click_desktop nb_click_mobile opens_clicks_over_time startdate',
  ],
  ['template', 'message_id body_long body_text subject is_tracked message_type urls user'],
  ['subscriber', 'member_id datejoin dateunjoin created_at updated_at'],
  ['test_subscriber', 'testaddress_id active email addr_type'],
  ['datasource', 'member_table_id stats_total stats_active emmamembertableschema'],
  ['dashboard', 'dashboard_id name content is_public client_id'],
  ['user', 'id roles clients settings isDemo'],
  ['placeholder', 'module_id'],
  ['reporting_group', 'reportinggroup_id'],
  ['motd', 'id'],
  ['blacklist', 'blacklist_id'],
  ['transactional_report', 'date'],
  ['doi_report', 'date'],
  ['send_volume', 'invoice_month'],
]

test.each(specified)('R308 every %s has the specified fields', (entity, names) => {
  const rows = demoRows(seed)[entity]
  expect(rows.length).toBeGreaterThan(0)
  const [keyName = ''] = names.split(' ')
  for (const [key, row] of rows) {
    expect(Object.keys(row)).toEqual(expect.arrayContaining(names.split(' ')))
    expect(row).toHaveProperty(keyName, key)
  }
})

test('R308 a template’s links have name, address and tracking switch', async () => {
  const [template] = await seeded<DemoTemplate>('template')
  expect(template?.urls[0]).toMatchObject({
    name: expect.any(String),
    url: expect.any(String),
    is_active: true,
  })
})

test('R311 demo data is the same on one day and differs on another', () => {
  expect(demoRows(seed)).toEqual(demoRows(seed))
  const tomorrow = demoRows({ ...seed, now: new Date('2026-05-21T14:00:00') })
  expect(tomorrow.send_volume).not.toEqual(demoRows(seed).send_volume)
})

test('R306 changes persist for the day and the user, and are removed by a reset', async () => {
  const tables = memoryTables()
  const names = async () => (await tables<DemoCampaign>('campaign').all()).map(({ name }) => name)
  await seedDemo(tables, seed)
  const before = await names()
  await tables('campaign').clear()
  await seedDemo(tables, { ...seed, now: new Date('2026-05-20T23:00:00') })
  expect(await names()).toEqual([])
  await reseedDemo(tables, seed)
  expect(await names()).toEqual(before)
  await tables('campaign').clear()
  await seedDemo(tables, { ...seed, person: { ...person, id: 6 } })
  expect(await names()).toEqual(before)
  await tables('campaign').clear()
  await seedDemo(tables, { ...seed, now: new Date('2026-05-21T08:00:00') })
  expect(await names()).toHaveLength(before.length)
})

test.each(['de', 'es'] as const)('R306 names and subjects are in the user’s language (%s)', async lang => {
  const tables = memoryTables()
  await seedDemo(tables, { ...seed, lang })
  const [template] = await tables<DemoTemplate>('template').all()
  const english = await seeded<DemoTemplate>('template')
  expect(template?.subject).not.toBe(english[0]?.subject)
  expect(template?.lang).toBe(lang)
})
