import { campaignState } from '@emma/contract/campaign-states.ts'
import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { translateReason } from '../../shell/i18n/translate-error.ts'
import type { Campaign } from './editor/campaign-steps.ts'

/** Why a campaign waits, is held or failed; nothing where nothing is in its way. */
export function CampaignReason({ campaign: { error, valid } }: { campaign: Campaign }): ReactNode {
  if (!error) return null
  return (
    <Alert
      variant="light"
      color={valid === campaignState.running ? 'yellow' : 'red'}
      icon={<IconAlertTriangle />}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}
    >
      {translateReason(error)}
    </Alert>
  )
}
