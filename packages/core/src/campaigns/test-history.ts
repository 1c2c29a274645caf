import type {
  listTestCampaigns,
  readTestHistory,
  TestCampaign,
} from '@emma/contract/actions/test-campaigns.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { listResults } from '../deliverability/placement/read-placements.ts'
import { shareLinks } from '../platform/share-links.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Page } from '../resource/operations.ts'

type SentTest = Pick<TestCampaign, 'campagne_id' | 'message_id' | 'subject_prefix' | 'results'>

/** Stores a test that was sent (R197). */
export async function recordTest(
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  clientId: number,
  { campagne_id, message_id, subject_prefix, results }: SentTest,
): Promise<TestCampaign> {
  const { rows } = await sql<TestCampaign>`
    insert into test_campaign (client_id, campagne_id, message_id, emails, subject_prefix, results, sent_at, created_by)
    values (${clientId}, ${campagne_id}, ${message_id}, ${results.map(({ email }) => email)}::text[],
      ${subject_prefix}, ${JSON.stringify(results)}::jsonb, now(), ${userId})
    returning ${columns}`.execute(db)
  const [made] = rows
  if (!made) throw new Error('No test found!')
  return made
}

const columns = sql`
  id, client_id, campagne_id, message_id, subject_prefix, emails, results, coalesce(sent_at, created_at) as sent_at,
  created_by`

function inScope({ clientIds }: TenantScope): RawBuilder<unknown> {
  return clientIds === 'all' ? sql`true` : sql`client_id = any(${[...clientIds]}::bigint[])`
}

/** Tests, newest first. */
export async function listTests(
  db: Db,
  scope: TenantScope,
  { campagne_id, message_id, limit, skip }: Omit<z.output<typeof listTestCampaigns.query>, 'client_id'>,
): Promise<Page<TestCampaign>> {
  const chosen = sql`
    deleted_at is null and ${inScope(scope)}
    ${campagne_id === undefined ? sql`` : sql`and campagne_id = ${campagne_id}`}
    ${message_id === undefined ? sql`` : sql`and message_id = ${message_id}`}`
  const [page, counted] = await Promise.all([
    sql<TestCampaign>`
      select ${columns} from test_campaign where ${chosen}
      order by id desc limit ${limit} offset ${skip}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from test_campaign where ${chosen}`.execute(db),
  ])
  return { data: page.rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

/** Throws `not_found`. */
export async function findTest(db: Db, scope: TenantScope, id: number): Promise<TestCampaign> {
  const { rows } = await sql<TestCampaign>`
    select ${columns} from test_campaign
    where deleted_at is null and ${inScope(scope)} and id = ${id}`.execute(db)
  const [found] = rows
  if (!found) throw new EmmaError('not_found')
  return found
}

const mostTests = 200
const mostPlacements = 500

/** Names of a campaign and its client. Throws `not_found`. */
export async function findTestedCampaign(
  db: Db,
  clientId: number,
  campaignId: number,
): Promise<{ name: string; client: string }> {
  const { rows } = await sql<{ name: string; client: string }>`
    select c.name, client.name as client
    from campaign as c join client on client.client_id = c.client_id
    where c.client_id = ${clientId} and c.campagne_id = ${campaignId} and c.deleted_at is null
      and client.deleted_at is null`.execute(db)
  const [found] = rows
  if (!found) throw new EmmaError('not_found')
  return found
}

/** Tests and placement checks of a campaign (R029). Throws `not_found`. */
export async function readHistory(
  db: Db,
  clientId: number,
  campaignId: number,
): Promise<Answer<typeof readTestHistory>> {
  const found = await findTestedCampaign(db, clientId, campaignId)
  const scope = { clientIds: [clientId] }
  const [tests, placements] = await Promise.all([
    listTests(db, scope, { campagne_id: campaignId, limit: mostTests, skip: 0 }),
    listResults(db, scope, { campagne_id: campaignId, limit: mostPlacements, skip: 0 }),
  ])
  return {
    campagne_id: campaignId,
    ...found,
    expires_at: null,
    tests: tests.data.map(({ client_id: _client, created_by: _user, ...test }) => test),
    placements: placements.data.map(({ client_id: _client, has_source: _source, ...result }) => result),
  }
}

/** Links to the test history of a campaign. */
export const testLinks = shareLinks({
  table: 'test_share',
  key: 'campagne_id',
  object: 'campaign',
  permission: 'EmmaTestCampaign:get',
})

/** Reads the test history of a link. Throws `not_found`, whatever is wrong. */
export async function openHistory(
  db: Db,
  campaignId: number,
  secret: string,
): Promise<Answer<typeof readTestHistory>> {
  const { clientId, expires_at } = await testLinks.open(db, campaignId, secret)
  return { ...(await readHistory(db, clientId, campaignId)), expires_at }
}
