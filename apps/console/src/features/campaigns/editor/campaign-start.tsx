import { campaignState } from '@emma/contract/campaign-states.ts'
import type { ReactNode } from 'react'
import { CampaignLive } from '../campaign-live.tsx'
import { CampaignPage } from '../campaign-page.tsx'
import { CampaignCheck } from './campaign-check.tsx'

const waiting: readonly number[] = [campaignState.draft, campaignState.scheduled, campaignState.held]

/** Screen of the check before the start, and of the monitor afterwards. */
export default function CampaignStart(): ReactNode {
  return (
    <CampaignPage>
      {record =>
        waiting.includes(record.valid) ? (
          <CampaignCheck campaign={record} />
        ) : (
          <CampaignLive campaign={record} />
        )
      }
    </CampaignPage>
  )
}
