import { campaignState } from '@emma/contract/campaign-states.ts'
import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { textOfFault } from '../../shell/i18n/text-of-fault.ts'
import type { Campaign } from './editor/campaign-steps.ts'

/** Alert with the reason why a campaign waits, is held or has failed; renders nothing without one. */
export function CampaignReason({ campaign }: { campaign: Campaign }): ReactNode {
  const { error, error_code, error_values, valid } = campaign
  if (!error) return null
  return (
    <Alert
      variant="light"
      color={valid === campaignState.running ? 'yellow' : 'red'}
      icon={<IconAlertTriangle />}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}
    >
      {textOfFault({ code: error_code, values: error_values, message: error })}
    </Alert>
  )
}
