import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Datasource, membersTable, readDatasource } from './datasource.ts'
import { isActive, memberFacts } from '../eligibility.ts'

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/**
 * Recounts the figures of a datasource in one pass over its table. `stats_active` counts members who may get mail; the
 * other figures may overlap (an unsubscribed member may have complained too). Recounts of one datasource are serialized
 * and count after acquiring the lock, so the last one sees everything committed before.
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
          count(*) filter (where ${memberFacts.unsubscribed}) as unsubscribed,
          count(*) filter (where ${memberFacts.hardBounced}) as hardbounce,
          count(*) filter (where ${memberFacts.softBounced}) as softbounce,
          count(*) filter (where ${memberFacts.complained}) as complaint,
          count(*) filter (where ${memberFacts.pending}) as pending
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

/** Most members of a datasource that is recounted after each change, which takes some milliseconds. */
const SMALL = 20_000

/**
 * Recounts a small datasource after the commit of a change of single members, so that the next page shows it. Large
 * ones are left to recountChanged.
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

/** Marks a datasource for a recount, in the transaction that changes members. */
export async function markChanged(tx: Db, { client_id, member_table_id }: Table): Promise<void> {
  await tx.insertInto('member_table_change').values({ client_id, member_table_id }).execute()
}

/** Earliest next recount by datasource, in milliseconds of the monotonic clock. */
export type RecountTimes = Map<number, number>

/** Pause after a recount, as a multiple of its duration: counting large datasources must not take all the time. */
const REST_FACTOR = 4

/** Recounts the datasources whose members changed. Called every half second; the caller keeps `times`. */
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

/** Datasources not recounted for ten minutes, oldest first, 20 at most. */
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
