import { campaignState } from '@emma/contract/campaign-states.ts'
import { campaign as campaigns } from '@emma/contract/resources/campaign.ts'
import { Button } from '@mantine/core'
import { IconChartHistogram, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isAtWork } from '../../shell/resource/campaign-state.tsx'
import { useRights } from '../../shell/session/use-rights.ts'
import { isPossible } from './campaign-moves.ts'
import type { Campaign } from './editor/campaign-steps.ts'
import { MoveButton } from './move-button.tsx'
import { isStarted } from './use-campaign-actions.tsx'

/** Buttons of a running campaign: pause, resume, stop, and a link to its report. */
export function CampaignControls({ campaign }: { campaign: Campaign }): ReactNode {
  const { t } = useTranslation()
  const { mayChange } = useRights(campaigns)
  const label = (action: string) => t(`campaigns.actions.${action}`)
  const isPaused = campaign.valid === campaignState.paused
  return (
    <>
      {isStarted(campaign) && (
        <Button
          component={Link}
          to={`/campaigns/reports/${campaign.campagne_id}`}
          variant="default"
          leftSection={<IconChartHistogram size={16} />}
        >
          {label('report')}
        </Button>
      )}
      {mayChange && isPossible('pause', campaign) && (
        <MoveButton
          campaign={campaign}
          action="pause"
          label={label('pause')}
          variant="default"
          leftSection={<IconPlayerPause size={16} />}
        />
      )}
      {mayChange && isPaused && (
        <MoveButton
          campaign={campaign}
          action="start"
          label={label('resume')}
          leftSection={<IconPlayerPlay size={16} />}
        />
      )}
      {mayChange && (isPaused || isAtWork(campaign.valid)) && (
        <MoveButton
          campaign={campaign}
          action="stop"
          label={label('stop')}
          variant="outline"
          color="red"
          leftSection={<IconPlayerStop size={16} />}
          question={{
            title: t('campaigns.stop_title', { name: campaign.name }),
            text: t('campaigns.stop_text'),
            confirmLabel: label('stop'),
            danger: true,
          }}
        />
      )}
    </>
  )
}
