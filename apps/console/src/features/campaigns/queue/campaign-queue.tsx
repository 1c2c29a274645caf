import { queryKeys } from '@emma/client/query-keys.ts'
import { type CampaignQueue as Queue, readCampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isAtWork } from '../../../shell/resource/campaign-state.tsx'
import { api } from '../../../shell/session/api.ts'
import type { Campaign } from '../editor/campaign-steps.ts'
import { DeferralsCard } from './deferrals-card.tsx'
import { PoolCard } from './pool-card.tsx'
import { ProvidersTable } from './providers-table.tsx'
import { RoutesCard } from './routes-card.tsx'
import { RuleActionsCard } from './rule-actions-card.tsx'
import { useLiveCount } from './use-live-count.ts'
import { Waits } from './waits.tsx'
import classes from '../campaigns.module.css'

/** Emails of a campaign that wait, and why: by mailbox provider, mail class, domain, reply and reply rule (R035). */
export function CampaignQueue({ campaign }: { campaign: Campaign }): ReactNode {
  const { campagne_id: id, valid } = campaign
  const queue = useLiveCount(
    queryKeys.action(readCampaignQueue, { id, valid }),
    signal => api.call(readCampaignQueue, { params: { id }, ignoreCache: true, signal }),
    isAtWork(valid),
  )
  if (valid === campaignState.preparing) return null
  if (queue.error && !queue.data)
    return <ErrorState error={queue.error} onRetry={() => void queue.refetch()} />
  if (!queue.data) return <BlockSkeleton height={90} />
  const { data } = queue
  const onEnded = () => void queue.refetch()
  const isSending = isAtWork(valid) || data.providers.length > 0
  return (
    <div className={classes.stack}>
      {isSending && <QueueCard campaign={campaign} queue={data} onEnded={onEnded} />}
      {isSending && <RoutesCard routes={data.routes} onEnded={onEnded} />}
      <PoolCard domains={data.domains} />
      <DeferralsCard campaign={campaign} queue={data} />
      <RuleActionsCard actions={data.rule_actions} onEnded={onEnded} />
    </div>
  )
}

interface QueueCardProps {
  campaign: Campaign
  queue: Queue
  onEnded: () => void
}

function QueueCard({ campaign, queue, onEnded }: QueueCardProps): ReactNode {
  const { t } = useTranslation()
  const { waits, providers } = queue
  return (
    <Card title={t('campaigns.queue.title')} isFlush>
      {waits.length > 0 && (
        <div className={classes.waits}>
          <Waits waits={waits} />
        </div>
      )}
      {providers.length === 0 ? (
        <Text size="sm" c="dimmed" p="md">
          {t('campaigns.queue.empty')}
        </Text>
      ) : (
        <ProvidersTable campaign={campaign} providers={providers} onEnded={onEnded} />
      )}
    </Card>
  )
}
