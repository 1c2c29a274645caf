import { campaignType } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'
import { type Datasource, membersTable } from './datasource.ts'
import { suppressedBy } from './suppression.ts'

export interface Preblocking {
  blacklistIds: readonly number[]
  cappingId: number | null
}

/** Expressions over a member (alias m): the `skip_reason` for which a campaign would not mail it, or NULL. */
export interface PreblockReasons {
  /** What the member is. */
  own: RawBuilder<unknown>
  /** Suppression, then capping. */
  blocked: RawBuilder<unknown>
}

/**
 * Why a campaign would not mail a member. First reason wins: what the member is, then what is wrong with its address
 * (`addressFault`), then suppression and capping; by the same conditions as the expansion of a campaign (delivery's
 * 1-expand), so that the count before the start is what the start makes of it. No address is twice in a datasource: its
 * index sees to that.
 *
 * @throws EmmaError `not_found` when there is no such capping
 */
export async function preblockReasons(
  sql: Sql,
  source: Datasource,
  { blacklistIds, cappingId }: Preblocking,
): Promise<PreblockReasons> {
  const suppressed = await suppressedBy(sql, source.client_id, blacklistIds)
  const capped = [
    ...(cappingId === null ? [] : [await overCapping(sql, source, cappingId)]),
    await overWish(sql, source),
  ]
  const unconfirmed = source.doi_required ? raw`m.doi_state <> 'confirmed'` : raw`m.doi_state = 'pending'`
  return {
    own: raw`(case when m.dateunjoin is not null then 'unsubscribed'
      when m.hardbounced_at is not null then 'hardbounce'
      when m.complained_at is not null then 'complaint'
      when ${unconfirmed} then 'doi_missing' end)::skip_reason`,
    blocked: raw`coalesce(${suppressed},
      (case when ${raw.join(capped, raw` or `)} then 'capping' end)::skip_reason)`,
  }
}

/** Frequency capping counts what people got of campaigns; transactional mail and tests are exempt. */
const COUNTED = [campaignType.regular, campaignType.recurring, campaignType.esp]

/** Whether the address had its number of mails in the sliding window, those that running campaigns will send included. */
async function overCapping(sql: Sql, source: Datasource, cappingId: number): Promise<RawBuilder<unknown>> {
  const capping = await sql
    .selectFrom('capping')
    .select(['max_mails', 'period_hours', 'scope'])
    .where('client_id', '=', source.client_id)
    .where('capping_id', '=', cappingId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!capping) throw new EmmaError('not_found', 'There is no such capping')
  const since = raw`now() - make_interval(hours => ${capping.period_hours}::int)`
  const within =
    capping.scope === 'member_table' ? raw`and c.member_table_id = ${source.member_table_id}::bigint` : raw``
  return raw`lower(m.email) in (
    select lower(d.email)
    from campaign as c join delivery as d on d.client_id = c.client_id and d.campagne_id = c.campagne_id
    where c.client_id = ${source.client_id}::int and c.ctype = any(${COUNTED}::int[])
      and c.expanded_at is not null and coalesce(c.finished_at, now()) >= ${since} ${within}
      and (d.state = 'sent' and d.recorded_at >= ${since}
        or d.state in ('pending', 'claimed', 'deferred', 'unknown'))
    group by lower(d.email) having count(*) >= ${capping.max_mails}::bigint)`
}

/** Whether the address asked for fewer mails (the preference page) and had one, in any datasource, in its own period. */
async function overWish(sql: Sql, { client_id }: Datasource): Promise<RawBuilder<unknown>> {
  const tables = await sql
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', client_id)
    .where('deleted_at', 'is', null)
    .execute()
  const members = tables.map(
    ({ member_table_id: id }) => raw`
      select member_id from ${membersTable(id)} where client_id = ${client_id}::int and lower(email) = f.address`,
  )
  return raw`lower(m.email) in (
    select f.address from contact_frequency as f
    where f.client_id = ${client_id}::int and exists (
      select from (${raw.join(members, raw` union all `)}) as known
      join delivery as d on d.client_id = ${client_id}::int and d.member_id = known.member_id
      join campaign as c on c.client_id = d.client_id and c.campagne_id = d.campagne_id
      where c.ctype = any(${COUNTED}::int[])
        and (d.state = 'sent' and d.recorded_at >= now() - make_interval(hours => f.period_hours)
          or d.state in ('pending', 'claimed', 'deferred'))))`
}
