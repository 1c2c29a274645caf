import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'

export interface UploadQuota {
  bytes_used: number
  bytes_limit: number
  rows_used: number
  rows_limit: number
  resets_at: string
}

/** What one client may upload in a calendar month (UTC): a bound against mistakes and full disks. */
const BYTES = 50 * 1024 ** 3
const ROWS = 200_000_000

export async function readQuota(sql: Sql, clientId: number): Promise<UploadQuota> {
  const used = await raw<{ bytes: number; read: number; resets_at: string }>`
    select coalesce(sum(size), 0) as bytes, coalesce(sum(rows_read), 0) as read,
      date_trunc('month', now()) + interval '1 month' as resets_at
    from data_upload where client_id = ${clientId} and created_at >= date_trunc('month', now())`.execute(sql)
  const row = used.rows[0]
  return {
    bytes_used: row?.bytes ?? 0,
    bytes_limit: BYTES,
    rows_used: row?.read ?? 0,
    rows_limit: ROWS,
    resets_at: row?.resets_at ?? new Date().toISOString(),
  }
}

/** Throws EmmaError `too_large` when the month is used up. */
export async function assertQuota(sql: Sql, clientId: number): Promise<void> {
  const quota = await readQuota(sql, clientId)
  if (quota.bytes_used < quota.bytes_limit && quota.rows_used < quota.rows_limit) return
  throw new EmmaError(
    'too_large',
    `This month's uploads are used up; they begin anew on ${quota.resets_at.slice(0, 10)}`,
  )
}
