import { capping } from '@emma/contract/resources/capping.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { windowOf } from './window.ts'

/** List of frequency caps, each in words. */
export default function FrequencyCapList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const inWords = ({ max_mails, period_hours }: { max_mails: number; period_hours: number }) => {
    const { length, unit } = windowOf(period_hours)
    return t('campaigns.capping.at_most', {
      count: max_mails,
      number: format.number(max_mails),
      window: t(`campaigns.capping.windows.${unit}`, { count: length ?? 0 }),
    })
  }
  return (
    <ResourceList
      resource={capping}
      subtitle={t('campaigns.capping.list_text')}
      columns={[
        'name',
        {
          id: 'max_mails',
          header: t('campaigns.capping.limit'),
          align: 'start',
          cell: inWords,
          text: inWords,
        },
        {
          id: 'scope',
          width: 260,
          cell: row => t(`campaigns.capping.scopes.${row.scope}`),
          text: row => t(`campaigns.capping.scopes.${row.scope}`),
        },
        'updated_at',
      ]}
    />
  )
}
