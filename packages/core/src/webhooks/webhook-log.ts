import type {
  findWebhookMessage,
  WebhookAttempt,
  WebhookMessageRow,
} from '@emma/contract/actions/webhooks.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../resource/actor.ts'
import { fault } from '@emma/contract/faults.ts'

export interface LogQuery {
  limit: number
  offset: number
  state?: WebhookMessageRow['state'] | undefined
}

/** Calls of a webhook with their latest attempt, newest first. Throws `not_found`. */
export async function listMessages(
  db: Db,
  scope: TenantScope,
  id: number,
  { limit, offset, state }: LogQuery,
): Promise<{ data: WebhookMessageRow[]; included: []; total: number }> {
  const clientId = await clientOf(db, scope, id)
  const mine = sql`m.client_id = ${clientId} and m.webhook_id = ${id}
    and ${state === undefined ? sql`true` : sql`m.state = ${state}`}`
  const { rows } = await sql<WebhookMessageRow>`
    select ${columns} from webhook_message m
    where ${mine} order by m.message_id desc limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from webhook_message m where ${mine}`.execute(db)
  return { data: rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

/** One call with its events and all attempts, latest first. Throws `not_found`. */
export async function findMessage(
  db: Db,
  scope: TenantScope,
  id: number,
  messageId: number,
): Promise<Answer<typeof findWebhookMessage>> {
  const clientId = await clientOf(db, scope, id)
  const { rows } = await sql<Omit<Answer<typeof findWebhookMessage>, 'log'>>`
    select ${columns}, m.events from webhook_message m
    where m.client_id = ${clientId} and m.webhook_id = ${id} and m.message_id = ${messageId}`.execute(db)
  const [message] = rows
  if (!message) throw new EmmaError('not_found')
  const log = await sql<WebhookAttempt>`
    select started_at, duration_ms, status, error, answer from webhook_attempt
    where client_id = ${clientId} and message_id = ${messageId}
    order by attempt_id desc`.execute(db)
  return { ...message, log: log.rows }
}

/** Calls to repeat: one, or those of a period. */
export type Replay = { messageId: number } | { from: string; to: string; onlyFailed: boolean }

/**
 * Repeats calls with their old ids and a reset attempt counter. For a period, calls that are still pending are left
 * out. Returns their number.
 * @throws EmmaError `not_found`, `wrong_state` for a disabled webhook
 */
export async function replayMessages(
  db: Db,
  scope: TenantScope,
  id: number,
  replay: Replay,
): Promise<number> {
  const clientId = await clientOf(db, scope, id)
  const { rows } = await sql<{ active: boolean }>`
    select active from webhook where client_id = ${clientId} and webhook_id = ${id}`.execute(db)
  if (!rows[0]?.active) throw new EmmaError('wrong_state', fault('refusal.webhook_off'))
  const { numAffectedRows } = await sql`
    update webhook_message
    set state = 'pending', attempts = 0, next_at = now(), settled_at = null
    where client_id = ${clientId} and webhook_id = ${id} and ${chosen(replay)}`.execute(db)
  const replayed = Number(numAffectedRows ?? 0)
  if ('messageId' in replay && replayed === 0) throw new EmmaError('not_found')
  return replayed
}

function chosen(replay: Replay): RawBuilder<unknown> {
  if ('messageId' in replay) return sql`message_id = ${replay.messageId}`
  return sql`created_at >= ${replay.from} and created_at <= ${replay.to}
    and ${replay.onlyFailed ? sql`state = 'failed'` : sql`state <> 'pending'`}
    and types <> '{webhook.test}'`
}

const columns = sql`
  m.message_id, 'msg_' || replace(m.uid::text, '-', '') as uid, m.types, m.event_count, m.state, m.attempts, m.next_at,
  m.created_at, m.settled_at, (
    select jsonb_build_object('started_at', webhook_time(a.started_at), 'duration_ms', a.duration_ms,
      'status', a.status, 'error', a.error, 'answer', a.answer)
    from webhook_attempt a
    where a.client_id = m.client_id and a.message_id = m.message_id
    order by a.attempt_id desc limit 1) as last`

async function clientOf(db: Db, { clientIds }: TenantScope, id: number): Promise<number> {
  const visible = clientIds === 'all' ? sql`true` : sql`client_id = any(${clientIds}::bigint[])`
  const { rows } = await sql<{ client_id: number }>`
    select client_id from webhook
    where webhook_id = ${id} and deleted_at is null and ${visible}`.execute(db)
  const [found] = rows
  if (!found) throw new EmmaError('not_found')
  return found.client_id
}
