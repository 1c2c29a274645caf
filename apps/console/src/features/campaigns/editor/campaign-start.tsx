import { campaignState } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CampaignBadge } from '../../../shell/resource/campaign-state.tsx'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { RecordPage, useRecordId } from '../../../shell/layout/record-page.tsx'
import { CampaignCheck } from './campaign-check.tsx'
import { CampaignControls } from '../campaign-controls.tsx'
import { CommentsCard } from '../comments/comments-card.tsx'
import { CampaignMonitor } from '../campaign-monitor.tsx'
import classes from '../campaigns.module.css'
import { PlacementCard } from '../placement/placement-card.tsx'
import type { Campaign } from './campaign-steps.ts'

const included = ['domain', 'list', 'mailclass', 'message']
const waiting: readonly number[] = [campaignState.draft, campaignState.scheduled, campaignState.held]
const badgeOf = (record: Campaign) => <CampaignBadge valid={record.valid} />
const controlsOf = (record: Campaign) => <CampaignControls campaign={record} />

/** Screen of the check before the start, and of the monitor afterwards. */
export default function CampaignStart(): ReactNode {
  const { t } = useTranslation()
  if (useRecordId() === null) return <NotFoundScreen />
  return (
    <RecordPage
      resource={campaign}
      back="/campaigns/archive"
      included={included}
      title={record => record?.name ?? t('screens.campaign_start')}
      subtitle={badgeOf}
      actions={controlsOf}
    >
      {record => {
        if (!record) return null
        return waiting.includes(record.valid) ? (
          <CampaignCheck campaign={record} />
        ) : (
          <Stack>
            <div className={classes.stack}>
              <CampaignMonitor campaign={record} />
              <PlacementCard campaign={record} />
            </div>
            <CommentsCard campaign={record} />
          </Stack>
        )
      }}
    </RecordPage>
  )
}
