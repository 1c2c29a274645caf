import type { Sql } from '@emma/db/connection.ts'
import type { Actor } from './actor.ts'

/** The client number of what belongs to no client: users, roles, settings of the installation. */
export const installation = 0

/** What happened to a record, by whom: the audit log, and the c-m-u-history (R173). `changes`: field → [before, after]. */
export interface Change {
  clientId: number
  object: string
  id: number
  action: string
  changes?: Record<string, [unknown, unknown]>
}

/** Writes the change into the log, in the transaction that made it. */
export async function logChange(sql: Sql, actor: Actor, change: Change): Promise<void> {
  const { trail } = actor
  await sql
    .insertInto('change_log')
    .values({
      client_id: change.clientId,
      user_id: actor.userId,
      object: change.object,
      object_id: change.id,
      action: change.action,
      changes: JSON.stringify(change.changes ?? {}, withoutSecrets),
      ip: trail?.ip ?? null,
      request_id: trail?.requestId ?? null,
      token_id: trail?.tokenId ?? null,
      view_role: trail?.viewRole ?? null,
    })
    .execute()
  if (trail) trail.isLogged = true
}

/** Secrets never enter the log, however deep they are in a value. */
function withoutSecrets(name: string, value: unknown): unknown {
  return isSecret(name) ? undefined : value
}

/** What differs of the named fields. */
export function difference(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  names: readonly string[],
): Record<string, [unknown, unknown]> {
  const changed = names.filter(
    name => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )
  return Object.fromEntries(changed.map(name => [name, [before[name] ?? null, after[name] ?? null]]))
}

/** Fields whose values are nobody's to read, by their names. */
export function isSecret(name: string): boolean {
  return /password|secret|private|api_?key/i.test(name)
}
