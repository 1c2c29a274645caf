import { copyRows } from '@emma/db/copy.ts'
import type { Pool } from '@emma/db/connection.ts'
import { eventColumns, type NewEvent } from './event.ts'

/** Appends to the event log, all or none. NUL and lone surrogates, which PostgreSQL cannot keep, are taken out. */
export async function appendEvents(pool: Pool, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const client = await pool.connect()
  try {
    await copyRows(
      client,
      'event',
      [...eventColumns],
      events.map(event => eventColumns.map(column => storable(event[column]))),
    )
  } finally {
    client.release()
  }
}

function storable<T>(value: T): T | string {
  return typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value
}
