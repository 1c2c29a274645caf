import type { LimitKind } from '@emma/contract/actions/volume.ts'
import type { Rate } from '../limits/token-bucket.ts'

/** A sending as the engine would see it. Times are in seconds from its start. */
export interface ForecastPlan {
  counts: readonly { providerId: number; count: number }[]
  /** Days of the client's calendar, the first one with the start; the forecast ends with them. */
  days: readonly ForecastDay[]
  /** The campaign's own rate. */
  rates: readonly ForecastRate[]
  window: { volume: number; seconds: number } | null
  /** Warm-up of the domain. */
  warmup: ForecastWarmup | null
  /** Mail class, its overflow class, and so on. */
  routes: readonly ForecastRoute[]
}

export interface ForecastDay {
  begins: number
  ends: number
  /** Quiet hours of the day. */
  quiet: readonly { from: number; to: number }[]
}

/** A rate limit. `mailclass`: whose it is, for the result. */
export interface ForecastRate {
  kind: LimitKind
  rate: Rate
  mailclass: string | null
}

/** Volume by day of the plan, null without limit, and what was sent on the first day before the start. */
export interface ForecastWarmup {
  volumes: readonly (number | null)[]
  sent: number
  mailclass: string | null
}

export interface ForecastRoute {
  mailclass: string | null
  rates: readonly ForecastRate[]
  warmup: ForecastWarmup | null
  /** Limits by mailbox provider. */
  receivers: ReadonlyMap<number, readonly ForecastRate[]>
  /** End of its quarantine; 0: none. */
  quarantinedUntil: number
  /** Ends of back-offs by mailbox provider. */
  backOffs: ReadonlyMap<number, number>
}
