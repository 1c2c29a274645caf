/** Key of a campaign, with its tenant for every statement. */
export interface CampaignKey {
  clientId: number
  campaignId: number
}

/** Returns the key as a string, for maps. */
export function keyOf({ clientId, campaignId }: CampaignKey): string {
  return `${clientId}/${campaignId}`
}

export function sameCampaign(one: CampaignKey, other: CampaignKey): boolean {
  return one.campaignId === other.campaignId && one.clientId === other.clientId
}

/** Picks the key fields of an object. */
export function keyFields({ clientId, campaignId }: CampaignKey): CampaignKey {
  return { clientId, campaignId }
}
