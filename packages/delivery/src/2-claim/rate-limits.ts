import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { BUCKET_SECONDS, type TokenBucket } from '@emma/core/deliverability/limits/token-bucket.ts'

/**
 * Refills buckets by the database's clock. They stay locked until the transaction ends, so that engines cannot spend
 * the same tokens twice.
 * @returns whole messages per bucket name
 */
export async function takeTokens(tx: Db, buckets: readonly TokenBucket[]): Promise<Map<string, number>> {
  const unique = [...new Map(buckets.map(bucket => [bucket.name, bucket])).values()]
  if (unique.length === 0) return new Map()
  const wanted = sql`unnest(
      ${unique.map(({ name }) => name)}::text[],
      ${unique.map(bucket => ('volume' in bucket ? null : bucket.perSecond))}::float8[],
      ${unique.map(bucket => ('volume' in bucket ? bucket.volume : 0))}::float8[],
      ${unique.map(bucket => ('seconds' in bucket ? bucket.seconds : null))}::float8[]
    ) as wanted (bucket, rate, volume, seconds)`
  // A volume's bucket starts at zero and is spent below it, so that the volume may change meanwhile.
  await sql`
    insert into send_pace (bucket, tokens, refilled_at)
    select bucket, case when rate is null then 0 else 1 end, clock_timestamp() from ${wanted}
    order by bucket
    on conflict (bucket) do nothing`.execute(tx)
  const { rows } = await sql<{ bucket: string; available: number }>`
    with locked as (
      select p.bucket, wanted.rate, wanted.volume, make_interval(secs => wanted.seconds) as lasts
      from send_pace p join ${wanted} using (bucket)
      -- In one order everywhere: two engines must not wait for each other.
      order by p.bucket
      for update of p
    )
    update send_pace p
    set refilled_at = case
        when lasts is null or tokens = 0 then clock_timestamp()
        when clock_timestamp() < refilled_at + lasts then refilled_at
        -- Who is a little late does not put off all windows that follow.
        else greatest(refilled_at + lasts, clock_timestamp() - interval '1 second')
      end, tokens = case
        when rate is not null then least(
          1 + rate * ${BUCKET_SECONDS}::float8,
          tokens + rate * greatest(0, extract(epoch from clock_timestamp() - refilled_at)::float8))
        when clock_timestamp() >= refilled_at + lasts then 0
        else tokens
      end
    from locked
    where p.bucket = locked.bucket
    returning p.bucket, volume + tokens as available`.execute(tx)
  return new Map(rows.map(row => [row.bucket, Math.max(0, Math.floor(row.available))]))
}

/** Deducts claimed messages from the buckets, by name. */
export async function spendTokens(tx: Db, spent: ReadonlyMap<string, number>): Promise<void> {
  const entries = [...spent].filter(([, count]) => count > 0)
  if (entries.length === 0) return
  await sql`
    update send_pace p set tokens = tokens - spent.count
    from unnest(${entries.map(([name]) => name)}::text[], ${entries.map(([, count]) => count)}::int[])
      as spent (bucket, count)
    where p.bucket = spent.bucket`.execute(tx)
}

/**
 * Refunds volumes: a day for messages that were not sent, a window also for those that will be sent again and count
 * then. Rates are not refunded: their time has passed.
 */
export async function refundTokens(
  db: Db,
  buckets: readonly TokenBucket[],
  { unsent, deferred }: { unsent: number; deferred: number },
): Promise<void> {
  const owed = buckets.flatMap(bucket => {
    const count = 'seconds' in bucket ? unsent + deferred : unsent
    return 'volume' in bucket && count > 0 ? [{ name: bucket.name, count }] : []
  })
  if (owed.length === 0) return
  await sql`
    with locked as (
      select p.bucket, owed.count
      from send_pace p
      join unnest(${owed.map(({ name }) => name)}::text[], ${owed.map(({ count }) => count)}::int[])
        as owed (bucket, count) using (bucket)
      -- In the order in which they are taken.
      order by p.bucket
      for update of p
    )
    update send_pace p set tokens = least(0, tokens + locked.count) from locked where p.bucket = locked.bucket`.execute(
    db,
  )
}

/** Deletes buckets that were unused for longer than a window: past days, ended campaigns. */
export async function deleteOldBuckets(db: Db): Promise<void> {
  await sql`delete from send_pace where refilled_at < now() - interval '8 days'`.execute(db)
}
