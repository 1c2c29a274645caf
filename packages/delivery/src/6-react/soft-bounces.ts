import { type Sql, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'

/** Soft bounces within `softDays` without a delivery in between that make an address count as dead (domain.md 2C). */
const softLimit = 5
const softDays = 30

/** What is wrong with the sender or the mail says nothing about the address. */
const ABOUT_US = ['policy', 'reputation', 'spam', 'content', 'rate', 'filtered']

/** Counts the members of a datasource anew who bounced softly in `fresh_event`; who has too many counts as dead. */
export async function countSoftBounces(tx: Sql, memberTableId: number): Promise<void> {
  await raw`
    update ${raw.id('members', `t${memberTableId}`)} as m set
      softbounce_count = counted.bounces,
      hardbounced_at = case when counted.bounces >= ${softLimit} then coalesce(m.hardbounced_at, now())
        else m.hardbounced_at end
    from (
      select one.client_id, one.member_id, ${bouncesOfOne} as bounces
      from (
        select distinct client_id, member_id from fresh_event
        where type = 'bounce' and hard is not true and member_id > 0 and member_table_id = ${memberTableId}
      ) one
    ) counted
    where m.client_id = counted.client_id and m.member_id = counted.member_id`.execute(tx)
}

/**
 * Counts anew all who have soft bounces: bounces grow old and mails arrive without an event that would tell. Nobody is
 * declared dead here, for nothing new happened to him. Keeps the follower of events out meanwhile, a datasource at a time.
 */
export async function recountSoftBounces(sql: Sql): Promise<void> {
  const tables = await sql
    .selectFrom('member_table')
    .select('member_table_id')
    .where('deleted_at', 'is', null)
    .execute()
  for (const table of tables)
    await transaction(sql, async tx => {
      await raw`select from event_cursor where name = 'members' for update`.execute(tx)
      const members = raw.id('members', `t${table.member_table_id}`)
      await raw`
        update ${members} as m set softbounce_count = counted.bounces
        from (
          select one.client_id, one.member_id, ${bouncesOfOne} as bounces
          from ${members} as one where one.softbounce_count > 0
        ) counted
        where m.client_id = counted.client_id and m.member_id = counted.member_id
          and m.softbounce_count <> counted.bounces`.execute(tx)
    })
}

/** Of a member (alias one), from log and ledger: mails of 30 days that bounced softly after the last accepted one. */
const bouncesOfOne: RawBuilder<unknown> = raw`(
  select count(distinct e.campagne_id) from event e
  where e.client_id = one.client_id and e.member_id = one.member_id and e.type = 'bounce'
    and e.hard is not true and coalesce(e.class, '') <> all(${ABOUT_US}::text[])
    and e.ts > now() - make_interval(days => ${softDays})
    and e.ts > coalesce((
      select max(d.recorded_at) from delivery d
      where d.client_id = one.client_id and d.member_id = one.member_id and d.state = 'sent'
        and not exists (
          select from event b where b.client_id = d.client_id and b.campagne_id = d.campagne_id
            and b.member_id = d.member_id and b.type = 'bounce')), '-infinity'))`
