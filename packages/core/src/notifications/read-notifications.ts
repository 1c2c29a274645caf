import type { StoredNotification } from '@emma/contract/actions/notifications.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Actor, TenantScope } from '../resource/actor.ts'

export interface NotificationFilter {
  unread?: boolean | undefined
  kind?: StoredNotification['kind'] | undefined
  search?: string | undefined
}

/** The user's notifications, newest first. */
export async function listNotifications(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  { limit, offset, ...filter }: NotificationFilter & { limit: number; offset: number },
): Promise<StoredNotification[]> {
  const { rows } = await sql<StoredNotification>`
    select ${columns} from ${visible(actor)} where ${conditions(actor, scope, filter)}
    order by n.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countNotifications(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  filter: NotificationFilter,
): Promise<{ unread: number; total: number }> {
  const { rows } = await sql<{ unread: number; total: number }>`
    select count(*) filter (where s.read_at is null) as unread, count(*) as total
    from ${visible(actor)} where ${conditions(actor, scope, filter)}`.execute(db)
  return rows[0] ?? { unread: 0, total: 0 }
}

/** Throws `not_found`, also for another user's notification. */
export async function findNotification(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
): Promise<StoredNotification> {
  const { rows } = await sql<StoredNotification>`
    select ${columns} from ${visible(actor)} where n.id = ${id}::bigint and ${conditions(actor, scope, {})}`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw new EmmaError('not_found')
  return row
}

/** Marks the user's notifications, all or those of `ids`. Returns the remaining counts. */
export async function markNotifications(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  mark: 'read' | 'dismissed',
  ids?: readonly number[],
): Promise<{ unread: number; total: number }> {
  const named = ids ? sql`n.id = any(${ids}::bigint[])` : sql`true`
  const dismissed = mark === 'dismissed' ? sql`now()` : sql`null`
  await sql`
    insert into notification_state (client_id, id, user_id, read_at, dismissed_at)
    select n.client_id, n.id, ${actor.userId}::bigint, now(), ${dismissed} from ${visible(actor)}
    where ${named} and ${conditions(actor, scope, {})}
    on conflict (client_id, id, user_id) do update
    set read_at = coalesce(notification_state.read_at, now()),
      dismissed_at = coalesce(notification_state.dismissed_at, excluded.dismissed_at)`.execute(db)
  return countNotifications(db, actor, scope, {})
}

const columns = sql`n.id, n.client_id, n.kind, n.code, n.details, n.text, n.path, n.created_at, s.read_at`

function visible(actor: Actor): RawBuilder<unknown> {
  return sql`notification n
    left join notification_state s on s.client_id = n.client_id and s.id = n.id and s.user_id = ${actor.userId}::bigint`
}

/**
 * Condition: addressed to the user, or to all who have the permission, not older than 90 days and not dismissed by the
 * user.
 */
function conditions(
  actor: Actor,
  { clientIds }: TenantScope,
  { unread, kind, search }: NotificationFilter,
): RawBuilder<boolean> {
  const all = [
    sql`s.dismissed_at is null`,
    sql`(n.user_id is null or n.user_id = ${actor.userId}::bigint)`,
    sql`n.created_at > now() - interval '90 days'`,
  ]
  if (clientIds !== 'all') all.push(sql`n.client_id = any(${clientIds}::bigint[])`)
  if (!actor.superadmin)
    all.push(sql`(n.permission is null or n.permission = any(${[...actor.permissions]}::text[]))`)
  if (unread) all.push(sql`s.read_at is null`)
  if (kind) all.push(sql`n.kind = ${kind}`)
  if (search) all.push(sql`n.text ilike ${likePattern(search)}`)
  return sql`(${sql.join(all, sql` and `)})`
}
