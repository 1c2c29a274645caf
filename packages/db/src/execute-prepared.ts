import type { CompiledQuery, QueryResult } from 'kysely'
import type { ClientBase } from 'pg'

/** Names of prepared statements by their texts: as many as there are calls of `executePrepared` in the code. */
const names = new Map<string, string>()

/**
 * Executes a statement that PostgreSQL parses and plans once a connection: for one of every request, whose text is
 * always the same, and whose plan does not depend on its values (a lookup by key).
 */
export async function executePrepared<Row>(db: Executor, statement: CompiledQuery<Row>): Promise<Row[]> {
  if (!names.has(statement.sql)) names.set(statement.sql, `emma_${names.size + 1}`)
  const { rows } = await db.executeQuery(statement)
  return rows
}

/** Makes a connection send the statements of `executePrepared` under their names. */
export function nameStatements(client: ClientBase): void {
  const prototype: object = Object.getPrototypeOf(client)
  const query = (statement: unknown, values?: unknown, ...rest: unknown[]): unknown => {
    const name = typeof statement === 'string' ? names.get(statement) : undefined
    const args =
      name === undefined ? [statement, values, ...rest] : [{ name, text: statement, values }, ...rest]
    return Reflect.apply(Reflect.get(prototype, 'query'), client, args)
  }
  Object.assign(client, { query })
}

/** A database or a transaction. */
interface Executor {
  executeQuery<Row>(statement: CompiledQuery<Row>): Promise<QueryResult<Row>>
}
