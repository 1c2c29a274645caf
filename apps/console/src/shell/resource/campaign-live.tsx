import { campaign } from '@emma/contract/resources/campaign.ts'
import type { SocketData } from '@emma/contract/socket.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Progress } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { refresh } from './record-calls.ts'
import { isAtWork } from './campaign-state.tsx'
import { useSocketMessage } from '../notifications/socket-provider.tsx'
import classes from './campaign-live.module.css'

export type CampaignProgress = SocketData<'CAMPAIGN_PROGRESS'>

/**
 * Live progress by campaign id, from socket messages. Invalidates lists and records when a campaign's state changes.
 */
export function useCampaignProgress(): ReadonlyMap<number, CampaignProgress> {
  const [progress, setProgress] = useState<ReadonlyMap<number, CampaignProgress>>(new Map())
  useSocketMessage('CAMPAIGN_PROGRESS', data =>
    setProgress(before => new Map(before).set(data.campagne_id, data)),
  )
  useSocketMessage('CAMPAIGN_STATUS', data => {
    setProgress(before => {
      const after = new Map(before)
      after.delete(data.campagne_id)
      return after
    })
    void refresh(campaign)
  })
  return progress
}

interface CampaignProgressBarProps {
  campaign: { name: string; valid: number; progress_cur: number; estimated_volume: number }
  live?: CampaignProgress | undefined
}

/** Progress bar with percentage; renders nothing before the first message is sent. */
export function CampaignProgressBar({ campaign: row, live }: CampaignProgressBarProps): ReactNode {
  const format = useFormat()
  const done = Math.max(row.progress_cur, live?.progress_cur ?? 0)
  const total = Math.max(row.estimated_volume, live?.estimated_volume ?? 0)
  if (total === 0 || done === 0) return null
  const share = Math.min(1, done / total)
  return (
    <span className={classes.progress}>
      <Progress
        value={share * 100}
        size="xs"
        color={isAtWork(row.valid) ? 'brand' : 'gray'}
        aria-label={row.name}
      />
      {/* Rounded down: 100 % means finished. */}
      <span>{format.percent(Math.floor(share * 100) / 100, 0)}</span>
    </span>
  )
}
