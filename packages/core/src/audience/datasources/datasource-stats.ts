import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Datasource, membersTable, readDatasource } from './datasource.ts'
import { isActive } from '../eligibility.ts'

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/**
 * Recounts a datasource's figures from its members: one pass over the table. `stats_active` counts who may get mail;
 * the others may overlap (one who unsubscribed may have complained as well). Recounts of one datasource take turns, and
 * each counts after its turn has come: the last to write has seen what all before it committed.
 */
export async function refreshMemberTableStats(
  db: Db,
  clientId: number,
  memberTableId: number,
): Promise<void> {
  await transaction(db, async tx => {
    await sql`
      select from member_table
      where client_id = ${clientId} and member_table_id = ${memberTableId} for no key update`.execute(tx)
    const source = await readDatasource(tx, { clientIds: [clientId] }, memberTableId)
    await sql`
      with counted as (
        select
          count(*) as total,
          count(*) filter (where ${isActive(source)}) as active,
          count(*) filter (where m.dateunjoin is not null) as unsubscribed,
          count(*) filter (where m.hardbounced_at is not null) as hardbounce,
          count(*) filter (where m.softbounce_count > 0) as softbounce,
          count(*) filter (where m.complained_at is not null) as complaint,
          count(*) filter (where m.doi_state = 'pending') as pending
        from ${membersTable(memberTableId)} as m
        where m.client_id = ${clientId}
      )
      update member_table set
        stats_total = counted.total, stats_active = counted.active, stats_unsubscribed = counted.unsubscribed,
        stats_hardbounce = counted.hardbounce, stats_softbounce = counted.softbounce,
        stats_complaint = counted.complaint, stats_pending = counted.pending, stats_at = now()
      from counted
      where client_id = ${clientId} and member_table_id = ${memberTableId}`.execute(tx)
  })
}

/** A recount of this many members takes some milliseconds: done at once after each change. */
const SMALL = 20_000

/**
 * After the commit of a change of single members: small datasources are recounted at once, so that the next page shows
 * it; large ones by recountChanged.
 */
export async function refreshSmallStats(db: Db, { client_id, member_table_id }: Table): Promise<void> {
  const known = await db
    .selectFrom('member_table')
    .select('stats_total')
    .where('client_id', '=', client_id)
    .where('member_table_id', '=', member_table_id)
    .executeTakeFirst()
  if (known && known.stats_total <= SMALL) await refreshMemberTableStats(db, client_id, member_table_id)
}

/** In the transaction that changes members: the datasource's figures are recounted once it has committed. */
export async function markChanged(tx: Db, { client_id, member_table_id }: Table): Promise<void> {
  await tx.insertInto('member_table_change').values({ client_id, member_table_id }).execute()
}

/** When each datasource may be recounted again, in milliseconds of the monotonic clock. */
export type RecountTimes = Map<number, number>

/** A recount that took a second is not repeated for four: counting large datasources must not take the whole time. */
const REST_FACTOR = 4

/** Recounts the datasources whose members changed. Called every half second; `times` is the caller's memory. */
export async function recountChanged(db: Db, times: RecountTimes): Promise<void> {
  const changed = await sql<{ client_id: number; member_table_id: number; exists: boolean }>`
    select distinct c.client_id, c.member_table_id, t.client_id is not null as exists
    from member_table_change as c
    left join member_table as t on t.client_id = c.client_id and t.member_table_id = c.member_table_id
      and t.deleted_at is null`.execute(db)
  for (const { client_id, member_table_id, exists } of changed.rows) {
    if ((times.get(member_table_id) ?? 0) > performance.now()) continue
    const start = performance.now()
    await transaction(db, async tx => {
      const gone = await sql`
        delete from member_table_change where (client_id, id) in (
          select client_id, id from member_table_change
          where client_id = ${client_id} and member_table_id = ${member_table_id}
          for update skip locked)`.execute(tx)
      if (exists && gone.numAffectedRows) await refreshMemberTableStats(tx, client_id, member_table_id)
    })
    const end = performance.now()
    times.set(member_table_id, end + (end - start) * REST_FACTOR)
  }
}

/** Datasources that were not recounted for ten minutes, oldest first, 20 at most. */
export function listStaleDatasources(db: Db): Promise<Table[]> {
  return db
    .selectFrom('member_table')
    .select(['client_id', 'member_table_id'])
    .where('deleted_at', 'is', null)
    .where(eb =>
      eb.or([eb('stats_at', 'is', null), eb('stats_at', '<', sql<string>`now() - interval '10 minutes'`)]),
    )
    .orderBy('stats_at', eb => eb.asc().nullsFirst())
    .limit(20)
    .execute()
}
