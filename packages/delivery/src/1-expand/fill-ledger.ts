import { membersTable } from '@emma/core/audience/datasources/datasource.ts'
import { campaignReason, memberReason } from '@emma/core/audience/eligibility.ts'
import type { Split } from '@emma/contract/split.ts'
import { addressFault } from '@emma/db/address-fault.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { type DueTimes, dueTimes } from './due-times.ts'
import { joinedProvider, providerJoins } from './provider-of-domain.ts'
import { splitArms, WHOLE } from './split-arms.ts'
import { addressDomainOf, addressKeyOf } from '@emma/core/audience/address.ts'

export interface LedgerSource extends CampaignKey {
  memberTableId: number
  /** SELECT of `member_id` of members of the datasource. */
  included: RawBuilder<unknown>
  /** SELECTs of `email` of members of any datasource. */
  excluded: readonly RawBuilder<unknown>[]
  blacklistIds: readonly number[]
  cappingId: number | null
  sendOnceKey: string | null
  /** Its category applies to category caps. */
  messageId: number | null
  /** SQL condition on members (alias m) who are shown no counted section; null if nobody is skipped for it. */
  lacksContent?: RawBuilder<boolean> | null
  /** SQL condition on members (alias m) of a run of a recurring campaign; null: none. */
  condition?: RawBuilder<boolean> | null
  /** A/B test and holdout; null: everybody gets the same, at the planned time. */
  split?: Split | null
}

/**
 * Writes a ledger row for every member of the segment and every global seed and proof copy of the client: pending, or
 * skipped with the first reason in the order of domain.md 2A and 2D. Seeds are the client's own addresses:
 * suppressions and caps do not apply.
 *
 * Measured on 1,000,000 members: one statement with hash joins; a lookup per row (EXISTS in the CASE) took three
 * times as long. OFFSET 0 prevents the planner from computing the expressions below it again above the sort. Rows are
 * inserted by member_id: in the order of the window's hash, the primary key's index took twice the time.
 * @returns members to be sent to and members skipped, without seeds
 */
export async function fillLedger(tx: Db, source: LedgerSource): Promise<{ volume: number; skipped: number }> {
  const { clientId, campaignId } = source
  const subject = {
    address: sql`numbered.address`,
    domain: sql`numbered.domain`,
    memberId: sql`numbered.member_id`,
  }
  const blocked = await campaignReason(tx, source, subject, 'join')
  const skipped = source.lacksContent
    ? sql`coalesce(${blocked.reason}, case when lacks_content then 'no_content'::skip_reason end)`
    : blocked.reason
  const arms = source.split ? splitArms(source.split, campaignId) : WHOLE
  const times = await dueTimes(tx, source, arms)
  // A million addresses are sorted and hashed once; on disk that takes three times as long.
  await sql`select set_config('work_mem', '256MB', true), set_config('jit', 'off', true)`.execute(tx)
  const { rows } = await sql<{ volume: number; skipped: number }>`
    with recipient as (
      ${memberRows(source, times)}
      union all
      select -testaddress_id, email, null::skip_reason ${source.lacksContent ? sql`, false` : sql``} ${times.seedColumns}
      from test_address
      where client_id = ${clientId} and addr_type in ('global_seed', 'beleg') and active and deleted_at is null
    ), addressed as (
      select *, ${addressKeyOf(sql.ref('email'))} as address, ${addressDomainOf(sql.ref('email'))} as domain from recipient offset 0
    ), checked as (
      select addressed.*, coalesce(reason, ${addressFault}) as fault
      from addressed
      offset 0
    ), numbered as (
      select *, row_number() over (
        partition by hashtextextended(address, 0), address
        order by fault is not null, member_id < 0, member_id
      ) as copy
      from checked
    ), ${times.reasoned} as (
      select numbered.*, coalesce(
        fault,
        case
          when copy > 1 then 'duplicate'::skip_reason
          when member_id > 0 then ${skipped}
        end
      ) as ${times.reason}
      from numbered
      ${sql.join(blocked.joins, sql` `)}
    ), ${times.steps} ${arms.steps} written as (
      insert into delivery (client_id, campagne_id, member_id, email, provider_id, state, skip_reason, due_at, zone, variant, time_group)
      select ${clientId}::bigint, ${campaignId}::bigint, member_id, email, ${joinedProvider},
        case when ${arms.verdict} is null then 'pending' else 'skipped' end::delivery_state, ${arms.verdict},
        case when member_id < 0 and ${isProof(clientId)} then now() else ${times.due} end ${arms.delay}, ${times.zone},
        ${arms.variant}, ${times.group}
      from ${arms.from} as judged
      ${providerJoins}
      order by member_id
      returning member_id, skip_reason
    )
    select count(*) filter (where skip_reason is null) as volume,
      count(*) filter (where skip_reason is not null) as skipped
    from written
    where member_id > 0`.execute(tx)
  return rows[0] ?? { volume: 0, skipped: 0 }
}

/** A proof copy is sent at the campaign start, whatever the recipients' time zones. */
function isProof(clientId: number): RawBuilder<unknown> {
  return sql`(select addr_type = 'beleg' from test_address
    where client_id = ${clientId} and testaddress_id = -member_id)`
}

/** Members with the skip reasons of their own rows. */
function memberRows(
  { clientId, memberTableId, included, excluded, lacksContent, condition }: LedgerSource,
  times: Pick<DueTimes, 'memberColumns' | 'memberJoins'>,
): RawBuilder<unknown> {
  const without = excluded.map(
    segment => sql`and lower(m.email) not in (select lower(x.email) from (${segment}) as x)`,
  )
  return sql`
    select m.member_id, m.email, ${memberReason(sql`t.doi_required`)} as reason
      ${lacksContent ? sql`, ${lacksContent} as lacks_content` : sql``} ${times.memberColumns}
    from ${membersTable(memberTableId)} m
    join member_table t on t.client_id = ${clientId} and t.member_table_id = ${memberTableId}
    ${times.memberJoins}
    where m.client_id = ${clientId}
      and m.member_id in (select member_id from (${included}) i)
      ${condition ? sql`and ${condition}` : sql``}
      ${sql.join(without, sql` `)}`
}
