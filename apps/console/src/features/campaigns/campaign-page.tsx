import { campaign } from '@emma/contract/resources/campaign.ts'
import type { ReactNode } from 'react'
import { RecordPage, useRecordId } from '../../shell/layout/record-page.tsx'
import { useScreenTitle } from '../../shell/layout/use-screen-title.ts'
import { CampaignBadge } from '../../shell/resource/campaign-state.tsx'
import { NotFoundScreen } from '../../shell/states/not-found-screen.tsx'
import { CampaignControls } from './campaign-controls.tsx'
import type { Campaign } from './editor/campaign-steps.ts'

const included = ['domain', 'list', 'mailclass', 'message']
const badgeOf = (record: Campaign) => <CampaignBadge valid={record.valid} />
const controlsOf = (record: Campaign) => <CampaignControls campaign={record} />

/** Screen of one campaign: its name, state and controls above the content. */
export function CampaignPage({ children }: { children: (record: Campaign) => ReactNode }): ReactNode {
  const title = useScreenTitle()
  if (useRecordId() === null) return <NotFoundScreen />
  return (
    <RecordPage
      resource={campaign}
      back="/campaigns/archive"
      included={included}
      title={record => record?.name ?? title}
      subtitle={badgeOf}
      actions={controlsOf}
    >
      {record => record && children(record)}
    </RecordPage>
  )
}
