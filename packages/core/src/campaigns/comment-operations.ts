import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { campaignComment, MOST_COMMENTS, mentionsOf } from '@emma/contract/resources/campaign-comment.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { publishReview } from './approval/approval-record.ts'
import { nameOf } from './approval/notify-approval.ts'

type Comment = Row<typeof campaignComment>
type Stored = Omit<Comment, 'author'>

const standard = resourceOperations(campaignComment, {
  table: 'campaign_comment',
  added: ['author'],
  refersTo: { campagne_id: { table: 'campaign', key: 'campagne_id' } },
})

/**
 * CRUD operations of comments on campaigns. Only its author changes and deletes a comment; everybody who may change
 * campaigns resolves one.
 */
export const commentOperations: Operations<typeof campaignComment> = {
  ...standard,
  async list(db, actor, scope, query) {
    const page = await standard.list(db, actor, scope, query)
    return { ...page, data: await withAuthors(db, page.data) }
  },
  async find(db, actor, scope, id) {
    return withAuthor(db, await standard.find(db, actor, scope, id))
  },
  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const created = await standard.create(tx, actor, clientId, input, resolvedBy(actor, input.is_resolved))
      await assertRoom(tx, created)
      await notifyMentioned(tx, actor, created, '')
      await publishReview(tx, created.client_id, created.campagne_id)
      return withAuthor(tx, created)
    })
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const before = await standard.find(tx, actor, scope, id)
      if (input.campagne_id !== undefined && input.campagne_id !== before.campagne_id)
        throw invalid([fieldError('campagne_id', 'field.fixed')])
      if (input.text !== undefined && input.text !== before.text) assertAuthor(actor, before)
      const isResolved = options.whole ? (input.is_resolved ?? false) : input.is_resolved
      const columns = isResolved === before.is_resolved ? {} : resolvedBy(actor, isResolved)
      const after = await standard.patch(tx, actor, scope, id, input, options, columns)
      await notifyMentioned(tx, actor, after, before.text)
      await publishReview(tx, after.client_id, after.campagne_id)
      return withAuthor(tx, after)
    })
  },
  remove(db, actor, scope, id, options) {
    return transaction(db, async tx => {
      const comment = await standard.find(tx, actor, scope, id)
      assertAuthor(actor, comment)
      await standard.remove(tx, actor, scope, id, options)
      await publishReview(tx, comment.client_id, comment.campagne_id)
    })
  },
  restore(db, actor, scope, id) {
    return transaction(db, async tx => {
      await standard.restore(tx, actor, scope, id)
      const comment = await standard.find(tx, actor, scope, id)
      assertAuthor(actor, comment)
      await assertRoom(tx, comment)
      await publishReview(tx, comment.client_id, comment.campagne_id)
    })
  },
}

function assertAuthor({ userId }: Actor, { created_by }: Stored): void {
  if (userId !== created_by) throw new EmmaError('forbidden', fault('refusal.comment_author'))
}

function resolvedBy({ userId }: Actor, isResolved: boolean | undefined) {
  if (isResolved === undefined) return {}
  return isResolved
    ? { resolved_at: sql`now()`, resolved_by: userId }
    : { resolved_at: null, resolved_by: null }
}

/** Checked after the insert, under a lock of the campaign, so that concurrent ones are counted. */
async function assertRoom(tx: Db, { client_id: clientId, campagne_id: campaignId }: Stored): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`comments of campaign ${clientId} ${campaignId}`}, 0))`.execute(
    tx,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from campaign_comment
    where client_id = ${clientId} and campagne_id = ${campaignId} and deleted_at is null`.execute(tx)
  if ((rows[0]?.count ?? 0) > MOST_COMMENTS)
    throw new EmmaError('conflict', fault('refusal.comments_full', { max: MOST_COMMENTS }))
}

/** Notifies users of the client whom a comment mentions, and did not before the change. */
async function notifyMentioned(tx: Db, { userId }: Actor, comment: Stored, before: string): Promise<void> {
  const known = mentionsOf(before)
  const names = mentionsOf(comment.text).filter(name => !known.includes(name))
  if (names.length === 0) return
  const { client_id: clientId, campagne_id: campaignId } = comment
  const { rows: mentioned } = await sql<{ id: number }>`
    select u.id from app_user u join user_client uc on uc.user_id = u.id and uc.client_id = ${clientId}
    where lower(u.username) = any(${names}::text[]) and u.active and u.deleted_at is null
      and u.id is distinct from ${userId}::bigint and (u.superadmin or exists (
        select from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = u.id and r.deleted_at is null and 'EmmaCampaign:get' = any(r.permissions)))`.execute(
    tx,
  )
  if (mentioned.length === 0) return
  const person = userId === null ? 'EMMA' : await nameOf(tx, userId)
  const { rows } = await sql<{ name: string }>`
    select name from campaign where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(tx)
  const name = rows[0]?.name ?? ''
  for (const { id } of mentioned)
    await addNotification(tx, {
      clientId,
      userId: id,
      kind: 'info',
      code: 'comment_mention',
      details: { name, person },
      text: `${person} mentions you in a comment on “${name}”.`,
      path: `/campaigns/start/${campaignId}#comments`,
      createdBy: userId,
    })
}

async function withAuthor(db: Db, comment: Stored): Promise<Comment> {
  const [presented] = await withAuthors(db, [comment])
  if (!presented) throw new EmmaError('not_found')
  return presented
}

async function withAuthors(db: Db, comments: readonly Stored[]): Promise<Comment[]> {
  const ids = [...new Set(comments.map(({ created_by }) => created_by))]
  const { rows } = await sql<{ id: number; name: string }>`
    select id, coalesce(nullif(trim(concat(firstname, ' ', lastname)), ''), username) as name
    from app_user where id = any(${ids.filter(id => id !== null)}::bigint[])`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return comments.map(comment => ({ ...comment, author: names.get(comment.created_by ?? 0) ?? '' }))
}
