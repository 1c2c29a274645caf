import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { quietHours } from '@emma/core/deliverability/limits/quiet-hours.ts'

/** Minutes without sending after which the local times of a campaign count as missed. */
const PASSED = 30

/** SQL condition: campaign `c` in local time needs followLocalHours, because nothing could be sent for a while. */
export const hoursPassed = sql<boolean>`
  c.local_time and coalesce(c.followed_at, c.expanded_at) < now() - make_interval(mins => ${sql.lit(PASSED)})`

/** Seconds ahead of which due rows are checked, and in which nothing is sent before quiet hours. */
const AHEAD = 10

/**
 * Keeps a campaign with hours of its recipients (local time, learned send time) to them. In local time, after a pause, a hold or an outage, messages whose hour has passed are
 * due at the same hour of their time zone on the next day; messages due in the quiet hours of their zone (retries,
 * and those held back by a throttle) wait until these end.
 * @param canLeave its messages can be sent now, as far as known
 */
export function followLocalHours(db: Db, key: CampaignKey, canLeave: boolean): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<{ passed: boolean; begins: string | null; ends: string | null }>`
      select ${hoursPassed} as passed, (${quietHours.begins})::text as begins, (${quietHours.ends})::text as ends
      from campaign c join client using (client_id)
      where c.client_id = ${key.clientId} and c.campagne_id = ${key.campaignId}
      for update of c skip locked`.execute(tx)
    const [campaign] = rows
    if (!campaign) return
    const { passed, begins, ends } = campaign
    if (passed)
      await sql`
        update delivery d
        set due_at = after_quiet(next_local_hour(due_at, zone), zone, ${begins}::time, ${ends}::time)
        where ${open(key)} and due_at < now() - make_interval(mins => ${sql.lit(PASSED)})`.execute(tx)
    if (begins !== null) {
      const soon = sql`now() + make_interval(secs => ${AHEAD}::int)`
      const due = sql`after_quiet(greatest(due_at, ${soon}), zone, ${begins}::time, ${ends}::time)`
      await sql`
        update delivery d set due_at = ${due}
        where ${open(key)} and due_at < ${soon} and ${due} > ${soon}`.execute(tx)
    }
    if (passed || canLeave)
      await sql`
        update campaign set followed_at = now()
        where client_id = ${key.clientId} and campagne_id = ${key.campaignId}
          and (followed_at is null or followed_at < now() - interval '1 minute')`.execute(tx)
  })
}

function open({ clientId, campaignId }: CampaignKey) {
  return sql`d.client_id = ${clientId} and d.campagne_id = ${campaignId} and d.state in ('pending', 'deferred')
    and d.zone is not null`
}
