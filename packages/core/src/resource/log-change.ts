import type { Db } from '@emma/db/connection.ts'
import type { Actor } from './actor.ts'

/** Client number for records without a client: users, roles, settings of the installation. */
export const installation = 0

/** An entry of the audit log, also used for c-m-u-history (R173). `changes`: field → [before, after]. */
export interface Change {
  clientId: number
  object: string
  id: number
  action: string
  changes?: Record<string, [unknown, unknown]>
}

/** Writes a change to the audit log, in the transaction that made it. */
export async function logChange(db: Db, actor: Actor, change: Change): Promise<void> {
  await changeEntry(db, actor, change).execute()
  if (actor.trail) actor.trail.isLogged = true
}

/** INSERT of a change, for transactions outside Kysely. */
export function changeEntry(db: Db, { userId, trail }: Actor, change: Change) {
  return db.insertInto('change_log').values({
    client_id: change.clientId,
    user_id: userId,
    object: change.object,
    object_id: change.id,
    action: change.action,
    changes: JSON.stringify(bounded(change.changes ?? {})),
    ip: trail?.ip ?? null,
    request_id: trail?.requestId ?? null,
    token_id: trail?.tokenId ?? null,
    view_role: trail?.viewRole ?? null,
  })
}

/** Values up to the first length (characters of JSON) are logged whole, longer ones are cut to the second. */
const LONGEST_VALUE = 16_000
const KEPT_OF_LONGER = 1_000

/**
 * Shortens long values and removes secrets: the log must not become a permanent copy of templates, images and settings.
 */
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

/** JSON replacer that removes secrets at any depth. */
function withoutSecrets(name: string, value: unknown): unknown {
  return isSecret(name) ? undefined : value
}

/** The named fields that differ, as field → [before, after]. */
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

/** Whether a field holds a secret, by its name. */
export function isSecret(name: string): boolean {
  return /password|secret|private|api_?key/i.test(name)
}
