import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../editor/campaign-steps.ts'
import { RecipientsLink } from './recipients-link.tsx'
import { Waits } from './waits.tsx'

type Provider = CampaignQueue['providers'][number]

interface ProvidersTableProps {
  campaign: Campaign
  providers: readonly Provider[]
  onEnded: () => void
}

/** Emails in the queue by mailbox provider; each number opens its recipients. */
export function ProvidersTable({ campaign, providers, onEnded }: ProvidersTableProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`campaigns.queue.${key}`)
  const nameOf = ({ provider_id, name }: Provider) =>
    provider_id === 0 ? t('campaigns.monitor.other') : name
  const counted = (id: 'waiting' | 'deferred' | 'sending', who: Record<string, string>) => ({
    id,
    header: text(id),
    align: 'end' as const,
    width: 110,
    cell: (provider: Provider) => (
      <RecipientsLink
        campaign={campaign}
        count={provider[id]}
        title={`${nameOf(provider)}: ${text(id)}`}
        who={{ ...who, provider_id: provider.provider_id }}
      />
    ),
  })
  return (
    <SmallTable
      label={text('title')}
      rows={providers}
      rowKey={provider => provider.provider_id}
      minWidth={720}
      columns={[
        { id: 'name', header: t('campaigns.monitor.provider'), width: 150, cell: nameOf },
        counted('waiting', { figure: 'waiting' }),
        counted('deferred', { state: 'deferred' }),
        counted('sending', { state: 'claimed' }),
        {
          id: 'waits',
          header: text('reason'),
          cell: provider => <Waits waits={provider.waits} object={nameOf(provider)} onEnded={onEnded} />,
        },
      ]}
    />
  )
}
