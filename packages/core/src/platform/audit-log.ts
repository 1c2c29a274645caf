import type { listAuditLog as contract } from '@emma/contract/actions/audit-log.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, can, canAccessClient } from '../resource/actor.ts'
import { installation } from '../resource/log-change.ts'
import { mayReadMembers } from '../resource/member-rights.ts'
import type { Page } from '../resource/operations.ts'
import { deleteChanges } from './delete-changes.ts'

/** A record of the installation that the actor may see, and hence its history. */
export interface SeenRecord {
  object: string
  id: number
}

export interface AuditQuery {
  limit: number
  offset: number
  object?: string | undefined
  object_id?: number | undefined
  user_id?: number | undefined
  client_id?: number | undefined
  action?: string | undefined
  after?: string | undefined
  before?: string | undefined
}

type AuditRow = Answer<typeof contract>['data'][number]

/** Up to this many entries are counted exactly. */
const countLimit = 10_000

/**
 * Audit log entries, newest first; `changes` as field → [before, after]. Includes entries of the actor's clients;
 * entries of the installation only for superadmins, or for the record `seen`. The caller checks the permission.
 */
export async function listAuditLog(
  db: Db,
  actor: Actor,
  query: AuditQuery,
  seen: SeenRecord | null = null,
): Promise<Page<AuditRow>> {
  const where = sql.join(conditions(actor, query, seen), sql` and `)
  const { rows } = await sql<AuditRow>`
    select h.id, h.ts, h.client_id, c.name as client, h.user_id,
      coalesce(nullif(trim(concat(u.firstname, ' ', u.lastname)), ''), u.username, '') as user,
      t.name as token, r.name as view_role, h.object, h.object_id, h.action, h.changes, host(h.ip) as ip, h.request_id
    from change_log h
    left join app_user u on u.id = h.user_id
    left join client c on c.client_id = h.client_id
    left join api_token t on t.id = h.token_id
    left join role r on r.id = h.view_role
    where ${where} order by h.id desc limit ${query.limit} offset ${query.offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select from change_log h where ${where} limit ${countLimit}) as found`.execute(
    db,
  )
  return {
    data: rows.map(row => withoutMembersData(actor, withoutForeign(actor, row))),
    included: [],
    total: counted.rows[0]?.total ?? 0,
  }
}

/** Removes clients that the reader has no access to from the changes of a user's clients. */
function withoutForeign(actor: Actor, row: AuditRow): AuditRow {
  const { clients } = row.changes
  if (!clients || actor.superadmin) return row
  const known = (ids: unknown): unknown =>
    Array.isArray(ids) ? ids.filter(id => canAccessClient(actor, Number(id))) : ids
  const [before, after] = clients
  return { ...row, changes: { ...row.changes, clients: [known(before), known(after)] } }
}

/** Hides the changed values of members from readers without permission; that a change happened stays visible. */
function withoutMembersData(actor: Actor, row: AuditRow): AuditRow {
  return row.object === 'member' && !mayReadMembers(actor) ? { ...row, changes: {} } : row
}

function conditions(actor: Actor, query: AuditQuery, seen: SeenRecord | null): RawBuilder<unknown>[] {
  const { client_id: client, object, object_id: objectId, user_id: userId, action, after, before } = query
  return [
    seen ? sql`h.client_id = ${seen.object === 'client' ? seen.id : installation}` : scope(actor, client),
    ...(object === undefined ? [] : [sql`h.object = ${object}`]),
    ...(objectId === undefined ? [] : [sql`h.object_id = ${objectId}::bigint`]),
    ...(userId === undefined ? [] : [sql`h.user_id = ${userId}::bigint`]),
    ...(action === undefined ? [] : [sql`h.action = ${action}`]),
    ...(after === undefined ? [] : [sql`h.ts >= ${after}::timestamptz`]),
    ...(before === undefined ? [] : [sql`h.ts <= ${untilEndOf(before)}::timestamptz`]),
  ]
}

function scope(actor: Actor, client: number | undefined): RawBuilder<unknown> {
  if (actor.superadmin) return client === undefined ? sql`true` : sql`h.client_id = ${client}`
  if (client === installation) throw new EmmaError('forbidden')
  if (client !== undefined && !canAccessClient(actor, client)) throw new EmmaError('not_found')
  if (client !== undefined) return sql`h.client_id = ${client}`
  // For superadmins viewing as a role and for their tokens: the active client.
  const own = actor.clientIds === 'all' ? [actor.clientId].filter(id => id !== null) : actor.clientIds
  return sql`h.client_id = any(${own}::bigint[])`
}

/** A date without a time includes the whole day (UTC). */
function untilEndOf(time: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(time) ? `${time}T23:59:59.999Z` : time
}

/**
 * Throws `forbidden` without the permission for the whole log; the history of a record only requires access to the
 * record.
 */
export function assertMayReadLog(actor: Actor): void {
  if (!can(actor, 'AuditLog:get')) throw new EmmaError('forbidden')
}

/** Deletes entries older than the number of days in the setting (0: none). Returns their number. */
export function applyRetention(db: Db): Promise<number> {
  return transaction(db, tx =>
    deleteChanges(
      tx,
      sql`ts < now() - make_interval(days => (
        select (value #>> '{}')::int from setting where name = 'audit_days' and (value #>> '{}')::int > 0))`,
    ),
  )
}
