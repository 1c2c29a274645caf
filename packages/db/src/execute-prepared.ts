import type { CompiledQuery, QueryResult } from 'kysely'
import type { ClientBase } from 'pg'

/** Names of prepared statements by their texts, of which the code has a few. */
const names = new Map<string, string>()

/**
 * Executes a statement that PostgreSQL parses and plans once a connection: for one of every request, whose plan does not
 * depend on its values (a lookup by key).
 */
export async function executePrepared<Row>(db: Executor, statement: CompiledQuery<Row>): Promise<Row[]> {
  if (!names.has(statement.sql)) names.set(statement.sql, `emma_${names.size + 1}`)
  const { rows } = await db.executeQuery(statement)
  return rows
}

/** Makes a connection send the statements of `executePrepared` under their names. */
export function nameStatements(client: ClientBase): void {
  const query: Query = client.query.bind(client)
  const named: Query = (statement, values, ...rest) => {
    const name = typeof statement === 'string' ? names.get(statement) : undefined
    return name === undefined
      ? query(statement, values, ...rest)
      : query({ name, text: statement, values }, ...rest)
  }
  Object.assign(client, { query: named })
}

/** A database or a transaction. */
interface Executor {
  executeQuery<Row>(statement: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

type Query = (...args: unknown[]) => unknown
