import {
  type internalEntry,
  type internalExclude,
  undoMinutes,
} from '@emma/contract/actions/internal-blacklist.ts'
import { EmmaError, fieldError, type FieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../resource/actor.ts'
import { installation, logChange } from '../../resource/log-change.ts'
import { renewInternalEntry } from './renew-entry.ts'
import { readSuppressionValue, suppressionError } from './suppression-value.ts'

export type InternalEntry = z.infer<typeof internalEntry>
export type InternalExclude = z.infer<typeof internalExclude>

interface Query {
  limit: number
  offset: number
  search?: string | undefined
}

/** Entries of the internal blacklist, newest first. The caller checks that the actor is a superadmin. */
export function listInternalEntries(db: Db, query: Query) {
  return readPage<InternalEntry>(db, query, {
    columns: sql`i.value, i.match, i.reason, u.username as added_by, i.created_at, i.expires_at`,
    from: sql`internal_blacklist_entry i left join app_user u on u.id = i.added_by`,
    order: sql`i.value`,
  })
}

/** Exceptions from the internal blacklist, for one client or all. */
export function listInternalExcludes(db: Db, query: Query) {
  return readPage<InternalExclude>(db, query, {
    columns: sql`i.value, i.client_id, c.name as client, i.reason, u.username as added_by, i.created_at`,
    from: sql`internal_blacklist_exclude i left join app_user u on u.id = i.added_by
      left join client c on c.client_id = i.client_id`,
    order: sql`i.value, i.client_id`,
  })
}

async function readPage<Row>(
  db: Db,
  { limit, offset, search }: Query,
  { columns, from, order }: Record<'columns' | 'from' | 'order', RawBuilder<unknown>>,
): Promise<{ data: Row[]; included: []; total: number }> {
  const where = search ? sql`i.value ilike ${likePattern(search)}` : sql`true`
  const { rows } = await sql<Row>`
    select ${columns} from ${from} where ${where}
    order by i.created_at desc, ${order} limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${from} where ${where}`.execute(db)
  return { data: rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

interface Added {
  added: number
  existing: number
}

/**
 * Suppresses addresses and domains for the whole installation. Entries that have expired, or expire earlier, are renewed.
 *
 * @throws EmmaError `invalid` with each value that is neither; nothing is added then
 */
export async function addInternalEntries(
  db: Db,
  actor: Actor,
  {
    values,
    reason,
    expires_at: expiresAt,
  }: {
    values: readonly string[]
    reason?: string | null | undefined
    expires_at?: string | null | undefined
  },
): Promise<Added> {
  const entries = readValues(values)
  return logged(db, actor, 'add entries', entries.length, tx =>
    sql`
      insert into internal_blacklist_entry (value, match, reason, added_by, expires_at)
      select distinct value, match, ${reason ?? null}, ${actor.userId}::bigint, ${expiresAt ?? null}::timestamptz
      from unnest(${entries.map(({ value }) => value)}::text[], ${entries.map(({ match }) => match)}::text[])
        as added (value, match)
      order by value
      ${renewInternalEntry}`.execute(tx),
  )
}

/** Adds exceptions. Throws EmmaError `invalid`, also for a client that does not exist. */
export async function addInternalExcludes(
  db: Db,
  actor: Actor,
  {
    values,
    reason,
    client_id: clientId = null,
  }: {
    values: readonly string[]
    reason?: string | null | undefined
    client_id?: number | null | undefined
  },
): Promise<Added> {
  const entries = readValues(values)
  return logged(db, actor, 'add exceptions', entries.length, async tx => {
    const { rows } =
      await sql`select from client where client_id = ${clientId} and deleted_at is null`.execute(tx)
    if (clientId !== null && rows.length === 0) throw invalid([fieldError('client_id', 'field.not_there')])
    return sql`
      insert into internal_blacklist_exclude (value, client_id, reason, added_by)
      select distinct value, ${clientId}::bigint, ${reason ?? null}, ${actor.userId}::bigint
      from unnest(${entries.map(({ value }) => value)}::text[]) as value
      order by value
      on conflict do nothing`.execute(tx)
  })
}

interface Removed {
  removed: number
  /** For `restoreInternalRemoval`. */
  removal_id: number | null
}

/** Removes an address or domain from the internal list. */
export function removeInternalEntry(db: Db, actor: Actor, value: string): Promise<Removed> {
  return remove(
    db,
    actor,
    'entry',
    sql`delete from internal_blacklist_entry as i where i.value = ${keyOf(value)}`,
  )
}

/** @param clientId null: the exception for all clients */
export function removeInternalExclude(
  db: Db,
  actor: Actor,
  value: string,
  clientId: number | null,
): Promise<Removed> {
  return remove(
    db,
    actor,
    'exclude',
    sql`delete from internal_blacklist_exclude as i
      where i.value = ${keyOf(value)} and i.client_id is not distinct from ${clientId}::bigint`,
  )
}

async function remove(
  db: Db,
  actor: Actor,
  list: 'entry' | 'exclude',
  deletion: RawBuilder<unknown>,
): Promise<Removed> {
  let removalId: number | null = null
  const action = list === 'entry' ? 'remove entries' : 'remove exceptions'
  const { added: removed } = await logged(db, actor, action, 0, async tx => {
    const { rows } = await sql<{ removal_id: number }>`
      with gone as (${deletion} returning to_jsonb(i) as row)
      insert into internal_blacklist_removal (list, row) select ${list}, row from gone returning removal_id`.execute(
      tx,
    )
    removalId = rows[0]?.removal_id ?? null
    return { numAffectedRows: BigInt(rows.length) }
  })
  return { removed, removal_id: removalId }
}

/**
 * Undoes a removal: the value comes back with who added it and why. A value that was added again meanwhile stays as it is.
 *
 * @throws EmmaError `not_found` if there is no such removal, or it is too long ago
 */
export async function restoreInternalRemoval(
  db: Db,
  actor: Actor,
  removalId: number,
): Promise<{ restored: number }> {
  const { added: restored } = await logged(db, actor, 'undo removal', 0, async tx => {
    const { rows } = await sql<{ list: string }>`
      with taken as (
        delete from internal_blacklist_removal
        where removal_id = ${removalId} and removed_at > now() - ${undoMinutes} * interval '1 minute'
        returning list, row
      ), entry as (
        insert into internal_blacklist_entry
        select (jsonb_populate_record(null::internal_blacklist_entry, row)).* from taken where list = 'entry'
        on conflict do nothing
      ), exclude as (
        insert into internal_blacklist_exclude
        select (jsonb_populate_record(null::internal_blacklist_exclude, row)).* from taken where list = 'exclude'
        on conflict do nothing
      )
      select list from taken`.execute(tx)
    if (rows.length === 0) throw new EmmaError('not_found')
    return { numAffectedRows: BigInt(rows.length) }
  })
  return { restored }
}

/** Deletes what removals kept for their undo. */
export async function deleteOldRemovals(db: Db): Promise<void> {
  await sql`delete from internal_blacklist_removal
    where removed_at < now() - ${undoMinutes} * interval '1 minute'`.execute(db)
}

function keyOf(value: string): string {
  return value.trim().toLowerCase()
}

/** Runs a write and logs the number of changed rows. */
function logged(
  db: Db,
  actor: Actor,
  action: string,
  requested: number,
  write: (tx: Db) => Promise<{ numAffectedRows?: bigint }>,
): Promise<Added> {
  return transaction(db, async tx => {
    const changed = Number((await write(tx)).numAffectedRows ?? 0)
    const object = { clientId: installation, object: 'internal_blacklist', id: 0 }
    await logChange(tx, actor, { ...object, action, changes: { entries: [0, changed] } })
    return { added: changed, existing: Math.max(0, requested - changed) }
  })
}

function readValues(values: readonly string[]): { value: string; match: 'email' | 'domain' }[] {
  const errors: FieldError[] = []
  const entries = values.flatMap((text, index) => {
    const match = text.trim().lastIndexOf('@') > 0 ? 'email' : 'domain'
    const read = readSuppressionValue(match, text)
    if (read.ok) return [{ value: read.value, match } as const]
    errors.push(suppressionError(index, text, read.fault))
    return []
  })
  if (errors.length > 0) throw invalid(errors.slice(0, 100))
  return [...new Map(entries.map(entry => [entry.value, entry])).values()]
}
