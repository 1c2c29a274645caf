import type { Resource } from '@emma/contract/define-resource.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Database } from '@emma/db/database-types.ts'
import { sql } from 'kysely'
import type { Actor } from './actor.ts'
import { logChange } from './log-change.ts'

/** A table of which one row of a client (and of a group, by columns) is the default: column `is_default`. */
interface DefaultTable {
  resource: Resource
  table: keyof Database
}

/** The rows that share one default. */
interface Group {
  clientId: number
  /** Values by column; none if the client has one default. */
  of?: Readonly<Record<string, string>>
}

/**
 * Takes the default away from its present owner, before another takes its place. Writers of one client are serialized,
 * so that the unique index rejects none of them.
 */
export async function clearDefault(
  tx: Db,
  actor: Actor,
  { resource, table }: DefaultTable,
  { clientId, of = {} }: Group,
  except = 0,
): Promise<void> {
  const key = sql.ref(resource.key)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`default of ${table} ${clientId}`}, 0))`.execute(
    tx,
  )
  const matches = Object.entries(of).map(([column, value]) => sql`and ${sql.ref(column)} = ${value}`)
  const cleared = await sql<{ id: number }>`
    update ${sql.table(table)}
    set is_default = false, updated_at = now(), updated_by = ${actor.userId}, revision = revision + 1
    where client_id = ${clientId} ${sql.join(matches, sql` `)}
      and is_default and deleted_at is null and ${key} <> ${except}
    returning ${key} as id`.execute(tx)
  for (const { id } of cleared.rows)
    await logChange(tx, actor, {
      clientId,
      object: resource.name,
      id,
      action: 'update',
      changes: { is_default: [true, false] },
    })
}

/** A deleted default whose place was taken meanwhile is restored as one record among others. */
export async function yieldDefault(
  tx: Db,
  { resource, table }: DefaultTable,
  id: number,
  columns: readonly string[] = [],
): Promise<void> {
  const same = columns.map(column => sql`and other.${sql.ref(column)} = r.${sql.ref(column)}`)
  await sql`
    update ${sql.table(table)} as r set is_default = false
    where r.${sql.ref(resource.key)} = ${id} and r.is_default and r.deleted_at is not null and exists (
      select from ${sql.table(table)} as other
      where other.client_id = r.client_id ${sql.join(same, sql` `)}
        and other.is_default and other.deleted_at is null)`.execute(tx)
}
