import { campaignState } from '@emma/contract/campaign-states.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestAudience, type TestAudience } from '../test/audience.ts'
import { checkCategories } from './campaign-categories.ts'
import { campaignOperations } from './campaign-operations.ts'
import { categoryOperations } from './category-operations.ts'

/** Categories of campaigns (R215): their values, and which of them campaigns take. */

let audience: TestAudience
beforeAll(async () => {
  audience = await createTestAudience()
})
afterAll(() => audience.database.drop())

const whole = { whole: false, revision: null }
const value = (label: string, value_id: number | null = null, active = true) => ({
  value_id,
  label,
  color: null,
  active,
})

let made = 0
function addCategory(labels: string[], more: object = {}) {
  const { database, actor, clientId } = audience
  made += 1
  const input = { name: `Occasion ${made}`, values: labels.map(label => value(label)), ...more }
  return categoryOperations.create(database.db, actor, clientId, input)
}

function addCampaign(category_value_ids: number[]) {
  const { database, actor, clientId } = audience
  return campaignOperations.create(database.db, actor, clientId, { name: 'Sale', category_value_ids })
}

const idsOf = ({ values }: { values: readonly { value_id: number | null }[] }) =>
  values.map(({ value_id }) => Number(value_id))

test('R215 values get ids that no other category has, and keep them', async () => {
  const { database, actor, scope } = audience
  const one = await addCategory(['News', 'Sale'])
  const other = await addCategory(['Blue'])
  expect(new Set([...idsOf(one), ...idsOf(other)]).size).toBe(3)
  const [news = 0, sale = 0] = idsOf(one)
  const values = [value('Offers', sale), value('News', news, false), value('Event')]
  const changed = await categoryOperations.patch(
    database.db,
    actor,
    scope,
    one.category_id,
    { values },
    whole,
  )
  expect(changed.values.map(({ label }) => label)).toEqual(['Offers', 'News', 'Event'])
  expect(idsOf(changed).slice(0, 2)).toEqual([sale, news])
})

test('ids of another category, and a label twice, are rejected', async () => {
  const { database, actor, scope } = audience
  const one = await addCategory(['News'])
  const [foreign = 0] = idsOf(await addCategory(['Blue']))
  const patch = (values: ReturnType<typeof value>[]) =>
    categoryOperations.patch(database.db, actor, scope, one.category_id, { values }, whole)
  await expect(patch([value('Stolen', foreign)])).rejects.toMatchObject({
    fields: [{ field: 'values.0.value_id' }],
  })
  await expect(patch([value('News'), value('news')])).rejects.toMatchObject({
    fields: [{ field: 'values.1.label' }],
  })
})

test('a value in use can be deactivated, not removed; its category cannot be deleted', async () => {
  const { database, actor, scope } = audience
  const one = await addCategory(['News', 'Sale'])
  const [news = 0, sale = 0] = idsOf(one)
  const campaign = await addCampaign([news])
  const patch = (values: ReturnType<typeof value>[]) =>
    categoryOperations.patch(database.db, actor, scope, one.category_id, { values }, whole)
  await expect(patch([value('Sale', sale)])).rejects.toMatchObject({
    fields: [{ field: 'values', code: 'field.used_by_campaigns', values: { names: '"Sale"' } }],
  })
  await expect(
    categoryOperations.remove(database.db, actor, scope, one.category_id, { revision: null }),
  ).rejects.toMatchObject({ code: 'in_use' })
  await patch([value('News', news, false), value('Sale', sale)])
  await expect(addCampaign([news])).rejects.toMatchObject({ fields: [{ field: 'category_value_ids' }] })
  const kept = await campaignOperations.patch(
    database.db,
    actor,
    scope,
    campaign.campagne_id,
    { category_value_ids: [news], name: 'Still there' },
    whole,
  )
  expect(kept.category_value_ids).toEqual([news])
})

test('a campaign takes one value of a category that allows one, several of others, and none of another client', async () => {
  const { database, foreign } = audience
  const single = idsOf(await addCategory(['A', 'B']))
  const several = idsOf(await addCategory(['C', 'D'], { is_multi: true }))
  await expect(addCampaign(single)).rejects.toMatchObject({
    fields: [{ field: 'category_value_ids', code: 'field.one_value' }],
  })
  expect((await addCampaign(several)).category_value_ids).toEqual(several)
  const theirs = await categoryOperations.create(database.db, foreign.actor, foreign.clientId, {
    name: 'Theirs',
    values: [value('Secret')],
  })
  await expect(addCampaign(idsOf(theirs))).rejects.toMatchObject({ fields: [{ code: 'field.not_there' }] })
})

test('a campaign without a value of a required category does not start', async () => {
  const { database, clientId, actor, scope } = audience
  const required = await addCategory(['Yes'], { is_required: true })
  const missing = (category_value_ids: number[]) =>
    checkCategories(database.db, { client_id: clientId, category_value_ids })
  expect(await missing([])).toMatchObject([
    { field: 'category_value_ids', values: { category: required.name } },
  ])
  expect(await missing(idsOf(required))).toEqual([])
  await categoryOperations.remove(database.db, actor, scope, required.category_id, { revision: null })
  expect(await missing([])).toEqual([])
})

test('campaigns are found by their values', async () => {
  const { database, actor, scope } = audience
  const [one = 0, other = 0] = idsOf(await addCategory(['One', 'Other']))
  const found = await addCampaign([one])
  await addCampaign([other])
  const page = await campaignOperations.list(database.db, actor, scope, {
    limit: 25,
    offset: 0,
    search: '',
    sort: { field: 'name', descending: false },
    included: [],
    superadminview: false,
    filters: { category: [one], status: [campaignState.draft] },
  })
  expect(page.data.map(({ campagne_id }) => campagne_id)).toEqual([found.campagne_id])
})
