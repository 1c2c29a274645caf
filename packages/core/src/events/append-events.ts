import { copyRows } from '@emma/db/copy.ts'
import type { Pool, PoolClient } from '@emma/db/connection.ts'
import { eventColumns, type NewEvent } from './event.ts'

/** Appends to the event log, all or none. Removes NUL and lone surrogates, which PostgreSQL cannot store. */
export async function appendEvents(pool: Pool, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const client = await pool.connect()
  try {
    await copyEvents(client, events)
  } finally {
    client.release()
  }
}

/** `appendEvents` on an existing connection, for use in its transaction. */
export async function copyEvents(client: PoolClient, events: readonly NewEvent[]): Promise<void> {
  await copyRows(
    client,
    'event',
    [...eventColumns],
    events.map(event => eventColumns.map(column => storable(event[column]))),
  )
}

function storable(value: NewEvent[(typeof eventColumns)[number]]) {
  if (typeof value === 'string') return value.replaceAll('\u0000', '').toWellFormed()
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value
}
