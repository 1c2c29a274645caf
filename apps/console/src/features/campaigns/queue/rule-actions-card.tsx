import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { replyRuleName } from '../../../shell/resource/reply-rule-name.ts'
import { EndAction } from './end-action.tsx'

type RuleAction = CampaignQueue['rule_actions'][number]

interface RuleActionsCardProps {
  actions: readonly RuleAction[]
  onEnded: () => void
}

/** What reply rules did because of a campaign, and what they do to its mail classes now. */
export function RuleActionsCard({ actions, onEnded }: RuleActionsCardProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (actions.length === 0) return null
  const text = (key: string) => t(`campaigns.queue.${key}`)
  return (
    <Card title={text('rules')} isFlush>
      <SmallTable
        label={text('rules')}
        rows={actions}
        rowKey={action => action.id}
        isDimmed={action => action.undone_at !== null}
        minWidth={820}
        columns={[
          { id: 'rule', header: text('rule'), cell: action => replyRuleName(action.rule) },
          { id: 'action', header: text('did'), cell: action => <Did action={action} /> },
          {
            id: 'reply',
            header: text('reply'),
            cell: ({ reply, hits }) => (
              <>
                <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                  {reply ?? '–'}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('campaigns.queue.hits', { count: hits })}
                </Text>
              </>
            ),
          },
          { id: 'at', header: text('at'), width: 150, cell: action => format.dateTime(action.acted_at) },
          {
            id: 'until',
            header: text('ends'),
            width: 150,
            cell: action => <Ends action={action} onEnded={onEnded} />,
          },
        ]}
      />
    </Card>
  )
}

function Did({ action: { action, provider, mailclass, send_ip } }: { action: RuleAction }): ReactNode {
  const { t } = useTranslation()
  const objects = {
    backoff_provider: [provider, mailclass],
    quarantine_ip: [send_ip ?? mailclass],
    pause_campaign: [],
    blacklist: [],
    none: [],
    deactivate: [],
    retry_after: [],
  }[action]
  return (
    <>
      {t(`campaigns.queue.actions.${action}`)}
      <Text size="xs" c="dimmed">
        {objects.filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}

function Ends({ action, onEnded }: { action: RuleAction; onEnded: () => void }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (action.undone_at !== null) return t('campaigns.queue.is_undone')
  if (action.until === null) return '–'
  return (
    <>
      <Text size="sm">{format.dateTime(action.until)}</Text>
      <EndAction
        id={action.is_active ? action.id : null}
        label={replyRuleName(action.rule)}
        onEnded={onEnded}
      />
    </>
  )
}
