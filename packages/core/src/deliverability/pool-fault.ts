import type { PoolFault } from '@emma/contract/pool-faults.ts'
import { type RawBuilder, sql } from 'kysely'

/**
 * Why domain `d` is not used in the domain pool of a campaign whose own domain is `own` (aliases); null if it is.
 * Signatures of other domains do not pass where the DMARC record of the own one is strict (RFC 7489, 3.1).
 */
export function poolFault(d: string, own: string): RawBuilder<PoolFault | null> {
  const of = (column: string) => sql.ref(`${d}.${column}`)
  return sql`case
    when ${of('deleted_at')} is not null then 'deleted'
    when not ${of('in_pool')} then 'not_in_pool'
    when ${of('status')} <> 'verified' then 'not_verified'
    when ${of('is_blocklisted')} then 'blocklisted'
    when not exists (
      select from dkim_key k
      where k.client_id = ${of('client_id')} and k.domain_id = ${of('domain_id')} and k.active
    ) then 'no_key'
    when ${sql.ref(`${own}.dmarc_strict`)} then 'strict'
  end`
}
