import type { Resource } from '@emma/contract/define-resource.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Database } from '@emma/db/database-types.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Removal } from './operations.ts'

interface Referrer {
  resource: Resource
  /** Default: the name of the resource. */
  table?: keyof Database
  /** Condition (SQL, columns of `table`) for references that count; default: all. */
  where?: RawBuilder<unknown>
}

/** Records of a resource that refer to a row by one of their columns, or by a condition on their columns. */
export type Reference = Referrer & ({ column: string } | { refers: (id: number) => RawBuilder<unknown> })

/** Records of a client that refer to the row with this key: at most 10 per reference, each once. */
export async function findReferences(
  db: Db,
  references: readonly Reference[],
  { clientId, id }: { clientId: number | null; id: number },
): Promise<Removal['references']> {
  const found = await Promise.all(references.map(reference => findReferrers(db, reference, clientId, id)))
  const unique = new Map(found.flat().map(referrer => [`${referrer.type} ${referrer.id}`, referrer]))
  return [...unique.values()]
}

async function findReferrers(db: Db, reference: Reference, clientId: number | null, id: number) {
  const { resource, where = sql`true` } = reference
  const { name: type, key, label } = resource
  const refers = 'column' in reference ? sql`${sql.ref(reference.column)} = ${id}` : reference.refers(id)
  const { rows } = await sql<{ id: number; name: string }>`
    select ${sql.ref(key)} as id, ${sql.ref(label)} as name from ${sql.table(reference.table ?? type)}
    where client_id = ${clientId} and ${refers} and deleted_at is null and ${where}
    order by ${sql.ref(key)} limit 10`.execute(db)
  return rows.map(row => ({ type, ...row }))
}
