import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { BUCKET_SECONDS, type TokenBucket } from './token-bucket.ts'

/** State of a token bucket when it was last refilled. */
export interface BucketState {
  tokens: number
  /** ISO 8601. */
  refilledAt: string
  /** Seconds since then. */
  age: number
}

/** Reads the state of buckets by name; none for those that were not used yet. Unlike engines, it locks nothing. */
export async function readBuckets(db: Db, names: readonly string[]): Promise<Map<string, BucketState>> {
  const { rows } = await sql<BucketState & { bucket: string }>`
    select bucket, tokens, refilled_at as "refilledAt",
      greatest(0, extract(epoch from clock_timestamp() - refilled_at))::float8 as age
    from send_pace where bucket = any(${[...new Set(names)]}::text[])`.execute(db)
  return new Map(rows.map(({ bucket, ...state }) => [bucket, state]))
}

/**
 * Whether a bucket holds emails back at this moment. A rate that nobody exhausts refills its bucket between two claims;
 * one that does keeps it below the half.
 */
export function isExhausted(bucket: TokenBucket, state: BucketState | undefined): boolean {
  if (!state) return false
  const { tokens, age } = state
  if ('perSecond' in bucket) {
    const most = 1 + bucket.perSecond * BUCKET_SECONDS
    return Math.min(most, tokens + bucket.perSecond * age) < Math.max(1, most / 2)
  }
  if ('seconds' in bucket && age >= bucket.seconds) return false
  return bucket.volume + tokens < 1
}
