import { campaign } from '@emma/contract/resources/campaign.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage, useRecordId } from '../../shell/layout/record-page.tsx'
import { CampaignBadge } from '../../shell/resource/campaign-state.tsx'
import { NotFoundScreen } from '../../shell/states/not-found-screen.tsx'
import { CampaignControls } from './campaign-controls.tsx'
import { CampaignMonitor } from './campaign-monitor.tsx'
import classes from './campaigns.module.css'
import type { Campaign } from './editor/campaign-steps.ts'
import { PlacementCard } from './placement/placement-card.tsx'

const included = ['domain', 'list', 'mailclass', 'message']
const badgeOf = (record: Campaign) => <CampaignBadge valid={record.valid} />
const controlsOf = (record: Campaign) => <CampaignControls campaign={record} />

/** Live view of a campaign: its queue, and where its emails arrive (R035). */
export default function CampaignMonitoring(): ReactNode {
  const { t } = useTranslation()
  if (useRecordId() === null) return <NotFoundScreen />
  return (
    <RecordPage
      resource={campaign}
      back="/campaigns/archive"
      included={included}
      title={record => record?.name ?? t('screens.campaign_monitoring')}
      subtitle={badgeOf}
      actions={controlsOf}
    >
      {record =>
        record && (
          <div className={classes.stack}>
            <CampaignMonitor campaign={record} />
            <PlacementCard campaign={record} />
          </div>
        )
      }
    </RecordPage>
  )
}
