import type { RecordOf } from '@emma/client/emma-client.ts'
import { motd } from '@emma/contract/resources/motd.ts'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inLanguage } from '../../../shell/guidance/in-language.ts'
import { asLang } from '../../../shell/i18n/i18n.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'

type Motd = RecordOf<typeof motd>

const tones: Record<Motd['state'], Tone> = { planned: 'info', active: 'positive', ended: 'neutral' }

/** List of messages of the day: scheduled, current and past. */
export default function MotdList(): ReactNode {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const titleOf = (row: Motd) => inLanguage(row, 'title', i18n.resolvedLanguage)
  const look = (row: Motd) => lookOf(row, t)
  const targets = (row: Motd) => targetsOf(row, t)
  return (
    <ResourceList
      resource={motd}
      columns={[
        {
          id: 'title',
          header: t('messages.motd.title'),
          sort: `title_${asLang(i18n.resolvedLanguage)}`,
          cell: titleOf,
          text: titleOf,
        },
        {
          id: 'state',
          width: 120,
          cell: row => (
            <StatusBadge tone={tones[row.state]}>{t(`messages.motd.states.${row.state}`)}</StatusBadge>
          ),
        },
        { id: 'look', header: t('messages.motd.look'), width: 200, cell: look, text: look },
        { id: 'startdate', width: 170, cell: row => format.dateTime(row.startdate) },
        {
          id: 'enddate',
          width: 170,
          cell: row => (row.enddate === null ? t('messages.motd.open_end') : format.dateTime(row.enddate)),
        },
        {
          id: 'targets',
          header: t('messages.motd.targets'),
          width: 190,
          wideOnly: true,
          cell: targets,
          text: targets,
        },
      ]}
      filters={['state', 'type']}
      sort={{ field: 'startdate', descending: true }}
      rowLabel={titleOf}
    />
  )
}

function lookOf({ type, modal_size: size }: Motd, t: TFunction): string {
  if (size !== null) return `${t('messages.motd.looks.modal')}, ${t(`messages.motd.sizes.${size}`)}`
  return `${t('messages.motd.looks.banner')}, ${t(`messages.motd.types.${type ?? 'info'}`)}`
}

function targetsOf({ clients, roles }: Motd, t: TFunction): string {
  if (clients.length + roles.length === 0) return t('messages.motd.everybody')
  return [
    ...(clients.length > 0 ? [t('messages.motd.clients_counted', { count: clients.length })] : []),
    ...(roles.length > 0 ? [t('messages.motd.roles_counted', { count: roles.length })] : []),
  ].join(', ')
}
