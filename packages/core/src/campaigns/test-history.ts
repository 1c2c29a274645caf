import type {
  listTestCampaigns,
  readTestHistory,
  TestCampaign,
  TestRecipient,
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

type NewTest = Pick<TestCampaign, 'campagne_id' | 'message_id' | 'subject_prefix' | 'emails'>
type TestResult = Omit<TestRecipient, keyof typeof untracked>

/** Adds a test that is about to be sent (R197). Returns its id. */
export async function addTest(
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  clientId: number,
  { campagne_id, message_id, subject_prefix, emails }: NewTest,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into test_campaign (client_id, campagne_id, message_id, emails, subject_prefix, sent_at, created_by)
    values (${clientId}, ${campagne_id}, ${message_id}, ${emails}::text[], ${subject_prefix}, now(), ${userId})
    returning id`.execute(db)
  const [added] = rows
  if (!added) throw new Error('No test was added.')
  return added.id
}

/** Stores what the servers said to a test. */
export async function recordResults(
  db: Db,
  clientId: number,
  id: number,
  results: readonly TestResult[],
): Promise<TestCampaign> {
  await sql`
    update test_campaign set results = ${JSON.stringify(results)}::jsonb, updated_at = now()
    where client_id = ${clientId} and id = ${id}`.execute(db)
  return findTest(db, { clientIds: [clientId] }, id)
}

/** Removes a test that could not be sent. */
export async function discardTest(db: Db, clientId: number, id: number): Promise<void> {
  await sql`delete from test_mail where client_id = ${clientId} and test_id = ${id}`.execute(db)
  await sql`delete from test_campaign where client_id = ${clientId} and id = ${id}`.execute(db)
}

const columns = sql`
  id, client_id, campagne_id, message_id, subject_prefix, emails, results, coalesce(sent_at, created_at) as sent_at,
  created_by`

type StoredTest = Omit<TestCampaign, 'results'> & { results: TestResult[] }

const untracked = {
  is_tracked: false,
  opened_at: null,
  clicked_at: null,
  machine_opened_at: null,
  machine_clicked_at: null,
}

/** Adds the first opens and clicks of the recipients, over all variants. */
async function withEvents(db: Db, tests: readonly StoredTest[]): Promise<TestCampaign[]> {
  const { rows } = await sql<Omit<typeof untracked, 'is_tracked'> & { test_id: number; email: string }>`
    select test_id, m.email, min(opened_at) as opened_at, min(clicked_at) as clicked_at,
      min(machine_opened_at) as machine_opened_at, min(machine_clicked_at) as machine_clicked_at
    from test_mail m
    join unnest(${tests.map(test => test.client_id)}::bigint[], ${tests.map(({ id }) => id)}::bigint[])
      as test (client_id, test_id) using (client_id, test_id)
    group by test_id, m.email`.execute(db)
  const found = new Map(rows.map(({ test_id, email, ...events }) => [`${test_id} ${email}`, events]))
  return tests.map(test => ({
    ...test,
    results: test.results.map(result => {
      const events = found.get(`${test.id} ${result.email}`)
      return { ...result, ...(events ? { is_tracked: true, ...events } : untracked) }
    }),
  }))
}

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
    sql<StoredTest>`
      select ${columns} from test_campaign where ${chosen}
      order by id desc limit ${limit} offset ${skip}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from test_campaign where ${chosen}`.execute(db),
  ])
  return { data: await withEvents(db, page.rows), included: [], total: counted.rows[0]?.total ?? 0 }
}

/** Throws `not_found`. */
export async function findTest(db: Db, scope: TenantScope, id: number): Promise<TestCampaign> {
  const { rows } = await sql<StoredTest>`
    select ${columns} from test_campaign
    where deleted_at is null and ${inScope(scope)} and id = ${id}`.execute(db)
  const [found] = await withEvents(db, rows)
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
