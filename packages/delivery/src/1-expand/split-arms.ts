import { hasRest, type Split } from '@emma/contract/split.ts'
import { type RawBuilder, sql } from 'kysely'
import { WAITING } from './release-rest.ts'

/** SQL fragments that divide the recipients of a campaign, used by the statement that fills the ledger. */
export interface SplitArms {
  /** CTEs after `judged`, each with a comma behind it. */
  steps: RawBuilder<unknown>
  /** The last of them, with the columns of `judged`. */
  from: RawBuilder<unknown>
  /** Skip reason; null: to be sent. */
  verdict: RawBuilder<unknown>
  /** Index of the variant. */
  variant: RawBuilder<unknown>
  /** Addition to the due time. */
  delay: RawBuilder<unknown>
  /** Who is sent to first, before the order of sending, with a comma behind it: the sample. */
  first: RawBuilder<unknown>
}

/** Everybody gets the same, at the planned time. */
export const WHOLE: SplitArms = {
  steps: sql``,
  from: sql`judged`,
  verdict: sql`verdict`,
  variant: sql`null::smallint`,
  delay: sql``,
  first: sql``,
}

/**
 * Divides the members who are to be sent to by chance, repeatably: the holdout, then the sample in shares that differ by
 * one member at most, then the rest, which waits for the winner. Each member is in one part. Seeds and proof copies get
 * the variants in turns.
 */
export function splitArms(split: Split, campaignId: number): SplitArms {
  const count = split.variants.length + 1
  const delays = [0, ...split.variants.map(({ delay_minutes: minutes }) => minutes)]
  const isTest = split.variants.length > 0
  const percent = hasRest(split) ? split.sample_percent : 100
  return {
    steps: sql`placed as (
      select judged.*, row_number() over part - 1 as place, count(*) over (partition by ${PART}) as of_part
      from judged
      window part as (partition by ${PART} order by hashint8extended(member_id, ${campaignId}), member_id)
    ), sized as (
      select placed.*,
        case when member_id < 0 then 0 else floor(of_part * ${split.holdout_percent}::int / 100.0) end as held,
        case when member_id < 0 then of_part
          else ceil((of_part - floor(of_part * ${split.holdout_percent}::int / 100.0)) * ${percent}::int / 100.0)
        end as sampled
      from placed
    ), divided as (
      select sized.*, verdict is null and place < held as is_held,
        case when verdict is null and ${isTest} and place >= held and place < held + sampled
          then (place - held)::int % ${count}::int end as variant
      from sized
    ), `,
    from: sql`divided`,
    verdict: sql`case when is_held then 'holdout'::skip_reason else verdict end`,
    variant: sql`judged.variant`,
    delay: sql`+ case
      when verdict is not null or is_held then interval '0'
      when judged.variant is null then ${isTest ? WAITING : sql`interval '0'`}
      else make_interval(mins => (${delays}::int[])[judged.variant + 1])
    end`,
    first: sql`judged.variant is null,`,
  }
}

/** Seeds, members who are sent to, and the others. */
const PART = sql`member_id < 0, verdict is null`
