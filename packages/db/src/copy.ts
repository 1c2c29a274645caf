import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { escapeIdentifier, type ClientBase } from 'pg'
import { from, to } from 'pg-copy-streams'

/** Value of a COPY cell. JSON is passed as its text, an array as PostgreSQL's literal (`{1,2}`). */
export type CopyValue = string | number | bigint | boolean | Date | Uint8Array | null | undefined

/**
 * Inserts rows by COPY (hundreds of thousands of rows a second), with backpressure on `rows`. All or nothing: if a
 * row or the source fails, nothing is inserted and the connection stays usable.
 * @param table name, with its schema if needed: `['import', 'row']`
 * @returns the number of inserted rows
 * @throws DatabaseError (a constraint violation, a value of the wrong type, a NUL character), or the source's error
 */
export async function copyRows(
  client: ClientBase,
  table: string | [schema: string, table: string],
  columns: string[],
  rows: Iterable<CopyValue[]> | AsyncIterable<CopyValue[]>,
): Promise<number> {
  const target = [table].flat().map(escapeIdentifier).join('.')
  const stream = client.query(from(`copy ${target} (${columns.map(escapeIdentifier).join(', ')}) from stdin`))
  await pipeline(Readable.from(chunks(rows), { objectMode: true }), stream)
  return stream.rowCount
}

/** Raw COPY input: `statement` is `COPY … FROM STDIN`; write bytes in its format, wait for `finish` or `error`. */
export function copyFrom(client: ClientBase, statement: string): Writable & { rowCount: number } {
  return client.query(from(statement))
}

/** COPY output: `statement` is `COPY (…) TO STDOUT`; returns a stream of bytes in its format. */
export function copyTo(client: ClientBase, statement: string): Readable {
  return client.query(to(statement))
}

/** Formats a row in COPY's text format: cells separated by tabs, ended by a line feed. */
function formatRow(values: CopyValue[]): string {
  return `${values.map(formatValue).join('\t')}\n`
}

function formatValue(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Testing first makes it fast: hardly any cell has one of the four. */
function escapeText(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, found => ESCAPES[found] ?? found) : text
}

/** Characters per write: a write per row would cost more than the row. */
const CHUNK = 65_536

async function* chunks(rows: Iterable<CopyValue[]> | AsyncIterable<CopyValue[]>): AsyncGenerator<string> {
  let chunk = ''
  for await (const row of rows) {
    chunk += formatRow(row)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
