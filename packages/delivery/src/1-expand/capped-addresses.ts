import { campaignType } from '@emma/contract/campaign-states.ts'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from '../campaign-key.ts'
import type { Checks } from './blacklist-checks.ts'

/** Frequency capping counts what people got of campaigns; transactional mail and tests are exempt. */
const COUNTED = [campaignType.regular, campaignType.recurring, campaignType.esp]

/**
 * The addresses that have had their share, by the capping of the campaign or by their own wish: in the sliding window as
 * many mails as it allows were accepted for them, or are about to be sent by campaigns that run now. Campaigns that ended
 * before the window began are not read.
 */
export async function cappedAddresses(tx: Sql, source: CampaignKey & Capped): Promise<Checks> {
  const checks = await Promise.all([cappedByRule(tx, source), cappedByWish(tx, source)])
  return { joins: checks.flatMap(check => check.joins), cases: checks.flatMap(check => check.cases) }
}

const NOTHING: Checks = { joins: [], cases: [] }

async function cappedByRule(
  tx: Sql,
  { clientId, campaignId, memberTableId, cappingId }: CampaignKey & Capped,
): Promise<Checks> {
  if (cappingId === null) return NOTHING
  const capping = await tx
    .selectFrom('capping')
    .select(['max_mails', 'period_hours', 'scope'])
    .where('client_id', '=', clientId)
    .where('capping_id', '=', cappingId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!capping) return NOTHING
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

/**
 * Who asked for fewer mails (the preference page) and has had one in his own period. Few people ask, so each is looked up
 * by the client's datasources he is in.
 */
async function cappedByWish(tx: Sql, { clientId, campaignId }: CampaignKey): Promise<Checks> {
  const tables = await tx
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .execute()
  const { rows } = await raw`select from contact_frequency where client_id = ${clientId} limit 1`.execute(tx)
  if (rows.length === 0 || tables.length === 0) return NOTHING
  const members = tables.map(
    ({ member_table_id: id }) => raw`
      select member_id from ${raw.id('members', `t${id}`)}
      where client_id = ${clientId} and lower(email) = f.address`,
  )
  const join = raw`left join (
      select f.address
      from contact_frequency f
      where f.client_id = ${clientId} and exists (
        select from (${raw.join(members, raw` union all `)}) m
        join delivery d on d.client_id = ${clientId} and d.member_id = m.member_id
        join campaign c on c.client_id = d.client_id and c.campagne_id = d.campagne_id
        where c.campagne_id <> ${campaignId} and c.ctype = any(${COUNTED}::int[])
          and (d.state = 'sent' and d.recorded_at >= now() - make_interval(hours => f.period_hours)
            or d.state in ('pending', 'claimed', 'deferred')))
    ) wished on wished.address = numbered.address`
  return { joins: [join], cases: [raw`when wished.address is not null then 'capping'`] }
}

interface Capped {
  memberTableId: number
  cappingId: number | null
}
