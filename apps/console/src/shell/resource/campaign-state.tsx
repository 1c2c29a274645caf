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

/** The states in the order of a campaign's life. */
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

/** The state a campaign's `valid` stands for. */
export function campaignStateName(valid: number): CampaignStateName {
  return campaignStateNames.find(name => campaignState[name] === valid) ?? 'draft'
}

/** The colour of the state a campaign's `valid` stands for. */
export function campaignTone(valid: number): Tone {
  return tones[campaignStateName(valid)]
}

/** Is the engine at work on it? */
export function isAtWork(valid: number): boolean {
  return valid === campaignState.running || valid === campaignState.preparing
}

/** The state of a campaign in a word. */
export function CampaignBadge({ valid }: { valid: number }): ReactNode {
  const { t } = useTranslation()
  const name = campaignStateName(valid)
  return (
    <StatusBadge tone={tones[name]} isLive={isAtWork(valid)}>
      {t(`campaign_state.${name}`)}
    </StatusBadge>
  )
}
