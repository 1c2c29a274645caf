import { suppressForClient } from './suppress-for-client.ts'
import { suppressForPlatform } from './suppress-for-platform.ts'
import { SUPERADMINS } from '@emma/contract/permissions.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { addNotificationOnce } from '../../notifications/add-notification-once.ts'
import { mayHaveArrived } from '../../reports/counted.ts'

/**
 * Suppresses the addresses of new complaints for the client that received them, in all its datasources. Other clients
 * are not affected, as a client can forge complaints (webhook secret, unsigned ARF). Complaints proven by a trusted
 * feedback loop are suppressed for the whole installation too (R104).
 *
 * Reads `fresh_event` of followEvents.
 */
export async function suppressComplainers(tx: Db): Promise<void> {
  const { rows } = await sql<{ client_id: number; email: string }>`
    select distinct client_id, lower(email) as email from fresh_event
    where type = 'complaint' and email is not null and email <> ''
    order by 1, 2`.execute(tx)
  await suppressForClient(
    tx,
    { name: 'Complaints', match: 'email' },
    rows.map(({ client_id, email }) => ({
      clientId: client_id,
      value: email,
      reason: 'complaint',
      source: 'complaint',
    })),
  )
  await suppressProven(tx)
  if (rows.length > 0) await reportImplausible(tx)
}

async function suppressProven(tx: Db): Promise<void> {
  const { rows } = await sql<{ email: string; signed_by: string }>`
    select lower(email) as email, min(details ->> 'signed_by') as signed_by from fresh_event
    where type = 'complaint' and email <> '' and details -> 'proven' = 'true'::jsonb
    group by 1 order by 1`.execute(tx)
  await suppressForPlatform(
    tx,
    rows.map(({ email, signed_by }) => ({ email, reason: `complaint, proven by ${signed_by}` })),
  )
}

/** Least complaints of a campaign for an alert, and the share of accepted mails above which they are implausible. */
const ALARM_FROM = 10
const PLAUSIBLE_SHARE = 0.1

/**
 * Notifies superadmins of campaigns with an implausible number of complaints (providers block senders from 0.3 % on):
 * forged, or a case for the abuse desk. Counts accepted mails only as far as needed.
 */
async function reportImplausible(tx: Db): Promise<void> {
  const { rows } = await sql<{
    client_id: number
    client: string
    campagne_id: number
    campaign: string
    complaints: number
    accepted: number
  }>`
    select f.client_id, client.name as client, f.campagne_id, c.name as campaign, counted.complaints, sent.accepted
    from (select distinct client_id, campagne_id from fresh_event
      where type = 'complaint' and campagne_id is not null) f
    join client using (client_id)
    join campaign c using (client_id, campagne_id)
    cross join lateral (
      select count(distinct e.member_id) as complaints from event e
      where e.client_id = f.client_id and e.campagne_id = f.campagne_id and e.type = 'complaint'
    ) counted
    cross join lateral (
      select count(*) as accepted from (
        select from delivery d
        where d.client_id = f.client_id and d.campagne_id = f.campagne_id and ${mayHaveArrived('d')}
        limit ceil(counted.complaints / ${PLAUSIBLE_SHARE}::float8)::bigint
      ) d
    ) sent
    where counted.complaints >= ${ALARM_FROM} and sent.accepted * ${PLAUSIBLE_SHARE}::float8 < counted.complaints
    order by 1, 3`.execute(tx)
  for (const { client_id, client, campagne_id, campaign, complaints, accepted } of rows)
    await addNotificationOnce(tx, {
      clientId: client_id,
      permission: SUPERADMINS,
      kind: 'danger',
      code: 'complaints_implausible',
      details: { client, campaign, complaints, accepted },
      text: `${client}: ${complaints} complaints about the campaign “${campaign}”, of which ${accepted} emails were accepted. Check whether they are forged.`,
      path: `/campaigns/reports/${campagne_id}`,
    })
}
