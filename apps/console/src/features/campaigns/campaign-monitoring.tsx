import type { ReactNode } from 'react'
import { CampaignLive } from './campaign-live.tsx'
import { CampaignPage } from './campaign-page.tsx'

/** Live view of a campaign in any state (R035). */
export default function CampaignMonitoring(): ReactNode {
  return <CampaignPage>{record => <CampaignLive campaign={record} />}</CampaignPage>
}
