import { type Fault, fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import type { FeedItem } from '@emma/mail/template/feed-items.ts'
import type { JsonValue } from '@emma/mail/template/json-value.ts'
import { insertedModules } from '@emma/mail/template/modules.ts'
import { sql } from 'kysely'
import { findModules } from './find-modules.ts'
import { requestPictures } from './request-pictures.ts'

/** What a feed (items) or a data feed (JSON) answered. */
export type FeedContent = { items: readonly FeedItem[] } | { data: JsonValue }

/** Where a feed is. */
export interface FeedSource {
  type: 'feed' | 'data'
  url: string
  /** Header of the request, if it has a secret. */
  header: string | null
  /** As stored, encrypted. */
  secret: Buffer | null
}

/**
 * Fetches a feed from a public address.
 * @throws FeedFault if it cannot be read
 */
export type FetchFeed = (source: FeedSource) => Promise<FeedContent>

export class FeedFault extends Error {
  override name = 'FeedFault'
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** A placeholder of kind feed or data with its last good copy. */
export interface Feed extends FeedSource {
  moduleId: number
  token: string
  scope: 'campaign' | 'member'
  max: number
  onlyNew: boolean
  ifEmpty: 'send' | 'skip'
  /** Null if the feed was never read, or has data. */
  items: FeedItem[] | null
  data: JsonValue
  fetchedAt: Date | null
  /** The last attempt, successful or not. */
  triedAt: Date | null
  /** Why the last attempt failed. */
  fault: Fault | null
}

/** Most feeds of a campaign; further ones stay empty. */
const maxFeeds = 20

/** Milliseconds in which a feed is not fetched again for a campaign. */
const FRESH_MS = 60_000

/** Feeds that a campaign's template shows, directly or through other placeholders. */
export async function findFeeds(db: Db, clientId: number, campaignId: number): Promise<Feed[]> {
  const texts = await readTexts(db, clientId, campaignId)
  if (!texts.some(text => /\b(?:module|data)\b/.test(text))) return []
  const names = [...insertedModules(texts, await findModules(db, clientId))]
  const { rows } = await sql<Feed>`
    select p.module_id as "moduleId", p.token, p.type, p.feed_url as url, p.feed_header as header,
      p.feed_secret as secret, p.feed_scope as scope, p.feed_max as max,
      p.feed_only_new as "onlyNew", p.feed_if_empty as "ifEmpty",
      f.items, f.data, f.fetched_at as "fetchedAt", f.tried_at as "triedAt", f.fault
    from placeholder p
    left join placeholder_feed f
      on f.client_id = p.client_id and f.module_id = p.module_id and f.url = p.feed_url
    where p.client_id = ${clientId} and p.deleted_at is null and p.type in ('feed', 'data')
      and p.token = any(${names}::text[])
    order by p.module_id
    limit ${maxFeeds}`.execute(db)
  return rows
}

/** All texts that a campaign may show: of its template, and of those of the variants of its A/B test. */
async function readTexts(db: Db, clientId: number, campaignId: number): Promise<string[]> {
  const { rows } = await sql<Record<string, string | null>>`
    select m.preheader, m.body_long, m.body_mjml, m.body_text, m.languages::text as languages,
      case when coalesce(c.subject, '') = '' then m.subject else c.subject end as subject, c.split::text as split
    from campaign c
    join message m on m.client_id = c.client_id and (
      m.message_id = c.message_id
      or m.message_id in (
        select (variant ->> 'message_id')::bigint from jsonb_array_elements(c.split -> 'variants') as variant))
    where c.client_id = ${clientId} and c.campagne_id = ${campaignId}`.execute(db)
  return rows.flatMap(row => Object.values(row).map(text => text ?? ''))
}

/** Fetches the feeds of a campaign, except those tried a moment ago. What cannot be read keeps its last good copy. */
export async function refreshFeeds(
  db: Db,
  clientId: number,
  campaignId: number,
  fetchFeed: FetchFeed,
): Promise<void> {
  const feeds = await findFeeds(db, clientId, campaignId)
  const isDue = ({ triedAt, ...feed }: Feed) =>
    !isPersonal(feed) && (triedAt === null || Date.now() - new Date(triedAt).getTime() > FRESH_MS)
  await Promise.all(feeds.filter(isDue).map(feed => refreshFeed(db, { ...feed, clientId }, fetchFeed)))
}

async function refreshFeed(
  db: Db,
  of: FeedSource & { clientId: number; moduleId: number },
  fetchFeed: FetchFeed,
): Promise<void> {
  try {
    await keepFeed(db, of, await fetchFeed(of))
  } catch (error) {
    if (!(error instanceof FeedFault)) throw error
    const { clientId, moduleId, url } = of
    await sql`
      insert into placeholder_feed as f (client_id, module_id, url, fault)
      values (${clientId}, ${moduleId}, ${url}, ${JSON.stringify(error.fault)}::jsonb)
      on conflict (client_id, module_id) do update set url = excluded.url, tried_at = now(), fault = excluded.fault,
        items = case when f.url = excluded.url then f.items end,
        data = case when f.url = excluded.url then f.data end,
        fetched_at = case when f.url = excluded.url then f.fetched_at end`.execute(db)
  }
}

/** Stored secret of a placeholder, encrypted, and the address whose host may get it. */
export async function findFeedSecret(
  db: Db,
  clientId: number,
  moduleId: number,
): Promise<{ url: string | null; secret: Buffer | null } | null> {
  const found = await db
    .selectFrom('placeholder')
    .select(['feed_url as url', 'feed_secret as secret'])
    .where('client_id', '=', clientId)
    .where('module_id', '=', moduleId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}

/** Keeps a copy of a feed, if the placeholder still shows this address. */
export async function keepFeed(
  db: Db,
  {
    clientId,
    moduleId,
    type,
    url,
  }: Pick<FeedSource, 'type' | 'url'> & { clientId: number; moduleId: number },
  content: FeedContent,
): Promise<void> {
  const items = 'items' in content ? JSON.stringify(content.items) : null
  const data = 'data' in content ? JSON.stringify(content.data) : null
  await sql`
    insert into placeholder_feed (client_id, module_id, url, items, data, fetched_at)
    select client_id, module_id, feed_url, ${items}::jsonb, ${data}::jsonb, now()
    from placeholder
    where client_id = ${clientId} and module_id = ${moduleId} and feed_url = ${url} and type = ${type}
      and deleted_at is null
    on conflict (client_id, module_id) do update set url = excluded.url, items = excluded.items, data = excluded.data,
      fetched_at = now(), tried_at = now(), fault = null`.execute(db)
  await requestPictures(db, clientId, { modules: true })
}

/** Data that is fetched for each recipient. */
export function isPersonal({ type, scope }: Pick<Feed, 'type' | 'scope'>): boolean {
  return type === 'data' && scope === 'member'
}

/** Whether a fault may be gone when the feed is fetched again. */
export function isPassing({ code, values }: Fault): boolean {
  if (code === 'feed.status') return Number(values?.['status']) === 429 || Number(values?.['status']) >= 500
  return code === 'feed.timeout' || code === 'feed.unreachable'
}

/** Whether a data feed has a copy that is not empty. */
export function hasData({ data }: Feed): boolean {
  return typeof data === 'object' ? Object.keys(data ?? {}).length > 0 : data !== ''
}

/** Items of a feed that a campaign shows: the first, without those that another campaign sent if only new ones count. */
export async function chooseItems(
  db: Db,
  clientId: number,
  campaignId: number,
  { moduleId, items, max, onlyNew }: Feed,
): Promise<FeedItem[]> {
  const found = items ?? []
  if (!onlyNew || found.length === 0) return found.slice(0, max)
  const { rows } = await sql<{ item: string }>`
    select distinct item from placeholder_feed_item
    where client_id = ${clientId} and module_id = ${moduleId} and campagne_id <> ${campaignId}`.execute(db)
  const sent = new Set(rows.map(row => row.item))
  return found.filter(({ key }) => !sent.has(key)).slice(0, max)
}

/** Remembers the items that a campaign takes along: for others they are not new any more. */
export async function rememberItems(
  db: Db,
  clientId: number,
  campaignId: number,
  { moduleId }: Feed,
  items: readonly FeedItem[],
): Promise<void> {
  if (items.length === 0) return
  await sql`
    insert into placeholder_feed_item (client_id, module_id, campagne_id, item)
    select ${clientId}, ${moduleId}, ${campaignId}, key from unnest(${items.map(({ key }) => key)}::text[]) key
    on conflict do nothing`.execute(db)
}

/** Makes the items of a campaign new again that ends before it has sent them to everybody. */
export async function forgetItems(
  tx: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
): Promise<void> {
  await tx
    .deleteFrom('placeholder_feed_item')
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .execute()
}

/** What the check of a campaign says about its feeds, which are fetched for it. */
export async function checkFeeds(
  db: Db,
  clientId: number,
  campaignId: number,
  fetchFeed: FetchFeed,
): Promise<{ code: string; fault: Fault; blocks: boolean }[]> {
  await refreshFeeds(db, clientId, campaignId, fetchFeed)
  const feeds = await findFeeds(db, clientId, campaignId)
  const findings = []
  for (const feed of feeds) {
    if (isPersonal(feed)) {
      const code = `campaign.data_personal_${feed.ifEmpty}` as const
      findings.push({ code: 'data', fault: fault(code, { placeholder: feed.token }), blocks: false })
      continue
    }
    if (feed.type === 'data') {
      const blocks = !hasData(feed) && feed.ifEmpty === 'skip'
      findings.push({ code: 'data', fault: stateOfData(feed), blocks })
      continue
    }
    const items = await chooseItems(db, clientId, campaignId, feed)
    findings.push({ code: 'feed', fault: stateOf(feed, items.length), blocks: feed.items === null })
  }
  return findings
}

function stateOfData(feed: Feed): Fault {
  const { token: placeholder, ifEmpty } = feed
  const reason = feed.fault ?? ''
  if (!hasData(feed))
    return ifEmpty === 'skip'
      ? fault('campaign.data_missing_skip', { placeholder, fault: reason })
      : fault('campaign.data_missing_send', { placeholder, fault: reason })
  const time = new Date(feed.fetchedAt ?? 0).toISOString()
  return feed.fault
    ? fault('campaign.data_earlier', { placeholder, time, fault: feed.fault })
    : fault('campaign.data_ready', { placeholder, time })
}

function stateOf(feed: Feed, items: number): Fault {
  const { token: placeholder } = feed
  if (feed.fetchedAt === null)
    return fault('campaign.feed_unreachable', { placeholder, fault: feed.fault ?? '' })
  const time = new Date(feed.fetchedAt).toISOString()
  if (feed.fault) return fault('campaign.feed_earlier', { placeholder, items, time, fault: feed.fault })
  if (items > 0) return fault('campaign.feed_items', { placeholder, items, time })
  return feed.ifEmpty === 'skip'
    ? fault('campaign.feed_empty_skip', { placeholder })
    : fault('campaign.feed_empty_send', { placeholder })
}
