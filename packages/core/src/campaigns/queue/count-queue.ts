import { MOST_QUEUE_COUNTED } from '@emma/contract/actions/campaign-queue.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Emails of a campaign for one mailbox provider. */
export interface ProviderQueue {
  providerId: number
  name: string
  /** Not sent yet, with those deferred and being sent. */
  waiting: number
  deferred: number
  sending: number
  /** Some are due now. */
  isDue: boolean
  /** When the next deferred one is due, ISO 8601. */
  nextRetry: string | null
}

/** The queue of a campaign. */
export interface CountedQueue {
  providers: ProviderQueue[]
  /** When the next email is due that is not due yet, ISO 8601. */
  nextDue: string | null
  /** Some wait for the winner of the A/B test. */
  hasUndecided: boolean
}

/** Counts the queue of a campaign by provider, from indexes that contain only the rows counted. */
export async function countQueue(
  db: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
): Promise<CountedQueue> {
  const own = sql`d.client_id = ${clientId} and d.campagne_id = ${campaignId}`
  const open = sql`${own} and d.state in ('pending', 'deferred')`
  const { rows: providers } = await sql<ProviderQueue>`
    select p.provider_id as "providerId", p.name, open.count + coalesce(claimed.count, 0) as waiting,
      deferred.count as deferred, coalesce(claimed.count, 0) as sending,
      (select 1 from delivery d where ${open} and d.provider_id = p.provider_id and d.due_at <= now() limit 1)
        is not null as "isDue", deferred.next as "nextRetry"
    from provider p
    cross join lateral (
      select count(*) as count
      from (select from delivery d where ${open} and d.provider_id = p.provider_id limit ${MOST_QUEUE_COUNTED}) one
    ) open
    cross join lateral (
      select count(*) as count, min(due_at) as next
      from (
        select d.due_at from delivery d where ${own} and d.state = 'deferred' and d.provider_id = p.provider_id
        order by d.due_at
        limit ${MOST_QUEUE_COUNTED}
      ) one
    ) deferred
    left join (
      select d.provider_id, count(*) as count from delivery d where ${own} and d.state = 'claimed' group by 1
    ) claimed using (provider_id)
    where open.count > 0 or claimed.count > 0
    order by p.name, p.provider_id`.execute(db)
  // Rows of the rest of an A/B test are due a thousand years later than planned.
  const undecided = sql`now() + interval '500 years'`
  const { rows } = await sql<Omit<CountedQueue, 'providers'>>`
    select (
        select d.due_at from delivery d where ${open} and d.due_at > now() and d.due_at < ${undecided}
        order by d.due_at
        limit 1
      ) as "nextDue",
      (select 1 from delivery d where ${open} and d.due_at > ${undecided} limit 1) is not null as "hasUndecided"`.execute(
    db,
  )
  return { providers, nextDue: rows[0]?.nextDue ?? null, hasUndecided: rows[0]?.hasUndecided ?? false }
}
