import { statfs } from 'node:fs/promises'
import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { reserveQuota, returnQuota } from './quota.ts'
import { UploadError } from './upload-error.ts'

/** Bytes reserved at a time. */
const BLOCK = 16 * 1024 ** 2

/** Share of the disk that is kept free, as PostgreSQL stops when it is full; 10 GB at most. */
const FREE_SHARE = 0.1
const FREE_BYTES = 10 * 1024 ** 3

/** Reserves quota and disk space for an upload whose size is only known at its end. */
export interface UploadReservation {
  /**
   * Call it before writing these bytes.
   * @throws EmmaError `too_large` (the month's quota), `disk_full`
   */
  reserve(bytes: number): Promise<void>
  /** Returns reserved but unwritten bytes. Written bytes stay counted, whatever the result of the upload. */
  end(): Promise<void>
}

/** @param folder must exist from the first `reserve` on */
export function createUploadReservation(db: Db, clientId: number, folder: string): UploadReservation {
  let left = 0
  return {
    async reserve(bytes) {
      if (bytes > left) {
        const block = Math.max(BLOCK, bytes - left)
        await assertDiskSpace(folder)
        await reserveQuota(db, clientId, 'bytes', block)
        left += block
      }
      left -= bytes
    },
    async end() {
      const rest = left
      left = 0
      if (rest > 0) await returnQuota(db, clientId, 'bytes', rest)
    },
  }
}

/** Rows reserved at a time; near the limit, only as many as needed. */
const ROW_BLOCK = 10_000

/**
 * Reserves the month's rows for an import whose number of rows is only known at its end. Rows of an upload count once:
 * a retry after a failure or crash only reserves rows beyond those counted or reserved already.
 */
export interface RowReservation {
  /**
   * Call it for all rows read so far, before they are sent to the database.
   * @throws UploadError when the month's quota is used up
   */
  reserve(read: number): Promise<void>
  /** Returns reserved but unread rows; with `keepsNothing` (a test) all rows that this run reserved. */
  end(keepsNothing: boolean): Promise<void>
}

/** Creates the reservation; only for the process that holds the upload's lock. */
export async function createRowReservation(
  db: Db,
  upload: { client_id: number; id: number },
): Promise<RowReservation> {
  const found = await readRows(db, upload)
  const counted = found.rows_counted
  let reserved = counted + found.rows_reserved
  let used = counted
  async function take(rows: number): Promise<void> {
    await transaction(db, async tx => {
      await reserveQuota(tx, upload.client_id, 'rows', rows)
      await setRows(tx, upload, { rows_reserved: reserved + rows - counted })
    })
    reserved += rows
  }
  return {
    async reserve(read) {
      const missing = read - reserved
      if (missing > 0)
        try {
          if (missing >= ROW_BLOCK) await take(missing)
          else await take(ROW_BLOCK).catch(() => take(missing))
        } catch (error) {
          throw error instanceof EmmaError && error.fault ? new UploadError(error.fault) : error
        }
      used = Math.max(used, read)
    },
    async end(keepsNothing) {
      const kept = keepsNothing ? counted : used
      await transaction(db, async tx => {
        if (reserved > kept) await returnQuota(tx, upload.client_id, 'rows', reserved - kept)
        await setRows(tx, upload, { rows_counted: kept, rows_reserved: 0 })
      })
    },
  }
}

async function readRows(db: Db, { client_id, id }: { client_id: number; id: number }) {
  return await db
    .selectFrom('data_upload')
    .select(['rows_counted', 'rows_reserved'])
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function setRows(
  tx: Db,
  { client_id, id }: { client_id: number; id: number },
  rows: { rows_counted?: number; rows_reserved: number },
): Promise<void> {
  await tx
    .updateTable('data_upload')
    .set(rows)
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .execute()
}

async function assertDiskSpace(folder: string): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(folder)
  if (isDiskLow(bavail * bsize, blocks * bsize)) throw new EmmaError('disk_full')
}

/** @param free free and total space, in bytes */
export function isDiskLow(free: number, total: number): boolean {
  return free < Math.min(total * FREE_SHARE, FREE_BYTES)
}
