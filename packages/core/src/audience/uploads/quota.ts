import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { fault } from '@emma/contract/faults.ts'
import { addNotificationOnce, MONTH_HOURS } from '../../notifications/add-notification-once.ts'

export interface UploadQuota {
  bytes_used: number
  bytes_limit: number
  rows_used: number
  rows_limit: number
  resets_at: string
}

/** Upload limits of a client per calendar month (UTC), against mistakes and full disks. */
const LIMITS = { bytes: 50 * 1024 ** 3, rows: 200_000_000 }
type Unit = keyof typeof LIMITS

/** First day of the month (UTC). */
const MONTH = sql`date_trunc('month', now() at time zone 'utc')::date`

export async function readQuota(db: Db, clientId: number): Promise<UploadQuota> {
  const used = await sql<{ bytes: number; rows: number; resets_at: string }>`
    select coalesce(sum(bytes), 0)::bigint as bytes, coalesce(sum(rows), 0)::bigint as rows,
      date_trunc('month', now()) + interval '1 month' as resets_at
    from upload_usage where client_id = ${clientId} and month = ${MONTH}`.execute(db)
  const row = used.rows[0]
  return {
    bytes_used: row?.bytes ?? 0,
    bytes_limit: LIMITS.bytes,
    rows_used: row?.rows ?? 0,
    rows_limit: LIMITS.rows,
    resets_at: row?.resets_at ?? new Date().toISOString(),
  }
}

/** Throws EmmaError `too_large` when the month's quota is used up. */
export async function assertQuota(db: Db, clientId: number): Promise<void> {
  const quota = await readQuota(db, clientId)
  if (quota.bytes_used < quota.bytes_limit && quota.rows_used < quota.rows_limit) return
  throw usedUp(quota)
}

/**
 * Reserves bytes before they are written, or rows before they are imported. Atomic: concurrent uploads cannot exceed
 * the limit together.
 * @throws EmmaError `too_large` when they exceed the month's quota
 */
export async function reserveQuota(db: Db, clientId: number, unit: Unit, amount: number): Promise<void> {
  const column = sql.ref(unit)
  const { numAffectedRows } = await sql`
    insert into upload_usage as used (client_id, month, ${column}) values (${clientId}, ${MONTH}, ${amount})
    on conflict (client_id, month) do update set ${column} = used.${column} + excluded.${column}
    where used.${column} + excluded.${column} <= ${LIMITS[unit]}`.execute(db)
  if (numAffectedRows !== 1n) throw usedUp(await readQuota(db, clientId))
}

/** Returns reserved but unused quota. */
export async function returnQuota(db: Db, clientId: number, unit: Unit, amount: number): Promise<void> {
  const column = sql.ref(unit)
  await sql`
    update upload_usage set ${column} = greatest(0, ${column} - ${amount})
    where client_id = ${clientId} and month = ${MONTH}`.execute(db)
}

function usedUp({ resets_at }: UploadQuota): EmmaError {
  const date = resets_at.slice(0, 10)
  return new EmmaError('too_large', fault('refusal.upload_quota', { date }))
}

/** Notifies users with access to uploads once a month when 90 % of the quota is used. */
export async function warnOfQuota(db: Db, clientId: number): Promise<void> {
  const { bytes_used, bytes_limit, rows_used, rows_limit, resets_at } = await readQuota(db, clientId)
  const share = Math.max(bytes_used / bytes_limit, rows_used / rows_limit)
  if (share < 0.9) return
  const percent = Math.floor(share * 100)
  const date = resets_at.slice(0, 10)
  await transaction(db, tx =>
    addNotificationOnce(
      tx,
      {
        clientId,
        permission: 'DataUpload:get',
        kind: 'warning',
        code: 'upload_quota',
        details: { percent, date },
        text: `${percent} % of this month's uploads are used; the quota resets on ${date}.`,
        path: '/subscribers/dataupload',
      },
      { date },
      MONTH_HOURS,
    ),
  )
}
