import type { Rate } from './token-bucket.ts'

/** Columns of a campaign that decide about its own limits. */
export interface CampaignLimitFields {
  throttle: number
  throttle_unit: string
  /** Recipients have hours of their own: local time, or learned ones. */
  local_time: boolean
  window_mails: number
  window_minutes: number
}

/** A campaign's own rate; 0 mails: no limit. */
export function campaignRate({ throttle, throttle_unit }: CampaignLimitFields): Rate {
  return { mails: throttle, unit: throttle_unit }
}

/**
 * What may leave in a window of some seconds, which begins with its first message; null without. In local time windows
 * overlap, and limit nothing together.
 */
export function campaignWindow({
  local_time,
  window_mails,
  window_minutes,
}: CampaignLimitFields): { volume: number; seconds: number } | null {
  return window_mails > 0 && !local_time ? { volume: window_mails, seconds: window_minutes * 60 } : null
}
