import type { StoredNotification } from '@emma/contract/actions/notifications.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql as raw } from 'kysely'
import type { Actor, TenantScope } from '../resource/actor.ts'

export interface NotificationFilter {
  unread?: boolean | undefined
  kind?: StoredNotification['kind'] | undefined
  search?: string | undefined
}

/** The person's notifications, newest first. */
export async function listNotifications(
  sql: Sql,
  actor: Actor,
  scope: TenantScope,
  { limit, offset, ...filter }: NotificationFilter & { limit: number; offset: number },
): Promise<StoredNotification[]> {
  const { rows } = await raw<StoredNotification>`
    select ${columns} from ${visible(actor)} where ${conditions(actor, scope, filter)}
    order by n.id desc limit ${limit} offset ${offset}`.execute(sql)
  return rows
}

export async function countNotifications(
  sql: Sql,
  actor: Actor,
  scope: TenantScope,
  filter: NotificationFilter,
): Promise<{ unread: number; total: number }> {
  const { rows } = await raw<{ unread: number; total: number }>`
    select count(*) filter (where s.read_at is null) as unread, count(*) as total
    from ${visible(actor)} where ${conditions(actor, scope, filter)}`.execute(sql)
  return rows[0] ?? { unread: 0, total: 0 }
}

/** Throws `not_found`, also for what is another person's. */
export async function findNotification(
  sql: Sql,
  actor: Actor,
  scope: TenantScope,
  id: number,
): Promise<StoredNotification> {
  const { rows } = await raw<StoredNotification>`
    select ${columns} from ${visible(actor)} where n.id = ${id}::bigint and ${conditions(actor, scope, {})}`.execute(
    sql,
  )
  const row = rows[0]
  if (!row) throw new EmmaError('not_found')
  return row
}

/** Marks the person's notifications, all or those of `ids`; answers how many are new after that. */
export async function markNotifications(
  sql: Sql,
  actor: Actor,
  scope: TenantScope,
  mark: 'read' | 'dismissed',
  ids?: readonly number[],
): Promise<{ unread: number; total: number }> {
  const named = ids ? raw`n.id = any(${ids}::bigint[])` : raw`true`
  const dismissed = mark === 'dismissed' ? raw`now()` : raw`null`
  await raw`
    insert into notification_state (client_id, id, user_id, read_at, dismissed_at)
    select n.client_id, n.id, ${actor.userId}::int, now(), ${dismissed} from ${visible(actor)}
    where ${named} and ${conditions(actor, scope, {})}
    on conflict (client_id, id, user_id) do update
    set read_at = coalesce(notification_state.read_at, now()),
      dismissed_at = coalesce(notification_state.dismissed_at, excluded.dismissed_at)`.execute(sql)
  return countNotifications(sql, actor, scope, {})
}

const columns = raw`n.id, n.client_id, n.kind, n.code, n.details, n.text, n.path, n.created_at, s.read_at`

function visible(actor: Actor): RawBuilder<unknown> {
  return raw`notification n
    left join notification_state s on s.client_id = n.client_id and s.id = n.id and s.user_id = ${actor.userId}::int`
}

/** The client's, the person's own or everybody's who holds the right, and not taken away by the person. */
function conditions(
  actor: Actor,
  { clientIds }: TenantScope,
  { unread, kind, search }: NotificationFilter,
): RawBuilder<boolean> {
  const all = [
    raw`s.dismissed_at is null`,
    raw`(n.user_id is null or n.user_id = ${actor.userId}::int)`,
    raw`n.created_at > now() - interval '90 days'`,
  ]
  if (clientIds !== 'all') all.push(raw`n.client_id = any(${clientIds}::int[])`)
  if (!actor.superadmin)
    all.push(raw`(n.permission is null or n.permission = any(${[...actor.permissions]}::text[]))`)
  if (unread) all.push(raw`s.read_at is null`)
  if (kind) all.push(raw`n.kind = ${kind}`)
  if (search) all.push(raw`n.text ilike ${likePattern(search)}`)
  return raw`(${raw.join(all, raw` and `)})`
}
