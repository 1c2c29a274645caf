import { type AlertOperator, eventMetrics } from '@emma/contract/resources/alert.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { addAlertMessages } from './alert-outbox.ts'
import type { ClaimedAlert } from './claim-alerts.ts'
import type { Reading } from './read-metric.ts'

/** Minutes that an alert fires at least, so that a figure around its threshold sends no mail every minute. */
const LEAST_MINUTES = 60

const compare: Record<AlertOperator, (value: number, threshold: number) => boolean> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
}

/**
 * Stores what was read, and tells the recipients and the users of the client if the alert begins or ends. Nothing
 * happens if the alert was changed or deleted meanwhile.
 */
export function recordReading(db: Db, alert: ClaimedAlert, reading: Reading): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<{ state: string; is_recent: boolean; is_news: boolean }>`
      select state, coalesce(fired_at > now() - make_interval(mins => ${LEAST_MINUTES}), false) as is_recent,
        coalesce(${reading.latest ?? null}::timestamptz > coalesce(fired_at, updated_at), false) as is_news
      from alert
      where client_id = ${alert.clientId} and id = ${alert.id} and revision = ${alert.revision} and active
        and deleted_at is null
      for update`.execute(tx)
    const [before] = rows
    if (!before) return
    const isEvent = eventMetrics.includes(alert.metric)
    const isTrue = reading.value !== null && compare[alert.operator](reading.value, alert.threshold)
    const wasFiring = before.state === 'firing'
    const isFiring = !isEvent && (isTrue || (wasFiring && before.is_recent))
    const state = isFiring ? 'firing' : reading.value === null ? 'unknown' : 'ok'
    const isBegin = isTrue && (isEvent ? before.is_news : !wasFiring)
    const isEnd = wasFiring && state === 'ok'
    await sql`
      update alert set state = ${state}, value = ${reading.value}, checked_at = now(),
        memory = ${reading.memory === undefined ? null : JSON.stringify(reading.memory)}::jsonb,
        fired_at = case when ${isBegin} then now() else fired_at end
      where client_id = ${alert.clientId} and id = ${alert.id}`.execute(tx)
    if (!isBegin && !isEnd) return
    const kind = isBegin ? 'firing' : 'resolved'
    await addAlertMessages(tx, alert, { kind, value: reading.value, subjects: reading.subjects })
    await addNotification(tx, {
      clientId: alert.clientId,
      permission: 'Alerts:get',
      kind: isEnd ? 'success' : alert.metric === 'campaign_finished' ? 'info' : 'warning',
      code: isEnd ? 'alert_resolved' : 'alert_firing',
      details: { name: alert.name, value: rounded(reading.value), about: reading.subjects.join(', ') },
      text: isEnd
        ? `The alert “${alert.name}” is over.`
        : `Alert “${alert.name}”: the value is ${rounded(reading.value)}.`,
      path: `/settings/alerts/edit/${alert.id}`,
    })
  })
}

function rounded(value: number | null): string {
  return value === null ? '–' : String(Math.round(value * 100) / 100)
}
