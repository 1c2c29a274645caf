import type { DocumentBody, documentQuery, StoredDocument } from '@emma/contract/actions/documents.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { compileSelector, sortKeys } from './compile-selector.ts'
import { badDocumentRequest, DocumentError } from './document-error.ts'
import { type DocumentDatabase, of } from './read-documents.ts'

/** Statement timeout in milliseconds, which also bounds pattern matching. */
const timeLimit = 2_000

/**
 * `POST _find`: existing documents that match the selector, in the order of `sort` (documents without the field last),
 * 25 by default. The response's `bookmark` leads to the next page.
 *
 * @throws DocumentError `bad_request` for an invalid selector or pattern, `invalid_bookmark`, `timeout` after 2 s
 */
export async function findDocuments(
  db: Db,
  database: DocumentDatabase,
  query: z.output<typeof documentQuery>,
): Promise<{ docs: DocumentBody[]; bookmark: string; warning?: string }> {
  const { selector, limit, sort = [], fields } = query
  const skip = query.skip + offsetOf(query.bookmark)
  const condition = compileSelector(selector)
  const order = sort.map(orderOf)
  const { rows } = await bounded(db, tx =>
    sql<{ doc: StoredDocument }>`
      select doc from (
        select id, body || jsonb_build_object('_id', id, '_rev', rev) as doc from document
        where ${of(database)} and not deleted offset 0
      ) as documents
      where ${condition}
      order by ${sql.join([...order, sql`id collate "C"`])}
      limit ${limit} offset ${skip}`.execute(tx),
  )
  return {
    docs: rows.map(({ doc }) => (fields ? pick(doc, fields) : doc)),
    bookmark: rows.length === 0 ? (query.bookmark ?? 'nil') : `skip-${skip + rows.length}`,
  }
}

function orderOf(sort: string | Record<string, 'asc' | 'desc'>) {
  const [field, direction] =
    typeof sort === 'string' ? [sort, 'asc'] : (Object.entries(sort)[0] ?? ['_id', 'asc'])
  const word = sql.raw(direction === 'desc' ? 'desc nulls last' : 'asc nulls last')
  return sql`${sql.join(sortKeys(field).map(key => sql`${key} ${word}`))}`
}

/** Offset stored in a bookmark: the end of its page. */
function offsetOf(bookmark: string | null | undefined): number {
  if (!bookmark || bookmark === 'nil') return 0
  const skip = /^skip-(\d{1,9})$/.exec(bookmark)?.[1]
  if (skip === undefined) throw new DocumentError(400, 'invalid_bookmark', 'Invalid bookmark value')
  return Number(skip)
}

/** Runs a query with the timeout. Converts invalid patterns and timeouts, which are client errors, to a DocumentError. */
async function bounded<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await transaction(db, async tx => {
      await sql`select set_config('statement_timeout', ${String(timeLimit)}, true)`.execute(tx)
      return work(tx)
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '2201B') throw badDocumentRequest('The pattern of $regex is not valid')
    if (code === '57014')
      throw new DocumentError(408, 'timeout', 'The query takes too long; ask for less, or a simpler pattern')
    throw error
  }
}

/** Copies only the named fields of a document; `a.b` selects `b` inside `a`. */
function pick(document: DocumentBody, fields: readonly string[]): DocumentBody {
  const picked: DocumentBody = {}
  for (const field of fields) put(picked, document, field.split('.'))
  return picked
}

function put(into: DocumentBody, from: DocumentBody, [name = '', ...rest]: readonly string[]): void {
  const value = from[name]
  if (value === undefined || !Object.hasOwn(from, name)) return
  if (rest.length === 0) {
    into[name] = value
    return
  }
  if (!isObject(value)) return
  const known = into[name]
  const inner = isObject(known) ? known : {}
  put(inner, value, rest)
  if (Object.keys(inner).length > 0) into[name] = inner
}

function isObject(value: unknown): value is DocumentBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
