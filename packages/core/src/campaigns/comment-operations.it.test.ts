import { MOST_COMMENTS, mentionsOf } from '@emma/contract/resources/campaign-comment.ts'
import { type Push, subscribe } from '@emma/db/notify.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../resource/actor.ts'
import { addTestCampaign, addTestTenant, type TestTenant } from '../test/campaign.ts'
import { commentOperations } from './comment-operations.ts'

let database: TestDatabase
let tenant: TestTenant
let ann: Actor
let ben: Actor
let campaignId: number

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
  ann = await addUser('ann', tenant.clientId)
  ben = await addUser('ben.b', tenant.clientId)
  await addUser('stranger', null)
  campaignId = (await addTestCampaign(tenant)).campagne_id
})
afterAll(() => database.drop())

async function addUser(username: string, client_id: number | null): Promise<Actor> {
  const { db } = database
  const { id: user_id } = await db
    .insertInto('app_user')
    .values({ username, email: `${username}@example.test`, firstname: username, lastname: 'Doe' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: role_id } = await db
    .insertInto('role')
    .values({ name: username, permissions: ['EmmaCampaign:get'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('user_role').values({ user_id, role_id }).execute()
  if (client_id !== null) await db.insertInto('user_client').values({ user_id, client_id }).execute()
  return { ...tenant.actor, userId: user_id }
}

const add = (actor: Actor, text: string, campagne_id = campaignId) =>
  commentOperations.create(tenant.db, actor, tenant.clientId, { campagne_id, text })
const patch = (actor: Actor, id: number, input: Parameters<typeof commentOperations.patch>[4]) =>
  commentOperations.patch(tenant.db, actor, tenant.scope, id, input, { revision: null })

async function mentioned(): Promise<unknown[]> {
  const { rows } = await sql`
    select user_id, details ->> 'person' as person, path from notification where code = 'comment_mention'
    order by id`.execute(tenant.db)
  await sql`delete from notification`.execute(tenant.db)
  return rows
}

test('only its author changes and deletes a comment; others resolve and reopen it', async () => {
  const { comment_id: id, author } = await add(ann, 'Is the price right?')
  expect(author).toBe('ann Doe')
  const refused = { code: 'forbidden', fault: { code: 'refusal.comment_author' } }
  await expect(patch(ben, id, { text: 'Changed' })).rejects.toMatchObject(refused)
  await expect(
    commentOperations.remove(tenant.db, ben, tenant.scope, id, { revision: null }),
  ).rejects.toMatchObject(refused)
  expect(await patch(ben, id, { is_resolved: true })).toMatchObject({
    is_resolved: true,
    resolved_by: ben.userId,
    resolved_at: expect.any(String),
    text: 'Is the price right?',
    author: 'ann Doe',
  })
  expect(await patch(ann, id, { is_resolved: false })).toMatchObject({ resolved_by: null, resolved_at: null })
  expect(await patch(ann, id, { text: 'Changed' })).toMatchObject({ text: 'Changed' })
  await commentOperations.remove(tenant.db, ann, tenant.scope, id, { revision: null })
  await expect(commentOperations.restore(tenant.db, ben, tenant.scope, id)).rejects.toMatchObject(refused)
  await commentOperations.restore(tenant.db, ann, tenant.scope, id)
})

test('a comment stays with its campaign, and needs one of its client', async () => {
  const other = await addTestCampaign(tenant)
  const { comment_id: id } = await add(ann, 'Stays')
  await expect(patch(ann, id, { campagne_id: other.campagne_id })).rejects.toMatchObject({
    fields: [{ field: 'campagne_id', code: 'field.fixed' }],
  })
  await expect(add(ann, 'Nowhere', 999_999)).rejects.toMatchObject({
    fields: [{ field: 'campagne_id', code: 'field.not_there' }],
  })
})

test('mentions notify users of the client once, but not the author and no strangers', async () => {
  await mentioned()
  const { comment_id: id } = await add(ann, '@ben.b, @BEN.B and @ann and @stranger: please look.')
  const news = { user_id: ben.userId, person: 'ann Doe', path: `/campaigns/start/${campaignId}#comments` }
  expect(await mentioned()).toEqual([news])
  await patch(ann, id, { text: '@ben.b: please look again.' })
  expect(await mentioned()).toEqual([])
})

test('open consoles are told', async () => {
  const pushes: Push[] = []
  const subscription = await subscribe(database.url, push => void pushes.push(push))
  await add(ann, 'Live')
  const push = {
    client_id: tenant.clientId,
    permission: 'EmmaCampaign:get',
    type: 'CAMPAIGN_REVIEW',
    data: { campagne_id: campaignId },
  }
  await vi.waitFor(() => expect(pushes).toContainEqual(push))
  await subscription.stop()
})

test('a campaign has a limited number of comments, also if they are added at the same time', async () => {
  const { campagne_id } = await addTestCampaign(tenant)
  await sql`
    insert into campaign_comment (client_id, campagne_id, text)
    select ${tenant.clientId}, ${campagne_id}, 'x' from generate_series(1, ${MOST_COMMENTS - 1}::int)`.execute(
    tenant.db,
  )
  const added = await Promise.allSettled([1, 2, 3].map(n => add(ann, `Last ${n}`, campagne_id)))
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = added.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { fault: { code: 'refusal.comments_full' } } })
})

describe('mentionsOf', () => {
  test.each([
    ['hi @ann, @ben.b.', ['ann', 'ben.b']],
    ['mail ann@example.test', []],
    ['@Ann @ann', ['ann']],
    ['@ann@example.test', ['ann@example.test']],
    ['@ @. @-', []],
    ['(@ann)', ['ann']],
  ])('%s', (text, names) => expect(mentionsOf(text)).toEqual(names))

  test('ends with 4,000 hostile characters', () => {
    for (const text of ['@'.repeat(4000), '@.'.repeat(2000), `@${'.'.repeat(3999)}`, '@a '.repeat(1333)])
      expect(mentionsOf(text).length).toBeLessThanOrEqual(20)
  })
})
