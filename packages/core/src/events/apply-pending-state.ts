import { type Datasource, membersTable } from '../audience/datasources/datasource.ts'
import { markChanged } from '../audience/datasources/datasource-stats.ts'
import { withLockTimeout } from '../audience/members/lock-members.ts'
import { addressHash, mergeOptOut } from '../audience/blacklists/opt-out.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { learnHours } from '../audience/hours/learn-hours.ts'
import { countSoftBounces } from '../audience/soft-bounces.ts'

/** Most rows of member_pending_state applied in one transaction. */
const BATCH = 5_000

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/**
 * Applies member_pending_state to the members that no other transaction has locked; the rest waits for the next call. A
 * row belongs to the member with the id; if that was deleted, to the member who has the address now; if none has,
 * opt-outs, complaints and bounces are stored for the address. A bounce concerns the address only: the new address of a
 * member has not bounced.
 */
export async function applyPendingState(db: Db): Promise<void> {
  const tables = await sql<Table>`
    select distinct client_id, member_table_id from member_pending_state`.execute(db)
  for (const table of tables.rows) {
    let after: Position | null = { member_id: 0, address: '' }
    while (after) after = await transaction(db, tx => applyBatch(tx, table, after))
  }
}

interface Position {
  member_id: number
  address: string
}

interface Applied {
  last_id: number | null
  last_address: string | null
  count: number
  counters: boolean
  soft: number[] | null
}

/** Returns the position after the batch; null after the last one, and while an import locks the whole datasource. */
async function applyBatch(tx: Db, table: Table, after: Position | null): Promise<Position | null> {
  const applied = await withLockTimeout(tx, () => applyRows(tx, table, after))
  if (!applied) return null
  const { last_id: member_id, last_address: address, count, counters, soft } = applied
  if (soft) await countSoftBounces(tx, table, soft)
  if (counters) await markChanged(tx, table)
  return count < BATCH || member_id === null || address === null ? null : { member_id, address }
}

async function applyRows(
  tx: Db,
  { client_id, member_table_id }: Table,
  after: Position | null,
): Promise<Applied | undefined> {
  const members = membersTable(member_table_id)
  const learned = await learnHours(tx, { client_id, member_table_id })
  const { rows } = await sql<Applied>`
    with pending as (
      select * from member_pending_state
      where client_id = ${client_id} and member_table_id = ${member_table_id}
        and (member_id, address) > (${after?.member_id ?? 0}::bigint, ${after?.address ?? ''})
      order by member_id, address limit ${BATCH}
    ), found as (
      select p.member_id, p.address, coalesce(i.member_id, a.member_id) as target,
        i.member_id is null or p.address in ('', lower(i.email)) as is_address
      from pending as p
      left join ${members} as i on i.client_id = p.client_id and i.member_id = p.member_id
      left join ${members} as a on i.member_id is null and a.client_id = p.client_id and lower(a.email) = p.address
    ), free as (
      select m.member_id from ${members} as m
      where m.client_id = ${client_id} and m.member_id in (select target from found)
      order by m.member_id
      for update skip locked
    ), taken as (
      delete from member_pending_state as p using found as f
      where p.client_id = ${client_id} and p.member_table_id = ${member_table_id}
        and p.member_id = f.member_id and p.address = f.address
        and (f.target is null or f.target in (select member_id from free))
      returning p.*, f.target, f.is_address
    ), applied as (
      update ${members} as m set
        dateunjoin = coalesce(m.dateunjoin, t.unsubscribed_at),
        complained_at = least(m.complained_at, t.complained_at),
        hardbounced_at = least(m.hardbounced_at, t.hardbounced_at),
        last_opened_at = greatest(m.last_opened_at, t.last_opened_at),
        last_clicked_at = greatest(m.last_clicked_at, t.last_clicked_at),
        updated_at = case when t.unsubscribed_at is null then m.updated_at else now() end,
        revision = m.revision + case when t.unsubscribed_at is null then 0 else 1 end
      from (
        select target, min(unsubscribed_at) as unsubscribed_at, min(complained_at) as complained_at,
          min(hardbounced_at) filter (where is_address) as hardbounced_at, max(last_opened_at) as last_opened_at,
          max(last_clicked_at) as last_clicked_at
        from taken where target is not null group by 1
      ) as t
      where m.client_id = ${client_id} and m.member_id = t.target
    ), ${learned}, kept as (
      insert into member_opt_out
        (client_id, member_table_id, address_hash, unsubscribed_at, complained_at, hardbounced_at)
      select client_id, member_table_id, ${addressHash(sql.ref('address'))},
        min(unsubscribed_at) filter (where target is null), min(complained_at) filter (where target is null),
        min(hardbounced_at)
      from taken
      where address <> '' and (target is null or not is_address)
        and (hardbounced_at is not null or target is null and coalesce(unsubscribed_at, complained_at) is not null)
      group by 1, 2, 3
      ${mergeOptOut}
    )
    select max(member_id) as last_id, (array_agg(address order by member_id desc, address desc))[1] as last_address,
      count(*) as count,
      (select bool_or(coalesce(unsubscribed_at, complained_at, hardbounced_at) is not null or softbounced)
        from taken where target is not null) as counters,
      (select array_agg(distinct target) from taken where target is not null and is_address and softbounced) as soft
    from pending`.execute(tx)
  return rows[0]
}
