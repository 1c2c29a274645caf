import { membersTable } from './datasources/datasource.ts'
import { markChanged } from './datasources/datasource-stats.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { hasBounced, isAccepted, isHard } from '../reports/counted.ts'

/**
 * This many soft bounces within `softDays`, without an accepted mail in between, mark an address as hard bounced
 * (domain.md 2C).
 */
const softLimit = 5
const softDays = 30

/** Bounce classes caused by the sender or the content, which do not count against the address. */
const ABOUT_US = ['policy', 'reputation', 'spam', 'content', 'rate', 'filtered']

/** Counts the soft bounces of members with new ones; marks those over the limit as hard bounced. */
export async function countSoftBounces(
  tx: Db,
  { client_id, member_table_id }: { client_id: number; member_table_id: number },
  memberIds: readonly number[],
): Promise<void> {
  await sql`
    update ${membersTable(member_table_id)} as m set
      softbounce_count = counted.bounces,
      hardbounced_at = case when counted.bounces >= ${softLimit} then coalesce(m.hardbounced_at, now())
        else m.hardbounced_at end
    from (
      select one.member_id, ${bouncesOfOne} as bounces
      from ${membersTable(member_table_id)} as one
      where one.client_id = ${client_id} and one.member_id = any(${memberIds}::bigint[])
    ) counted
    where m.client_id = ${client_id} and m.member_id = counted.member_id`.execute(tx)
}

/**
 * Recounts all members with soft bounces, as bounces expire and accepted mails have no event. Marks no address as hard
 * bounced, as there is no new bounce. Members locked by an import are skipped until the next run.
 */
export async function recountSoftBounces(db: Db): Promise<void> {
  const tables = await db
    .selectFrom('member_table')
    .select(['client_id', 'member_table_id'])
    .where('deleted_at', 'is', null)
    .execute()
  for (const table of tables)
    await transaction(db, async tx => {
      const members = membersTable(table.member_table_id)
      const { numAffectedRows } = await sql`
        with one as (
          select client_id, member_id, email, softbounce_count from ${members}
          where softbounce_count > 0
          order by client_id, member_id
          for update skip locked
        ), counted as (
          select one.*, ${bouncesOfOne} as bounces from one
        )
        update ${members} as m set softbounce_count = counted.bounces
        from counted
        where m.client_id = counted.client_id and m.member_id = counted.member_id
          and counted.softbounce_count <> counted.bounces`.execute(tx)
      if (numAffectedRows) await markChanged(tx, table)
    })
}

/**
 * Soft bounces of a member (alias one) with its current address, from log and ledger: emails of the last 30 days that
 * soft-bounced after the last accepted one.
 */
const bouncesOfOne: RawBuilder<unknown> = sql`(
  select count(distinct e.campagne_id) from event e
  where e.client_id = one.client_id and e.member_id = one.member_id and e.type = 'bounce'
    and (e.email is null or lower(e.email) = lower(one.email))
    and not ${isHard('e')} and coalesce(e.class, '') <> all(${ABOUT_US}::text[])
    and e.ts > now() - make_interval(days => ${softDays})
    and e.ts > coalesce((
      select max(d.recorded_at) from delivery d
      where d.client_id = one.client_id and d.member_id = one.member_id and ${isAccepted('d')}
        and not ${hasBounced('d')}), '-infinity'))`
