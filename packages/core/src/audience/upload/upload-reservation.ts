import { statfs } from 'node:fs/promises'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { reserveQuota, returnQuota } from './quota.ts'
import { UploadError } from './upload-error.ts'

/** Bytes reserved in one statement. */
const BLOCK = 16 * 1024 ** 2

/** Of the disk, kept free: PostgreSQL stops when it is full. At most 10 GB, which is enough on large disks. */
const FREE_SHARE = 0.1
const FREE_BYTES = 10 * 1024 ** 3

/** Reserves quota and disk for an upload whose size is known at its end only. */
export interface UploadReservation {
  /**
   * Before these bytes are written.
   * @throws EmmaError `too_large` (the month's quota), `disk_full`
   */
  reserve(bytes: number): Promise<void>
  /** Returns what was reserved and not written. Written bytes stay counted, whatever becomes of the upload. */
  end(): Promise<void>
}

/** @param folder exists from the first `reserve` on */
export function createUploadReservation(db: Sql, clientId: number, folder: string): UploadReservation {
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

/** Rows reserved in one statement; near the limit, as many as are needed. */
const ROW_BLOCK = 10_000

/** Reserves the month's rows for an import whose rows are known at its end only. */
export interface RowReservation {
  /**
   * For all rows read so far, before they go to the database.
   * @throws UploadError when the month is used up
   */
  reserve(read: number): Promise<void>
  /** Returns what was reserved and not read; with `keepsNothing` (a test, an import that begins again) all of it. */
  end(keepsNothing: boolean): Promise<void>
}

export function createRowReservation(db: Sql, clientId: number): RowReservation {
  let reserved = 0
  let used = 0
  async function take(rows: number): Promise<void> {
    await reserveQuota(db, clientId, 'rows', rows)
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
          throw error instanceof EmmaError ? new UploadError(error.message) : error
        }
      used = read
    },
    async end(keepsNothing) {
      const rest = reserved - (keepsNothing ? 0 : used)
      reserved = 0
      if (rest > 0) await returnQuota(db, clientId, 'rows', rest)
    },
  }
}

async function assertDiskSpace(folder: string): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(folder)
  if (isDiskLow(bavail * bsize, blocks * bsize)) throw new EmmaError('disk_full')
}

/** @param free and total in bytes */
export function isDiskLow(free: number, total: number): boolean {
  return free < Math.min(total * FREE_SHARE, FREE_BYTES)
}
