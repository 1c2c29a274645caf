import { type CampaignStateName, campaignState } from '@emma/contract/campaign-states.ts'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const tones: Record<CampaignStateName, Tone> = {
  draft: 'neutral',
  scheduled: 'info',
  preparing: 'active',
  running: 'active',
  paused: 'caution',
  held: 'caution',
  finished: 'positive',
  stopped: 'negative',
  failed: 'negative',
  archived: 'neutral',
}

/** The states in the order of a campaign's life cycle. */
export const campaignStateNames: readonly CampaignStateName[] = [
  'draft',
  'scheduled',
  'preparing',
  'running',
  'paused',
  'held',
  'finished',
  'stopped',
  'failed',
  'archived',
]

/** Name of the state that `valid` stands for. */
export function campaignStateName(valid: number): CampaignStateName {
  return campaignStateNames.find(name => campaignState[name] === valid) ?? 'draft'
}

/** Tone of the state that `valid` stands for. */
export function campaignTone(valid: number): Tone {
  return tones[campaignStateName(valid)]
}

/** True while the campaign is being prepared or sent. */
export function isAtWork(valid: number): boolean {
  return valid === campaignState.running || valid === campaignState.preparing
}

/** Badge of a campaign's state. */
export function CampaignBadge({ valid }: { valid: number }): ReactNode {
  const { t } = useTranslation()
  const name = campaignStateName(valid)
  return (
    <StatusBadge tone={tones[name]} isLive={isAtWork(valid)}>
      {t(`campaign_state.${name}`)}
    </StatusBadge>
  )
}
