import { campaignType } from '@emma/contract/campaign-states.ts'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from '../campaign-key.ts'
import type { Checks } from './blacklist-checks.ts'

/** Frequency capping counts what people got of campaigns; transactional mail and tests are exempt. */
const COUNTED = [campaignType.regular, campaignType.recurring, campaignType.esp]

/**
 * The addresses that have had their share: in the capping's sliding window, as many mails as it allows were accepted
 * for them, or are about to be sent by campaigns that run now. Campaigns that ended before the window began are not
 * read.
 */
export async function cappedAddresses(
  tx: Sql,
  { clientId, campaignId, memberTableId, cappingId }: CampaignKey & Capped,
): Promise<Checks> {
  if (cappingId === null) return { joins: [], cases: [] }
  const capping = await tx
    .selectFrom('capping')
    .select(['max_mails', 'period_hours', 'scope'])
    .where('client_id', '=', clientId)
    .where('capping_id', '=', cappingId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!capping) return { joins: [], cases: [] }
  const since = raw`now() - make_interval(hours => ${capping.period_hours})`
  const sameTable = capping.scope === 'member_table' ? raw`and c.member_table_id = ${memberTableId}` : raw``
  const join = raw`left join (
      select lower(d.email) as address
      from campaign c
      join delivery d on d.client_id = c.client_id and d.campagne_id = c.campagne_id
      where c.client_id = ${clientId} and c.campagne_id <> ${campaignId} and c.ctype = any(${COUNTED}::int[])
        and c.expanded_at is not null and coalesce(c.finished_at, now()) >= ${since} ${sameTable}
        and (d.state = 'sent' and d.recorded_at >= ${since}
          or d.state in ('pending', 'claimed', 'deferred', 'unknown'))
      group by 1
      having count(*) >= ${capping.max_mails}
    ) capped on capped.address = numbered.address`
  return { joins: [join], cases: [raw`when capped.address is not null then 'capping'`] }
}

interface Capped {
  memberTableId: number
  cappingId: number | null
}
