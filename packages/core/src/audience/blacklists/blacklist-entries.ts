import type { listBlacklistEntries } from '@emma/contract/actions/audience.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'
import type { Page } from '../../resource/operations.ts'
import { isInForce, renewEntry } from './renew-entry.ts'
import { type BlacklistMatch, readSuppressionValue, suppressionError } from './suppression-value.ts'
import { fault } from '@emma/contract/faults.ts'

type Entry = Answer<typeof listBlacklistEntries>['data'][number]

/** The fields of a suppression list that its entries depend on. */
export interface Blacklist {
  client_id: number
  blacklist_id: number
  name: string
  match: BlacklistMatch
}

/** Reads a suppression list. Throws EmmaError `not_found`, also for another tenant's. */
export async function readBlacklist(db: Db, scope: TenantScope, blacklistId: number): Promise<Blacklist> {
  let query = db
    .selectFrom('blacklist')
    .select(['client_id', 'blacklist_id', 'name', 'match'])
    .where('blacklist_id', '=', blacklistId)
    .where('deleted_at', 'is', null)
  if (scope.clientIds !== 'all') query = query.where('client_id', 'in', [...scope.clientIds, -1])
  const found = await query.executeTakeFirst()
  if (!found) throw new EmmaError('not_found', fault('refusal.no_blacklist'))
  return { ...found, match: asMatch(found.match) }
}

/** A page of a list's entries, newest first. `search`: part of the value. */
export async function listEntries(
  db: Db,
  scope: TenantScope,
  blacklistId: number,
  { limit, offset, search }: { limit: number; offset: number; search: string | null },
): Promise<Page<Entry>> {
  const list = await readBlacklist(db, scope, blacklistId)
  const where = sql`e.client_id = ${list.client_id} and e.blacklist_id = ${list.blacklist_id}
    ${search === null ? sql`` : sql`and e.value ilike ${likePattern(search)}`}`
  const rows = await sql<Entry>`
    select e.value, e.reason, e.source, u.username as added_by, e.created_at, e.expires_at
    from blacklist_entry as e left join app_user as u on u.id = e.added_by
    where ${where} order by e.created_at desc, e.value limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from blacklist_entry as e where ${where}`.execute(db)
  return { data: rows.rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

export interface NewEntries {
  values: readonly string[]
  reason?: string | null | undefined
  expires_at?: string | null | undefined
}

/**
 * Adds values to a list. Entries that have expired, or expire earlier than the new ones, are renewed.
 *
 * @returns existing: values that were suppressed already; added: all others
 * @throws EmmaError `invalid` with each value that is no address (domain, digest); nothing is added then
 */
export async function addEntries(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  blacklistId: number,
  entries: NewEntries,
): Promise<Added> {
  const list = await readBlacklist(db, scope, blacklistId)
  return transaction(db, tx => insertEntries(tx, actor, list, entries))
}

export interface Added {
  added: number
  existing: number
}

/** `addEntries` for a list that was read. `multi_id`: the multi-blacklist that new entries belong to. */
export async function insertEntries(
  tx: Db,
  actor: Actor,
  list: Blacklist,
  { values, reason, expires_at, multi_id }: NewEntries & { multi_id?: number },
): Promise<Added> {
  const requested = [...new Set(readValues(list.match, values))]
  const { rows } = await sql<{ existing: number; inserted: number }>`
    with existing as (
      select from blacklist_entry as e
      where e.client_id = ${list.client_id} and e.blacklist_id = ${list.blacklist_id}
        and e.value = any(${requested}::text[]) and ${isInForce(sql.ref('e.expires_at'))}
    ), written as (
      insert into blacklist_entry (client_id, blacklist_id, value, reason, source, added_by, expires_at, multi_id)
      select ${list.client_id}::bigint, ${list.blacklist_id}::bigint, value, ${reason ?? null},
        ${multi_id === undefined ? 'console' : 'multi'}, ${actor.userId}::bigint, ${expires_at ?? null}::timestamptz,
        ${multi_id ?? null}::bigint
      from unnest(${requested}::text[]) as value
      order by value
      ${renewEntry}
      returning xmax = 0 as is_new
    )
    select (select count(*) from existing) as existing, count(*) filter (where is_new) as inserted
    from written`.execute(tx)
  const { existing = 0, inserted = 0 } = rows[0] ?? {}
  const added = requested.length - existing
  await moveCount(tx, list, inserted)
  await logEntries(tx, actor, list, 'add entries', [0, added])
  return { added, existing }
}

/** Removes values from a list; ignores values that are not on it. */
export async function removeEntries(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  blacklistId: number,
  values: readonly string[],
): Promise<{ removed: number }> {
  const list = await readBlacklist(db, scope, blacklistId)
  return transaction(db, async tx => {
    const gone = await tx
      .deleteFrom('blacklist_entry')
      .where('client_id', '=', list.client_id)
      .where('blacklist_id', '=', list.blacklist_id)
      .where('value', 'in', [...readValues(list.match, values), ''])
      .executeTakeFirst()
    const removed = Number(gone.numDeletedRows)
    await moveCount(tx, list, -removed)
    await logEntries(tx, actor, list, 'remove entries', [removed, 0])
    return { removed }
  })
}

/** Removes the entries that a multi-blacklist added to a list. */
export async function removeEntriesOf(
  tx: Db,
  actor: Actor,
  list: Blacklist,
  multiId: number,
): Promise<number> {
  const gone = await tx
    .deleteFrom('blacklist_entry')
    .where('client_id', '=', list.client_id)
    .where('blacklist_id', '=', list.blacklist_id)
    .where('multi_id', '=', multiId)
    .executeTakeFirst()
  const removed = Number(gone.numDeletedRows)
  await moveCount(tx, list, -removed)
  await logEntries(tx, actor, list, 'remove entries', [removed, 0])
  return removed
}

/** @param entries number of entries before and after */
async function logEntries(
  tx: Db,
  actor: Actor,
  list: Blacklist,
  action: string,
  entries: [number, number],
): Promise<void> {
  const { client_id: clientId, blacklist_id: id } = list
  await logChange(tx, actor, { clientId, object: 'blacklist', id, action, changes: { entries } })
}

async function moveCount(tx: Db, list: Blacklist, by: number): Promise<void> {
  await tx
    .updateTable('blacklist')
    .set(eb => ({ count: eb('count', '+', by), updated_at: new Date() }))
    .where('client_id', '=', list.client_id)
    .where('blacklist_id', '=', list.blacklist_id)
    .execute()
}

function readValues(match: BlacklistMatch, values: readonly string[]): string[] {
  const errors: FieldError[] = []
  const read = values.flatMap((value, index) => {
    const result = readSuppressionValue(match, value)
    if (result.ok) return [result.value]
    errors.push(suppressionError(index, value, result.fault))
    return []
  })
  if (errors.length > 0) throw invalid(errors.slice(0, 100))
  return read
}

function asMatch(text: string): BlacklistMatch {
  return text === 'domain' || text === 'md5' || text === 'sha256' ? text : 'email'
}
