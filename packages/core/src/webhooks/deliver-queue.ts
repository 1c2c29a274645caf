import type { WebhookAttempt } from '@emma/contract/actions/webhooks.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { openSecret } from '../deliverability/secret-box.ts'
import { webhookDelay } from './webhook-retry.ts'

/** A webhook to call, with its decrypted secrets, newest first. */
export interface Target {
  clientId: number
  webhookId: number
  url: string
  secrets: string[]
}

/** A claimed call. */
export interface Call {
  messageId: number
  /** Header `webhook-id`: `msg_…`. */
  uid: string
  events: unknown[]
  /** Attempts so far, including this one. */
  attempts: number
  createdAt: string
}

/** Result of a call. `retryAfter`: seconds, from the receiver's response. */
export interface Result {
  call: Call
  ok: boolean
  attempt: WebhookAttempt
  retryAfter: number | null
}

/** Lease of a claimed call in seconds: longer than the timeout of a call. */
const lease = 60

/** Webhooks with due calls, those waiting longest first. */
export async function listTargets(db: Db, key: Buffer, limit: number): Promise<Target[]> {
  const { rows } = await sql<SealedTarget>`
    select w.client_id, w.webhook_id, w.url, w.secret, ${previous} as previous_secret
    from webhook w cross join lateral (
      select min(m.next_at) as due_at from webhook_message m
      where m.client_id = w.client_id and m.webhook_id = w.webhook_id and m.state = 'pending'
    ) next
    where w.active and w.deleted_at is null and next.due_at <= now()
    order by next.due_at limit ${limit}`.execute(db)
  return rows.map(row => open(key, row))
}

/** Reads one webhook, active or not, for a test. */
export async function findTarget(db: Db, key: Buffer, clientId: number, id: number): Promise<Target> {
  const { rows } = await sql<SealedTarget>`
    select w.client_id, w.webhook_id, w.url, w.secret, ${previous} as previous_secret from webhook w
    where w.client_id = ${clientId} and w.webhook_id = ${id} and w.deleted_at is null`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`There is no webhook ${id}`)
  return open(key, row)
}

interface SealedTarget {
  client_id: number
  webhook_id: number
  url: string
  secret: Buffer
  previous_secret: Buffer | null
}

const previous = sql`case when w.previous_until > now() then w.previous_secret end`

function open(key: Buffer, row: SealedTarget): Target {
  const sealed = row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret]
  return {
    clientId: row.client_id,
    webhookId: row.webhook_id,
    url: row.url,
    secrets: sealed.map(secret => openSecret(key, secret)),
  }
}

/** Claims due calls of a webhook; no other process claims them within the lease. */
export async function claimCalls(db: Db, { clientId, webhookId }: Target, limit: number): Promise<Call[]> {
  const { rows } = await sql<Call>`
    with due as (
      select message_id from webhook_message
      where client_id = ${clientId} and webhook_id = ${webhookId} and state = 'pending' and next_at <= now()
      order by next_at, message_id limit ${limit} for update skip locked
    )
    update webhook_message m
    set next_at = now() + make_interval(secs => ${lease}), attempts = m.attempts + 1
    from due
    where m.client_id = ${clientId} and m.message_id = due.message_id
    returning m.message_id as "messageId", 'msg_' || replace(m.uid::text, '-', '') as uid, m.events, m.attempts,
      m.created_at as "createdAt"`.execute(db)
  return rows.toSorted((a, b) => a.messageId - b.messageId)
}

/** Adds a test call, which is neither claimed by another process nor retried. */
export async function addTestCall(db: Db, { clientId, webhookId }: Target): Promise<Call> {
  const { rows } = await sql<Call>`
    insert into webhook_message (client_id, webhook_id, types, event_count, events, state, attempts)
    values (${clientId}, ${webhookId}, '{webhook.test}', 1, jsonb_build_array(jsonb_build_object(
      'id', 'test-' || gen_random_uuid(), 'type', 'webhook.test', 'timestamp', webhook_time(clock_timestamp()),
      'data', jsonb_build_object('text', 'This is a test. Nothing has happened.'))), 'failed', 1)
    returning message_id as "messageId", 'msg_' || replace(uid::text, '-', '') as uid, events, attempts,
      created_at as "createdAt"`.execute(db)
  const [call] = rows
  if (!call) throw new Error('The test call was not written')
  return call
}

/** Stores the result of a test call. */
export function recordTest(db: Db, target: Target, result: Result): Promise<void> {
  return transaction(db, async tx => {
    await keepAttempts(tx, target, [result])
    await sql`
      update webhook_message set state = ${result.ok ? 'delivered' : 'failed'}, settled_at = now()
      where client_id = ${target.clientId} and message_id = ${result.call.messageId}`.execute(tx)
  })
}

/** Days without success after which a failing webhook is disabled. */
export const maxFailingDays = 5

/**
 * Stores the results of calls and schedules retries. Disables webhooks that fail for days or respond with 410. One
 * transaction.
 */
export function recordCalls(db: Db, target: Target, results: readonly Result[]): Promise<void> {
  return transaction(db, async tx => {
    await keepAttempts(tx, target, results)
    const planned = results.map(({ call, ok, retryAfter }) => ({
      id: call.messageId,
      delay: ok ? null : webhookDelay(call.attempts, Math.random(), retryAfter),
      ok,
    }))
    await sql`
      update webhook_message m
      set state = case when p.ok then 'delivered' when p.delay is null then 'failed' else 'pending' end,
        next_at = now() + make_interval(secs => coalesce(p.delay, 0)),
        settled_at = case when p.ok or p.delay is null then now() end
      from unnest(
        ${planned.map(plan => plan.id)}::bigint[], ${planned.map(plan => plan.delay)}::float8[],
        ${planned.map(plan => plan.ok)}::boolean[]) as p (id, delay, ok)
      where m.client_id = ${target.clientId} and m.message_id = p.id and m.state = 'pending'`.execute(tx)
    if (results.some(result => result.ok)) return markSuccess(tx, target)
    await markFailure(
      tx,
      target,
      results.some(result => result.attempt.status === 410),
    )
  })
}

async function keepAttempts(tx: Db, { clientId }: Target, results: readonly Result[]): Promise<void> {
  const column = <K extends keyof WebhookAttempt>(name: K) => results.map(({ attempt }) => attempt[name])
  await sql`
    insert into webhook_attempt (client_id, message_id, started_at, duration_ms, status, error, answer)
    select ${clientId}, * from unnest(
      ${results.map(({ call }) => call.messageId)}::bigint[], ${column('started_at')}::timestamptz[],
      ${column('duration_ms')}::int[], ${column('status')}::smallint[], ${column('error')}::text[],
      ${column('answer')}::text[])`.execute(tx)
}

async function markSuccess(tx: Db, { clientId, webhookId }: Target): Promise<void> {
  await sql`
    update webhook set last_success_at = now(), failing_since = null
    where client_id = ${clientId} and webhook_id = ${webhookId}`.execute(tx)
}

async function markFailure(tx: Db, { clientId, webhookId }: Target, isGone: boolean): Promise<void> {
  const { rows } = await sql<{ url: string; disabled_reason: string }>`
    update webhook set
      failing_since = coalesce(failing_since, now()),
      active = not (${isGone} or ${hasFailedForDays}),
      disabled_reason = case when ${isGone} then 'gone' when ${hasFailedForDays} then 'failing' end,
      revision = case when ${isGone} or ${hasFailedForDays} then revision + 1 else revision end
    where client_id = ${clientId} and webhook_id = ${webhookId} and active
    returning url, disabled_reason`.execute(tx)
  const [changed] = rows
  if (!changed?.disabled_reason) return
  await notify(tx, clientId, webhookId, changed.disabled_reason, changed.url)
}

const hasFailedForDays = sql`coalesce(failing_since < now() - make_interval(days => ${maxFailingDays}), false)`

/** Notifies the users who may enable it again. */
async function notify(tx: Db, clientId: number, id: number, reason: string, url: string): Promise<void> {
  const { host } = new URL(url)
  const text =
    reason === 'gone'
      ? `The webhook to ${host} was switched off: the receiver says that it is gone (410).`
      : `The webhook to ${host} was switched off: no call succeeded for ${maxFailingDays} days.`
  await addNotification(tx, {
    clientId,
    userId: null,
    permission: 'Webhook:patch',
    kind: 'warning',
    code: `webhook_${reason}`,
    details: { host, days: maxFailingDays },
    text,
    path: `/settings/webhooks/edit/${id}`,
    createdBy: null,
  })
}

/** Deletes calls after 14 days, as their bodies contain addresses. */
export async function forgetOldCalls(db: Db): Promise<void> {
  await sql`delete from webhook_message where created_at < now() - interval '14 days'`.execute(db)
}
