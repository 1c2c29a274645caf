import { type CampaignState, campaignState } from '@emma/contract/campaign-states.ts'
import { fault } from '@emma/contract/faults.ts'
import type { FeedItem } from '@emma/mail/template/feed-items.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { transition } from '../campaigns/transition.ts'
import { addTestCampaign, addTestTenant, testKey, type TestTenant } from '../test/campaign.ts'
import {
  checkFeeds,
  chooseItems,
  FeedFault,
  type FetchFeed,
  findFeeds,
  refreshFeeds,
  rememberItems,
} from './feeds.ts'
import { placeholderOperations } from './placeholder-operations.ts'

const operations = placeholderOperations(testKey)

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  tenant = await addTestTenant(database.db)
})

const item = (key: string): FeedItem => ({
  key,
  title: key,
  link: `https://news.test/${key}`,
  summary: '',
  image: '',
  date: '',
})
const broken = async () => {
  throw new FeedFault(fault('feed.unreachable', { url: 'https://news.test/' }))
}

/** A campaign whose template shows a feed through another placeholder. */
async function addFeedCampaign(settings: Record<string, unknown> = {}) {
  const { db, actor, clientId } = tenant
  const add = (token: string, fields: Record<string, unknown>) =>
    operations.create(db, actor, clientId, { name: token, token, ...fields })
  await add('news', { type: 'feed', feed_url: 'https://news.test/', feed_only_new: true, ...settings })
  await add('around', { type: 'html', body: { en: '<div>{{ module.news }}</div>' } })
  const campaignId = await addCampaign()
  return campaignId
}

async function addCampaign(): Promise<number> {
  const { db, clientId } = tenant
  const campaign = await addTestCampaign(tenant)
  await db
    .updateTable('message')
    .set({ body_long: '<p>{{ module.around }}</p>' })
    .where('client_id', '=', clientId)
    .where('message_id', '=', campaign.message_id)
    .execute()
  return campaign.campagne_id
}

async function theFeed(campaignId: number) {
  const [feed] = await findFeeds(tenant.db, tenant.clientId, campaignId)
  if (!feed) throw new Error('The template shows no feed')
  return feed
}

const expire = () =>
  sql`update placeholder_feed set tried_at = now() - interval '1 hour'
    where client_id = ${tenant.clientId}`.execute(tenant.db)

test('the last good copy stays when a feed cannot be read, and the check says so', async () => {
  const { db, clientId } = tenant
  const id = await addFeedCampaign()
  const check = (fetchFeed: FetchFeed) => checkFeeds(db, clientId, id, fetchFeed)
  expect(await check(broken)).toMatchObject([{ blocks: true, fault: { code: 'campaign.feed_unreachable' } }])
  await expire()
  expect(await check(async () => ({ items: [item('a'), item('b')] }))).toMatchObject([
    { blocks: false, fault: { code: 'campaign.feed_items', values: { items: 2 } } },
  ])
  await expire()
  expect(await check(broken)).toMatchObject([
    { blocks: false, fault: { code: 'campaign.feed_earlier', values: { items: 2 } } },
  ])
  expect((await theFeed(id)).items).toHaveLength(2)
})

test('data that cannot be fetched keeps its copy; without one the mail is sent without it, or not at all', async () => {
  const { db, clientId, actor, scope } = tenant
  const shop = { name: 'Shop', token: 'shop', type: 'data', feed_url: 'https://shop.test/' } as const
  const { module_id } = await operations.create(db, actor, clientId, shop)
  await operations.create(db, actor, clientId, {
    name: 'around',
    token: 'around',
    body: { en: '{{ data.shop.a }}' },
  })
  const id = await addCampaign()
  const check = async (fetchFeed: FetchFeed) => {
    await expire()
    const [finding] = await checkFeeds(db, clientId, id, fetchFeed)
    return [finding?.fault.code, finding?.blocks]
  }
  expect(await check(broken)).toEqual(['campaign.data_missing_send', false])
  await operations.patch(db, actor, scope, module_id, { feed_if_empty: 'skip' }, { revision: null })
  expect(await check(async () => ({ data: {} }))).toEqual(['campaign.data_missing_skip', true])
  expect(await check(async () => ({ data: { a: 1 } }))).toEqual(['campaign.data_ready', false])
  expect(await check(broken)).toEqual(['campaign.data_earlier', false])
  expect(await theFeed(id)).toMatchObject({ data: { a: 1 }, items: null })
})

test('a secret needs a header, and travels encrypted', async () => {
  const { db, actor, clientId } = tenant
  const feed = { name: 'Key', token: 'key', type: 'feed', feed_header: 'X-Api-Key' } as const
  const create = (fields: Parameters<typeof operations.create>[3]) =>
    operations.create(db, actor, clientId, fields)
  await expect(create({ ...feed, feed_url: 'https://a.test/' })).rejects.toMatchObject({
    fields: [{ field: 'feed_secret' }],
  })
  await expect(create({ ...feed, feed_url: 'http://a.test/', feed_secret: 'k' })).rejects.toMatchObject({
    fields: [{ field: 'feed_url', code: 'feed.scheme' }],
  })
  const created = await create({ ...feed, feed_url: 'https://a.test/', feed_secret: 'k-secret' })
  expect(created).toMatchObject({ feed_secret: null, feed_secret_set: true })
  const { rows } =
    await sql`select * from placeholder where client_id = ${clientId} and token = 'key'`.execute(db)
  expect(JSON.stringify(rows)).not.toContain('k-secret')
})

test('items of a campaign that was stopped, failed or was deleted unfinished are new again', async () => {
  const { db, clientId, actor, scope } = tenant
  const first = await addFeedCampaign()
  const second = await addCampaign()
  await refreshFeeds(db, clientId, first, async () => ({ items: [item('a'), item('b')] }))
  const feed = await theFeed(first)
  const choose = async (id: number) => (await chooseItems(db, clientId, id, feed)).map(({ key }) => key)
  const { paused, stopped, failed, archived, finished } = campaignState
  const begin = async (state: CampaignState) => {
    await rememberItems(db, clientId, first, feed, [item('a')])
    await db
      .updateTable('campaign')
      .set({ valid: state })
      .where('client_id', '=', clientId)
      .where('campagne_id', '=', first)
      .execute()
    expect(await choose(first)).toEqual(['a', 'b'])
    expect(await choose(second)).toEqual(['b'])
  }
  const key = { clientId, campaignId: first }
  await begin(finished)
  await transition(db, key, { from: [finished], to: archived })
  expect(await choose(second)).toEqual(['b'])
  for (const to of [stopped, failed]) {
    await begin(paused)
    await transition(db, key, { from: [paused], to })
    await transition(db, key, { from: [to], to: archived })
    expect(await choose(second)).toEqual(['a', 'b'])
  }
  await begin(paused)
  await campaignOperations.remove(db, actor, scope, first, { revision: null })
  expect(await choose(second)).toEqual(['a', 'b'])
})

test('a copy of another address is not shown', async () => {
  const { db, clientId, actor, scope } = tenant
  const id = await addFeedCampaign()
  await refreshFeeds(db, clientId, id, async () => ({ items: [item('a')] }))
  const { moduleId } = await theFeed(id)
  const change = { feed_url: 'https://other.test/' }
  await operations.patch(db, actor, scope, moduleId, change, { revision: null })
  expect(await theFeed(id)).toMatchObject({ items: null, triedAt: null })
})

test.each([null, 'news', 'file:///etc/passwd', 'https://user:secret@news.test/'])(
  'the address %s is rejected',
  async feed_url => {
    await expect(addFeedCampaign({ feed_url })).rejects.toMatchObject({ fields: [{ field: 'feed_url' }] })
  },
)
