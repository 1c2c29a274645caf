import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import type { SharedRecord } from '@emma/core/platform/share-links.ts'
import { accessibleClients, type Actor } from '@emma/core/resource/actor.ts'
import type { Http } from './http.ts'

/** Key of a campaign of which something is shared by a link. Throws `not_found`. */
export async function sharedCampaign(
  db: Http['db'],
  actor: Actor,
  { id }: { id: number },
): Promise<SharedRecord> {
  const { client_id: clientId } = await campaignOperations.find(db, actor, accessibleClients(actor), id)
  return { clientId, id }
}
