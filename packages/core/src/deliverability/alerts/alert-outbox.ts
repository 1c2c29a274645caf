import type { AlertMessage } from '@emma/contract/actions/alerts.ts'
import type { AlertMetric } from '@emma/contract/resources/alert.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'
import type { Page } from '../../resource/operations.ts'
import { alertOperations } from './alert-operations.ts'

type Content = Pick<AlertMessage, 'kind' | 'value' | 'subjects'>

/** A message to send. */
export interface ClaimedMessage extends Content, Pick<AlertMessage, 'channel' | 'recipient' | 'attempts'> {
  clientId: number
  messageId: number
  alertId: number
  name: string
  metric: AlertMetric
  threshold: number
  client: string
  /** Of the client. */
  language: string
}

/** How an attempt ended. */
export interface Outcome {
  state: 'sent' | 'kept' | 'failed'
  error?: string
}

/** Seconds that a claimed message belongs to its machine. */
const LEASE_S = 120

/** Attempts, and minutes until the second one; each further pause is twice as long. */
const MOST_ATTEMPTS = 6
const RETRY_MINUTES = 2

/** Queues a message to each address of the alert. Returns their number. */
export async function addAlertMessages(
  tx: Db,
  { clientId, id }: { clientId: number; id: number },
  { kind, value, subjects }: Content,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into alert_message (client_id, alert_id, channel, recipient, kind, value, subjects)
    select a.client_id, a.id, to_.channel, to_.recipient, ${kind}, ${value}, ${subjects}::text[]
    from alert a cross join lateral (values ('email', a.notify_email), ('sms', a.notify_sms)) to_ (channel, recipient)
    where a.client_id = ${clientId} and a.id = ${id} and to_.recipient is not null`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Queues a message as if the alert fired. Throws `not_found`. */
export function testAlert(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<number> {
  return transaction(db, async tx => {
    const { client_id: clientId, value } = await alertOperations.find(tx, actor, scope, id)
    await logChange(tx, actor, { clientId, object: 'alert', id, action: 'test', changes: {} })
    return addAlertMessages(tx, { clientId, id }, { kind: 'test', value, subjects: [] })
  })
}

/** Claims due messages, oldest first. Several machines may do so. */
export async function claimMessages(db: Db, limit: number): Promise<ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    with claimed as (
      select client_id, message_id from alert_message
      where state = 'pending' and next_at <= now() order by next_at limit ${limit} for update skip locked
    )
    update alert_message m set next_at = now() + make_interval(secs => ${LEASE_S}), attempts = m.attempts + 1
    from claimed
    join client c on c.client_id = claimed.client_id
    join alert_message o on o.client_id = claimed.client_id and o.message_id = claimed.message_id
    join alert a on a.client_id = o.client_id and a.id = o.alert_id
    where m.client_id = claimed.client_id and m.message_id = claimed.message_id
    returning m.client_id as "clientId", m.message_id as "messageId", m.alert_id as "alertId", m.channel, m.recipient,
      m.kind, m.value, m.subjects, m.attempts, a.name, a.metric, a.threshold, c.name as client, c.language`.execute(
    db,
  )
  return rows
}

/** Stores how an attempt ended. A failed message is tried again for an hour. */
export async function recordMessage(
  db: Db,
  { clientId, messageId, attempts }: ClaimedMessage,
  { state, error }: Outcome,
): Promise<void> {
  const isRepeated = state === 'failed' && attempts < MOST_ATTEMPTS
  await sql`
    update alert_message set state = ${isRepeated ? 'pending' : state}, error = ${error ?? null},
      settled_at = case when ${isRepeated} then null else now() end,
      next_at = now() + make_interval(mins => ${RETRY_MINUTES * 2 ** (attempts - 1)})
    where client_id = ${clientId} and message_id = ${messageId} and state = 'pending'`.execute(db)
}

/** Messages of an alert, newest first. Throws `not_found`. */
export async function listAlertMessages(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  { limit, offset, state }: { limit: number; offset: number; state?: AlertMessage['state'] | undefined },
): Promise<Page<AlertMessage>> {
  const { client_id: clientId } = await alertOperations.find(db, actor, scope, id)
  const chosen = sql`
    m.client_id = ${clientId} and m.alert_id = ${id} ${state === undefined ? sql`` : sql`and m.state = ${state}`}`
  const { rows } = await sql<AlertMessage>`
    select m.message_id, m.channel, m.recipient, m.kind, m.value, m.subjects, m.state, m.attempts, m.error,
      m.created_at, m.settled_at
    from alert_message m where ${chosen} order by m.message_id desc limit ${limit} offset ${offset}`.execute(
    db,
  )
  const counted = await sql<{ total: number }>`
    select count(*) as total from alert_message m where ${chosen}`.execute(db)
  return { data: rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

export async function deleteOldAlertMessages(db: Db): Promise<void> {
  await sql`delete from alert_message where created_at < now() - interval '90 days'`.execute(db)
}
