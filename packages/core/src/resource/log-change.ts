import type { Db } from '@emma/db/connection.ts'
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
export async function logChange(db: Db, actor: Actor, change: Change): Promise<void> {
  const { trail } = actor
  await db
    .insertInto('change_log')
    .values({
      client_id: change.clientId,
      user_id: actor.userId,
      object: change.object,
      object_id: change.id,
      action: change.action,
      changes: JSON.stringify(bounded(change.changes ?? {})),
      ip: trail?.ip ?? null,
      request_id: trail?.requestId ?? null,
      token_id: trail?.tokenId ?? null,
      view_role: trail?.viewRole ?? null,
    })
    .execute()
  if (trail) trail.isLogged = true
}

/** Characters of a value, as JSON, that the log keeps whole, and those that it keeps of a longer one. */
const LONGEST_VALUE = 16_000
const KEPT_OF_LONGER = 1_000

/** The log tells what changed; it is no second copy of templates, images and settings, which would be kept for ever. */
function bounded(changes: Record<string, [unknown, unknown]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([name]) => !isSecret(name))
      .map(([name, values]) => [name, values.map(shortened)]),
  )
}

function shortened(value: unknown): unknown {
  const json = JSON.stringify(value, withoutSecrets) ?? 'null'
  if (json.length <= LONGEST_VALUE) return JSON.parse(json)
  const text = typeof value === 'string' ? value : json
  return `${text.slice(0, KEPT_OF_LONGER).toWellFormed()}… (${text.length} characters)`
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
