import type { Db } from '@emma/db/connection.ts'
import type { Campaign } from './campaign-operations.ts'
import type { Finding } from './finding.ts'
import { fault, reasonOf } from '@emma/contract/faults.ts'

/**
 * Warns about sending services, of the campaign or its mail class, that cannot report bounces, complaints and
 * unsubscribes: the login has no webhook secret or, for Amazon SES, no configuration set.
 */
export async function checkServiceEvents(db: Db, campaign: Campaign): Promise<Finding[]> {
  const ids = await listLoginIds(db, campaign)
  if (ids.length === 0) return []
  const silent = await db
    .selectFrom('esp_login')
    .select('name')
    .where('client_id', '=', campaign.client_id)
    .where('id', 'in', ids)
    .where('esp', '<>', 'smtp')
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .where(eb =>
      eb.or([
        eb('webhook_secret', 'is', null),
        eb.and([eb('esp', '=', 'ses'), eb(eb.fn.coalesce('configuration_set', eb.val('')), '=', '')]),
      ]),
    )
    .orderBy('name')
    .execute()
  return silent.map(({ name }) => ({
    code: 'service_no_events',
    field: campaign.esp_id === null ? 'mailclass_id' : 'esp_id',
    ...reasonOf(fault('campaign.service_no_events', { service: name })),
  }))
}

async function listLoginIds(db: Db, campaign: Campaign): Promise<number[]> {
  if (campaign.esp_id !== null) return [campaign.esp_id]
  if (campaign.mailclass_id === null) return []
  const mailclass = await db
    .selectFrom('mailclass')
    .select('login_ids')
    .where('client_id', '=', campaign.client_id)
    .where('mailclass_id', '=', campaign.mailclass_id)
    .executeTakeFirst()
  return mailclass?.login_ids ?? []
}
