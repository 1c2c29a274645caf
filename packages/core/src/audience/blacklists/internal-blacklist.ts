import type { internalEntry, internalExclude } from '@emma/contract/actions/internal-blacklist.ts'
import { fieldError, type FieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../resource/actor.ts'
import { installation, logChange } from '../../resource/log-change.ts'
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
    columns: sql`i.value, i.match, i.reason, u.username as added_by, i.created_at`,
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
 * Suppresses addresses and domains for the whole installation.
 *
 * @throws EmmaError `invalid` with each value that is neither; nothing is added then
 */
export async function addInternalEntries(
  db: Db,
  actor: Actor,
  { values, reason }: { values: readonly string[]; reason?: string | null | undefined },
): Promise<Added> {
  const entries = readValues(values)
  return logged(db, actor, 'add entries', entries.length, tx =>
    sql`
      insert into internal_blacklist_entry (value, match, reason, added_by)
      select distinct value, match, ${reason ?? null}, ${actor.userId}::bigint
      from unnest(${entries.map(({ value }) => value)}::text[], ${entries.map(({ match }) => match)}::text[])
        as added (value, match)
      order by value
      on conflict do nothing`.execute(tx),
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

export async function removeInternalEntry(db: Db, actor: Actor, value: string): Promise<{ removed: number }> {
  const { added: removed } = await logged(db, actor, 'remove entries', 0, tx =>
    sql`delete from internal_blacklist_entry where value = ${value.trim().toLowerCase()}`.execute(tx),
  )
  return { removed }
}

/** @param clientId null: the exception for all clients */
export async function removeInternalExclude(
  db: Db,
  actor: Actor,
  value: string,
  clientId: number | null,
): Promise<{ removed: number }> {
  const { added: removed } = await logged(db, actor, 'remove exceptions', 0, tx =>
    sql`
      delete from internal_blacklist_exclude
      where value = ${value.trim().toLowerCase()} and client_id is not distinct from ${clientId}::bigint`.execute(
      tx,
    ),
  )
  return { removed }
}

/** Runs a write and logs the number of changed rows. */
function logged(
  db: Db,
  actor: Actor,
  action: string,
  asked: number,
  write: (tx: Db) => Promise<{ numAffectedRows?: bigint }>,
): Promise<Added> {
  return transaction(db, async tx => {
    const changed = Number((await write(tx)).numAffectedRows ?? 0)
    const object = { clientId: installation, object: 'internal_blacklist', id: 0 }
    await logChange(tx, actor, { ...object, action, changes: { entries: [0, changed] } })
    return { added: changed, existing: Math.max(0, asked - changed) }
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
