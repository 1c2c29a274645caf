import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Datasource } from './datasources/datasource.ts'
import { memberReason } from './eligibility.ts'
import { cappedAddresses } from './frequency-cap.ts'
import { suppressedBy } from './blacklists/suppression.ts'

export interface Preblocking {
  blacklistIds: readonly number[]
  cappingId: number | null
  /** The campaign that asks, and its template; null where there is none yet. */
  campaignId: number | null
  messageId: number | null
}

/** Expressions over a member (alias m): the `skip_reason` for which a campaign would not mail it, or NULL. */
export interface SkipReasons {
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
export async function skipReasons(
  db: Db,
  source: Datasource,
  { blacklistIds, cappingId, campaignId, messageId }: Preblocking,
): Promise<SkipReasons> {
  const { client_id: clientId, member_table_id: memberTableId } = source
  const suppressed = await suppressedBy(db, clientId, blacklistIds)
  const capped = await cappedAddresses(db, { clientId, memberTableId, cappingId, campaignId, messageId })
  const isCapped = capped.map(addresses => sql`lower(m.email) in (${addresses})`)
  return {
    own: memberReason(sql`${source.doi_required}::boolean`),
    blocked: sql`coalesce(${suppressed},
      (case when ${sql.join([...isCapped, sql`false`], sql` or `)} then 'capping' end)::skip_reason)`,
  }
}
