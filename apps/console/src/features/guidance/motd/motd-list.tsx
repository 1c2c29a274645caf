import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { motd, motdStates, motdTypes } from '@emma/contract/resources/motd.ts'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { inLanguage } from '../../../shell/guidance/in-language.ts'
import { asLang } from '../../../shell/i18n/i18n.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'

type Motd = RecordOf<typeof motd>

const path = '/messages'
const filterNames = ['state', 'type']
const defaults = { sort: { field: 'startdate', descending: true } }
const tones: Record<Motd['state'], Tone> = { planned: 'info', active: 'positive', ended: 'neutral' }

/** What is told to people in the console: planned, shown now, over. */
export default function MotdList(): ReactNode {
  const { t, i18n } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const titleOf = (row: Motd) => inLanguage(row, 'title', i18n.resolvedLanguage)
  const removal = useRemoveActions(motd, titleOf)
  const create = <NewButton resource={motd} href={`${path}/edit/new`} label={t('messages.motd.new')} />
  return (
    <Page title={t('screens.messages')} actions={create}>
      <ListScreen
        name="motd"
        label={t('screens.messages')}
        columns={useColumns(titleOf)}
        filters={useFilters()}
        rowKey={row => row.id}
        rowLabel={titleOf}
        queryKey={queryKeys.lists(motd)}
        load={(query, options) => api.list(motd, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.id}`}
        rowActions={removal.forRow}
        bulkActions={removal.forMany}
        empty={{ title: t('messages.motd.empty_title'), text: t('messages.motd.empty_text'), action: create }}
      />
    </Page>
  )
}

function useColumns(titleOf: (row: Motd) => string): Column<Motd>[] {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`messages.motd.fields.${field}`)
  return [
    {
      id: 'title',
      header: t('messages.motd.title'),
      sort: `title_${asLang(i18n.resolvedLanguage)}`,
      cell: titleOf,
      text: titleOf,
    },
    {
      id: 'state',
      header: label('state'),
      width: 120,
      cell: row => (
        <StatusBadge tone={tones[row.state]}>{t(`messages.motd.states.${row.state}`)}</StatusBadge>
      ),
    },
    {
      id: 'look',
      header: t('messages.motd.look'),
      width: 200,
      cell: row => lookOf(row, t),
      text: row => lookOf(row, t),
    },
    {
      id: 'startdate',
      header: label('startdate'),
      sort: 'startdate',
      width: 170,
      cell: row => format.dateTime(row.startdate),
    },
    {
      id: 'enddate',
      header: label('enddate'),
      sort: 'enddate',
      width: 170,
      cell: row => (row.enddate === null ? t('messages.motd.open_end') : format.dateTime(row.enddate)),
    },
    {
      id: 'targets',
      header: t('messages.motd.targets'),
      width: 190,
      wideOnly: true,
      cell: row => targetsOf(row, t),
      text: row => targetsOf(row, t),
    },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  const choices = (values: readonly string[], group: string) =>
    values.map(value => ({ value, label: t(`messages.motd.${group}.${value}`) }))
  return [
    {
      name: 'state',
      label: t('messages.motd.fields.state'),
      kind: 'choice',
      pinned: true,
      options: choices(motdStates, 'states'),
    },
    {
      name: 'type',
      label: t('messages.motd.fields.type'),
      kind: 'choice',
      options: choices(motdTypes, 'types'),
    },
  ]
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
