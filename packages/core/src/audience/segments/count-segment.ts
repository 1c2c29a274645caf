import { EmmaError } from '@emma/contract/errors.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { addressFault } from '@emma/db/address-fault.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'
import { type Datasource, readDatasource } from '../datasources/datasource.ts'
import { subjectOf } from '../blacklists/suppression.ts'
import { campaignReason, memberReason } from '../eligibility.ts'
import { lacksContent, readContentTests } from '../../content/content-test.ts'
import { runCondition } from '../../recurring/run-audience.ts'
import { fromSegment, readSegment, type Segment, segmentMembers, segmentMemory } from './segment-members.ts'
import { addressDomainOf } from '../address.ts'
import { fault } from '@emma/contract/faults.ts'

/**
 * Parameters of a count: a saved segment, or rules over a datasource; minus other segments, suppression lists, the
 * frequency cap and those who got a campaign with the same send-once key.
 */
export interface CountQuestion {
  list_id?: number | undefined
  query?: RuleGroup | null | undefined
  member_table_id?: number | undefined
  include_unsubscribed?: boolean | undefined
  excludes?: readonly number[] | undefined
  blacklist_ids?: readonly number[] | undefined
  capping_id?: number | null | undefined
  send_once_key?: string | null | undefined
  /** The campaign, whose own mails do not count towards a frequency cap or its send-once key. */
  campaign_id?: number | null | undefined
  /** Its template: its category is compared by caps, and its counted sections skip members. */
  message_id?: number | null | undefined
  /** Time that "today" of the rules refers to; default: now. */
  at?: Date | null | undefined
  /** Counts `total` only, for the rule builder while editing. */
  total_only?: boolean | undefined
}

/**
 * `total`: members of the segment. `excluded`: those also in an excluded segment. `preblocked`: of the rest, those that
 * a campaign would skip, by reason. `estimated_volume`: the remaining members, also by mailbox provider.
 */
export interface SegmentCount {
  total: number
  excluded: number
  estimated_volume: number
  combined_volume: number
  by_provider: { provider_id: number; name: string; count: number }[]
  preblocked: Record<string, number>
}

/**
 * Counts the audience of a campaign (`list:count`, R178).
 *
 * @throws EmmaError `not_found` for foreign or missing records, `invalid` for rules that do not fit
 */
export async function countSegment(
  db: Db,
  scope: TenantScope,
  question: CountQuestion,
): Promise<SegmentCount> {
  return transaction(db, async tx => {
    const segment = await readQuestion(tx, scope, question)
    const own = { clientIds: [segment.client_id] }
    const source = await readDatasource(tx, own, segment.member_table_id)
    await segmentMemory.execute(tx)
    if (question.total_only) return onlyTotal(await countMembers(tx, source, segment))
    return countByReason(tx, source, segment, question)
  })
}

/** Number of members of a segment. */
export async function countMembers(
  tx: Db,
  source: Datasource,
  segment: Pick<Segment, 'query' | 'include_unsubscribed'>,
): Promise<number> {
  const counted = await sql<{ total: number }>`
    select count(*) as total ${fromSegment(source, segment)}`.execute(tx)
  return counted.rows[0]?.total ?? 0
}

async function readQuestion(tx: Db, scope: TenantScope, question: CountQuestion): Promise<Segment> {
  const { list_id, member_table_id, query, include_unsubscribed } = question
  if (list_id !== undefined && query === undefined) {
    const saved = await readSegment(tx, scope, list_id)
    return { ...saved, include_unsubscribed: include_unsubscribed ?? saved.include_unsubscribed }
  }
  if (member_table_id === undefined) throw new EmmaError('invalid', fault('refusal.count_question'))
  const source = await readDatasource(tx, scope, member_table_id)
  return {
    client_id: source.client_id,
    member_table_id,
    query: query ?? null,
    include_unsubscribed: include_unsubscribed ?? false,
  }
}

function onlyTotal(total: number): SegmentCount {
  return {
    total,
    excluded: 0,
    estimated_volume: total,
    combined_volume: total,
    by_provider: [],
    preblocked: {},
  }
}

async function countByReason(
  tx: Db,
  source: Datasource,
  segment: Segment,
  question: CountQuestion,
): Promise<SegmentCount> {
  const campaign = {
    clientId: source.client_id,
    memberTableId: source.member_table_id,
    blacklistIds: question.blacklist_ids ?? [],
    cappingId: question.capping_id ?? null,
    campaignId: question.campaign_id ?? null,
    messageId: question.message_id ?? null,
    sendOnceKey: question.send_once_key ?? null,
  }
  const own = memberReason(sql.lit(source.doi_required))
  const subject = { ...subjectOf(sql.ref('m.email')), memberId: sql.ref('m.member_id') }
  const { reason: blocked } = await campaignReason(tx, campaign, subject, 'lookup')
  const tests =
    campaign.messageId === null ? null : await readContentTests(tx, source.client_id, campaign.messageId)
  const without = lacksContent(tests, source.client_id, source.columns)
  const reason = without
    ? sql`coalesce(${blocked}, case when ${without} then 'no_content'::skip_reason end)`
    : blocked
  const at = question.at ?? null
  const ofRun = await conditionOfRun(tx, source, question.campaign_id ?? null)
  const excluded = await inOtherSegments(tx, source, question.excludes ?? [], at)
  const counted = await sql<{ excluded: boolean; reason: string | null; provider_id: number; n: number }>`
    select s.excluded, s.reason, coalesce(p.provider_id, r.provider_id, 0) as provider_id, count(*) as n
    from (
      select excluded, domain, coalesce(own, ${addressFault}, blocked) as reason
      from (
        select m.email, ${addressDomainOf(sql.ref('m.email'))} as domain, ${excluded} as excluded, ${own} as own,
          ${reason} as blocked
        ${fromSegment(source, segment, at)} ${ofRun}
        -- Kept apart: pulled up, the domain would be cut out of the address again at each of its uses.
        offset 0
      ) as member
    ) as s
    left join (
      select lower(written) as domain, min(provider_id) as provider_id
      from provider, unnest(domains) as written where deleted_at is null group by 1
    ) as p on p.domain = s.domain
    left join receiving_domain as r on r.domain = s.domain
    group by 1, 2, 3`.execute(tx)
  const providers = await tx.selectFrom('provider').select(['provider_id', 'name']).execute()
  const sum = (rows: { n: number }[]) => rows.reduce((all, row) => all + row.n, 0)
  const kept = counted.rows.filter(row => !row.excluded)
  const free = kept.filter(row => row.reason === null)
  const hindered = Object.groupBy(
    kept.filter(row => row.reason !== null),
    row => row.reason ?? '',
  )
  const volume = sum(free)
  return {
    total: sum(counted.rows),
    excluded: sum(counted.rows.filter(row => row.excluded)),
    estimated_volume: volume,
    combined_volume: volume,
    by_provider: free
      .map(({ provider_id, n }) => ({
        provider_id,
        name: providers.find(provider => provider.provider_id === provider_id)?.name ?? 'other',
        count: n,
      }))
      .toSorted((a, b) => b.count - a.count),
    preblocked: Object.fromEntries(Object.entries(hindered).map(([name, rows]) => [name, sum(rows ?? [])])),
  }
}

/** Further condition of a run of a recurring campaign. */
async function conditionOfRun(
  tx: Db,
  { client_id: clientId, member_table_id: tableId }: Datasource,
  campaignId: number | null,
): Promise<RawBuilder<unknown>> {
  if (campaignId === null) return sql``
  const condition = await runCondition(tx, { clientId, campaignId }, tableId)
  return condition ? sql`and ${condition}` : sql``
}

/** SQL condition: the address of a member (alias m) is in one of these segments, of any datasource. */
export async function inOtherSegments(
  tx: Db,
  { client_id }: Datasource,
  listIds: readonly number[],
  at: Date | null,
): Promise<RawBuilder<unknown>> {
  const scope = { clientIds: [client_id] }
  const segments = await Promise.all(listIds.map(id => readSegment(tx, scope, id)))
  // Unsubscribed members of an excluded segment are excluded too.
  const members = await Promise.all(
    segments.map(segment => segmentMembers(tx, scope, { ...segment, include_unsubscribed: true }, { at })),
  )
  const tests = members.map(select => sql`lower(m.email) in (select lower(x.email) from (${select}) as x)`)
  return sql`(${sql.join([...tests, sql`false`], sql` or `)})`
}
