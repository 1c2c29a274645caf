import type {
  createMultiBlacklist as contract,
  multiBlacklist,
} from '@emma/contract/actions/multi-blacklist.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { accessibleClients, type Actor, canAccessClient, ownClient, scopeOf } from '../../resource/actor.ts'
import type { Page } from '../../resource/operations.ts'
import { type Blacklist, insertEntries, readBlacklist, removeEntriesOf } from './blacklist-entries.ts'

export type MultiBlacklist = z.output<typeof multiBlacklist>
type Input = z.output<typeof contract.body>
type Target = Input['targets'][number]
type StoredTarget = Pick<
  MultiBlacklist['targets'][number],
  'client_id' | 'blacklist_id' | 'added' | 'existing'
>

/** Multi-blacklists of the active client (R210). One with a list of a client that the actor may not access is left out. */
export async function listMultiBlacklists(
  db: Db,
  actor: Actor,
  { limit, offset, search }: { limit: number; offset: number; search?: string | null | undefined },
): Promise<Page<MultiBlacklist>> {
  const { clientIds } = accessibleClients(actor)
  const isForeign =
    clientIds === 'all'
      ? sql`false`
      : sql`exists (
          select from jsonb_array_elements(m.targets) as each
          where (each ->> 'client_id')::bigint <> all(${[...clientIds]}::bigint[]))`
  const where = sql`m.client_id = ${ownClient(actor)} and not ${isForeign}
    ${search ? sql`and m.reason ilike ${likePattern(search)}` : sql``}`
  const data = await readRecords(
    db,
    actor,
    sql`where ${where} order by m.multi_id desc limit ${limit} offset ${offset}`,
  )
  const counted = await sql<{ total: number }>`
    select count(*) as total from multi_blacklist as m where ${where}`.execute(db)
  return { data, included: [], total: counted.rows[0]?.total ?? 0 }
}

/**
 * Adds values to several suppression lists, also of several clients: to all or none.
 *
 * @throws EmmaError `invalid` with each list that does not exist, or each value that does not fit one of them
 */
export async function createMultiBlacklist(db: Db, actor: Actor, input: Input): Promise<MultiBlacklist> {
  const clientId = ownClient(actor)
  const { values, reason = null, expires_at = null } = input
  const multiId = await transaction(db, async tx => {
    const lists = await readTargets(tx, actor, input.targets)
    const count = new Set(values.map(value => value.trim())).size
    const { multi_id } = await tx
      .insertInto('multi_blacklist')
      .values({ client_id: clientId, count, reason, expires_at, created_by: actor.userId })
      .returning('multi_id')
      .executeTakeFirstOrThrow()
    const targets: StoredTarget[] = []
    for (const list of lists) {
      const counts = await insertEntries(tx, actor, list, { values, reason, expires_at, multi_id })
      targets.push({ client_id: list.client_id, blacklist_id: list.blacklist_id, ...counts })
    }
    await tx
      .updateTable('multi_blacklist')
      .set({ targets: JSON.stringify(targets) })
      .where('client_id', '=', clientId)
      .where('multi_id', '=', multi_id)
      .execute()
    return multi_id
  })
  const [created] = await readRecords(
    db,
    actor,
    sql`where m.client_id = ${clientId} and m.multi_id = ${multiId}`,
  )
  if (!created) throw new EmmaError('not_found')
  return created
}

/** Removes the entries that a multi-blacklist added. Lists that were deleted meanwhile are left out. */
export async function removeMultiBlacklist(
  db: Db,
  actor: Actor,
  multiId: number,
): Promise<{ removed: number }> {
  const clientId = ownClient(actor)
  return transaction(db, async tx => {
    const found = await tx
      .updateTable('multi_blacklist')
      .set({ status: 'removed', removed_at: new Date() })
      .where('client_id', '=', clientId)
      .where('multi_id', '=', multiId)
      .where('status', '=', 'applied')
      .returning(sql<StoredTarget[]>`targets`.as('targets'))
      .executeTakeFirst()
    if (!found || !found.targets.every(target => canAccessClient(actor, target.client_id)))
      throw new EmmaError('not_found')
    let removed = 0
    for (const target of inOrder(found.targets)) {
      const list = await findTarget(tx, actor, target)
      if (list) removed += await removeEntriesOf(tx, actor, list, multiId)
    }
    return { removed }
  })
}

async function readTargets(tx: Db, actor: Actor, targets: readonly Target[]): Promise<Blacklist[]> {
  const found = await Promise.all(targets.map(target => findTarget(tx, actor, target)))
  const missing = found.flatMap((list, index) =>
    list ? [] : [fieldError(`targets.${index}`, 'field.not_there')],
  )
  if (missing.length > 0) throw invalid(missing)
  const lists = found.filter(list => list !== null)
  return inOrder([...new Map(lists.map(list => [list.blacklist_id, list])).values()])
}

async function findTarget(
  tx: Db,
  actor: Actor,
  { client_id, blacklist_id }: Target,
): Promise<Blacklist | null> {
  if (!canAccessClient(actor, client_id)) return null
  try {
    return await readBlacklist(tx, scopeOf(actor, client_id), blacklist_id)
  } catch (error) {
    if (error instanceof EmmaError && error.code === 'not_found') return null
    throw error
  }
}

/** By list, so that concurrent calls lock them in the same order. */
function inOrder<T extends Target>(targets: readonly T[]): T[] {
  return targets.toSorted((a, b) => a.blacklist_id - b.blacklist_id)
}

async function readRecords(db: Db, actor: Actor, rest: RawBuilder<unknown>): Promise<MultiBlacklist[]> {
  const { rows } = await sql<Omit<MultiBlacklist, 'targets'> & { targets: StoredTarget[] }>`
    select m.multi_id, m.status, m.targets, m.count, m.reason, m.expires_at, m.created_at, m.removed_at,
      u.username as added_by
    from multi_blacklist as m left join app_user as u on u.id = m.created_by ${rest}`.execute(db)
  const names = await readNames(
    db,
    actor,
    rows.flatMap(row => row.targets),
  )
  return rows.map(row => ({ ...row, targets: row.targets.map(target => ({ ...target, ...names(target) })) }))
}

/** Names of clients and lists, also of deleted ones. */
async function readNames(db: Db, actor: Actor, targets: readonly Target[]) {
  const clientIds = [...new Set(targets.map(({ client_id }) => client_id))].filter(id =>
    canAccessClient(actor, id),
  )
  const clients = await db
    .selectFrom('client')
    .select(['client_id', 'name'])
    .where('client_id', 'in', [...clientIds, -1])
    .execute()
  const lists = await db
    .selectFrom('blacklist')
    .select(['client_id', 'blacklist_id', 'name'])
    .where('client_id', 'in', [...clientIds, -1])
    .where('blacklist_id', 'in', [...targets.map(({ blacklist_id }) => blacklist_id), -1])
    .execute()
  const clientNames = new Map(clients.map(({ client_id, name }) => [client_id, name]))
  const listNames = new Map(
    lists.map(({ client_id, blacklist_id, name }) => [`${client_id}/${blacklist_id}`, name]),
  )
  return ({ client_id, blacklist_id }: Target) => ({
    client: clientNames.get(client_id) ?? '',
    name: listNames.get(`${client_id}/${blacklist_id}`) ?? '',
  })
}
