import type { ReactNode } from 'react'
import { CampaignMonitor } from './campaign-monitor.tsx'
import classes from './campaigns.module.css'
import { CommentsCard } from './comments/comments-card.tsx'
import type { Campaign } from './editor/campaign-steps.ts'
import { PlacementCard } from './placement/placement-card.tsx'
import { CampaignQueue } from './queue/campaign-queue.tsx'

/** Progress and queue of a campaign, where its emails arrive, and the comments on it. */
export function CampaignLive({ campaign }: { campaign: Campaign }): ReactNode {
  return (
    <div className={classes.stack}>
      <CampaignMonitor campaign={campaign} />
      <CampaignQueue campaign={campaign} />
      <PlacementCard campaign={campaign} />
      <CommentsCard campaign={campaign} />
    </div>
  )
}
