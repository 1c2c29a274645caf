import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'
import type { Datasource } from './datasource.ts'
import { suppressedBy } from './suppression.ts'

export interface Preblocking {
  blacklistIds: readonly number[]
  cappingId: number | null
}

/**
 * An expression over a member (alias m): the `skip_reason` for which a campaign would not mail it, or NULL. The same
 * one answers the live count and can fill the ledger, so that the two agree. First reason wins: what the member is,
 * then suppression, then capping.
 *
 * @throws EmmaError `not_found` when there is no such capping
 */
export async function preblockReason(
  sql: Sql,
  source: Datasource,
  { blacklistIds, cappingId }: Preblocking,
): Promise<RawBuilder<unknown>> {
  const suppressed = await suppressedBy(sql, source.client_id, blacklistIds)
  const capped =
    cappingId === null
      ? raw`when false then null`
      : raw`when ${await overCapping(sql, source, cappingId)} then 'capping'`
  const unconfirmed = source.doi_required ? raw`m.doi_state <> 'confirmed'` : raw`m.doi_state = 'pending'`
  return raw`coalesce(
    (case when m.dateunjoin is not null then 'unsubscribed'
      when m.hardbounced_at is not null then 'hardbounce'
      when m.complained_at is not null then 'complaint'
      when ${unconfirmed} then 'doi_missing' end)::skip_reason,
    ${suppressed},
    (case ${capped} end)::skip_reason)`
}

/** Whether the address had its number of mails in the sliding window. Transactional and test mails do not count. */
async function overCapping(sql: Sql, source: Datasource, cappingId: number): Promise<RawBuilder<unknown>> {
  const capping = await sql
    .selectFrom('capping')
    .select(['max_mails', 'period_hours', 'scope'])
    .where('client_id', '=', source.client_id)
    .where('capping_id', '=', cappingId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!capping) throw new EmmaError('not_found', 'There is no such capping')
  const within =
    capping.scope === 'member_table' ? raw`and c.member_table_id = ${source.member_table_id}::bigint` : raw``
  return raw`lower(m.email) in (
    select lower(d.email) from delivery as d
    join campaign as c on c.client_id = d.client_id and c.campagne_id = d.campagne_id
    where d.client_id = ${source.client_id}::int and d.state = 'sent' and c.ctype not in (3, 4, 5, 6) ${within}
      and d.recorded_at > now() - make_interval(hours => ${capping.period_hours}::int)
    group by lower(d.email) having count(*) >= ${capping.max_mails}::bigint)`
}
