import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../shell/resource/resource-list.tsx'

/** List of transactional emails. */
export default function TransactionalList(): ReactNode {
  const { t } = useTranslation()
  const stateOf = (row: { active: boolean; key_hint: string | null }) =>
    row.active ? (row.key_hint === null ? 'no_key' : 'active') : 'off'
  return (
    <ResourceList
      resource={transactionalcampaign}
      subtitle={t('transactional.subtitle')}
      columns={[
        'name',
        'slug',
        'fromadr',
        {
          id: 'active',
          header: t('transactional.state'),
          width: 150,
          cell: row => (
            <StatusBadge tone={tones[stateOf(row)]}>{t(`transactional.states.${stateOf(row)}`)}</StatusBadge>
          ),
          text: row => t(`transactional.states.${stateOf(row)}`),
        },
        'updated_at',
      ]}
      filters={[{ name: 'onlyactive', pinned: false }]}
    />
  )
}

const tones = { active: 'positive', no_key: 'caution', off: 'neutral' } as const
