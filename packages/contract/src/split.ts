import { z } from 'zod'
import { email, id, line } from './fields.ts'

/** Names of the variants of an A/B test, with the campaign's own settings as the first one. */
export const variantLetters = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const

export const MOST_VARIANTS = variantLetters.length

/** How long a result may be waited for: 15 minutes to 7 days. */
const waitMinutes = z.int().min(15).max(10_080)

/** What a further variant has instead of the campaign's own setting. Null: the campaign's. */
export const splitVariant = z.object({
  message_id: id.nullable().default(null),
  subject: line(998).nullable().default(null),
  fromadr: email.nullable().default(null),
  fromname: line().nullable().default(null),
  reply_to: email.nullable().default(null),
  /** Sent this many minutes after the campaign's own time. */
  delay_minutes: z.int().min(0).max(10_080).default(0),
})

export type SplitVariant = z.output<typeof splitVariant>

/** A/B test and holdout of a campaign (domain.md 2A, `split`). */
export const split = z.object({
  /** B, C, …; A is the campaign itself. Empty: there is a holdout alone. */
  variants: z
    .array(splitVariant)
    .max(MOST_VARIANTS - 1)
    .default([]),
  /** Percent of the recipients who get the variants, in equal shares; 100: all, and nothing follows. */
  sample_percent: z.int().min(1).max(100).default(20),
  /** What decides: people who clicked, opened, or are in the goal segment; or a user. */
  winner_by: z.enum(['clicks', 'opens', 'conversions', 'person']).default('clicks'),
  /** Segment of the members who have reached the goal. */
  goal_list_id: id.nullable().default(null),
  /** Decided this long after all mails of the sample have been tried once. */
  wait_minutes: waitMinutes.default(240),
  /** Who gets what if no variant is better at `level`: the best so far, A, nobody; or a user is asked. */
  otherwise: z.enum(['best', 'control', 'nobody', 'ask']).default('best'),
  level: z.union([z.literal(0.9), z.literal(0.95), z.literal(0.99)]).default(0.95),
  /** Percent of the recipients who get nothing, to be compared by the goal. */
  holdout_percent: z.int().min(0).max(50).default(0),
})

export type Split = z.output<typeof split>

/** Figures of one variant that the winner is chosen by. */
const armFigures = z.object({ n: z.int(), x: z.int() })

/** How an A/B test was decided, with what it was decided by. */
export const splitResult = z.object({
  reason: z.enum(['significant', 'best', 'control', 'nobody', 'ask', 'person']),
  winner_by: split.shape.winner_by.unwrap(),
  level: z.number(),
  /** By variant: recipients, and those of them who did it. */
  figures: z.array(armFigures),
  /** User who decided. */
  user_id: id.nullable(),
})

export type SplitResult = z.output<typeof splitResult>

/** Name of a variant: A, B, … */
export function variantLetter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}

/** Whether recipients wait until the winner is known. */
export function hasRest({ variants, sample_percent: percent }: Pick<Split, 'variants' | 'sample_percent'>) {
  return variants.length > 0 && percent < 100
}
