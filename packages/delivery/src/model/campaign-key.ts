/** The key of a campaign: every statement about one names its tenant too. */
export interface CampaignKey {
  clientId: number
  campaignId: number
}

/** The key as text, for maps. */
export function keyOf({ clientId, campaignId }: CampaignKey): string {
  return `${clientId}/${campaignId}`
}

export function sameCampaign(one: CampaignKey, other: CampaignKey): boolean {
  return one.campaignId === other.campaignId && one.clientId === other.clientId
}

/** The key of a thing that has more. */
export function keyFields({ clientId, campaignId }: CampaignKey): CampaignKey {
  return { clientId, campaignId }
}
