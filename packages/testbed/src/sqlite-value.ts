import type { SQLOutputValue } from 'node:sqlite'

/** A row of node:sqlite. */
export type SqliteRow = Record<string, SQLOutputValue>

/** An integer or real column; 0 for NULL. */
export function numberOf(value: SQLOutputValue | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
}

/** An integer column that may be NULL. */
export function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return value === null || value === undefined ? null : numberOf(value)
}

/** A text column; '' for NULL. */
export function textOf(value: SQLOutputValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** A blob column; empty for NULL. */
export function bytesOf(value: SQLOutputValue | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array()
}
