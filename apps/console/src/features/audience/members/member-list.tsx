import { queryKeys } from '@emma/client/query-keys.ts'
import { resubscribeMember, unsubscribeMember } from '@emma/contract/actions/audience.ts'
import { columnFilters } from '@emma/contract/column-filters.ts'
import type { Filter } from '@emma/contract/define-resource.ts'
import { member } from '@emma/contract/resources/member.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { ListTableSkeleton } from '@emma/ui/list/list-table.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import type { BulkAction, ListFilter, RowAction } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { IconHistory, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type ReactNode, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { askReason } from '../blacklists/ask-reason.tsx'
import { DatasourcePicker } from '../datasources/datasource-picker.tsx'
import { columnLabel, type Member, useMemberColumns } from './member-columns.tsx'
import { NoDatasource } from '../datasources/no-datasource.tsx'
import { removeMember } from './member-calls.ts'
import { type Datasource, useMemberTable } from './use-member-table.ts'

const dateFilters = [
  'openedAfter',
  'openedBefore',
  'dateunjoinAfter',
  'dateunjoinBefore',
  'hardbounceAfter',
  'hardbounceBefore',
  'abuseAfter',
  'abuseBefore',
] as const
const filterNames = ['onlyactive', 'include_unsubscribed', 'email', ...dateFilters]

/** List of the members of a datasource. */
export default function MemberList(): ReactNode {
  const { t } = useTranslation()
  const { datasources, chosen, choose, isPending, error } = useMemberTable()
  return (
    <Page
      title={t('screens.subscribers')}
      actions={
        chosen && (
          <>
            <DatasourcePicker datasources={datasources} value={chosen.member_table_id} onChange={choose} />
            <NewButton
              resource={member}
              href={`/subscribers/edit/new?table=${chosen.member_table_id}`}
              label={t('audience.member.new')}
            />
          </>
        )
      }
    >
      {chosen && <Members key={chosen.member_table_id} datasource={chosen} />}
      {!chosen && isPending && <ListTableSkeleton columns={5} rows={10} />}
      {!chosen && error ? <ErrorState error={error} /> : null}
      {!chosen && !isPending && !error && <NoDatasource />}
    </Page>
  )
}

function Members({ datasource }: { datasource: Datasource }): ReactNode {
  const { t } = useTranslation()
  const table = datasource.member_table_id
  const own = datasource.emmamembertableschema
  const names = useMemo(() => [...filterNames, ...Object.keys(columnFilters(own))], [own])
  const [state, setState] = useListState({ filters: names })
  const actions = useMemberActions(table)
  return (
    <ListScreen
      name={`member.${table}`}
      label={t('screens.subscribers')}
      columns={useMemberColumns(datasource)}
      filters={useFilters(own)}
      rowKey={row => row.member_id}
      rowLabel={row => row.email}
      queryKey={[...queryKeys.lists(member), table]}
      load={(query, options) => api.list(member, query, { ...options, params: { member_table_id: table } })}
      state={state}
      onStateChange={setState}
      href={row => `/subscribers/edit/${row.member_id}?table=${table}`}
      rowActions={actions.forRow}
      bulkActions={actions.forMany}
      exportName={datasource.name}
      empty={{
        title: t('audience.member.empty_title'),
        text: t('audience.member.empty_text'),
        action: (
          <NewButton
            resource={{ entity: 'DataUpload' }}
            href={`/subscribers/dataupload/edit/new?table=${table}`}
            label={t('audience.membertable.upload')}
          />
        ),
      }}
    />
  )
}

function useMemberActions(table: number): {
  forRow: (row: Member) => RowAction[]
  forMany: BulkAction<Member>[]
} {
  const { t } = useTranslation()
  const { history } = useRouter()
  const { mayChange, mayDelete } = useRights(member)
  const unsubscribe = async (row: Member) => {
    await api.call(unsubscribeMember, { params: { member_table_id: table, member_id: row.member_id } })
    await refresh(member)
  }
  const resubscribe = async (row: Member, reason: string) => {
    const params = { member_table_id: table, member_id: row.member_id }
    await api.call(resubscribeMember, { params, body: { reason } })
    await refresh(member)
  }
  const takeBack = (row: Member) => resubscribe(row, t('audience.member.undo_reason'))
  const reason = useRef('')
  const off = { id: 'unsubscribe', label: t('audience.member.unsubscribe'), icon: <IconUserOff size={16} /> }
  const back = {
    id: 'resubscribe',
    label: t('audience.member.resubscribe'),
    icon: <IconUserCheck size={16} />,
  }
  const gone = { id: 'delete', label: t('action.delete'), icon: <IconTrash size={16} />, danger: true }
  const question = { confirmLabel: t('action.delete'), danger: true, text: t('audience.member.delete_text') }
  return {
    forRow: row => [
      {
        id: 'activity',
        label: t('screens.subscriber_activity'),
        icon: <IconHistory size={16} />,
        run: () => history.push(`/subscribers/activity/${row.member_id}?table=${table}`),
      },
      ...(mayChange && isSubscribed(row)
        ? [
            {
              ...off,
              run: () => unsubscribe(row),
              done: {
                message: t('audience.member.unsubscribed', { name: row.email }),
                undo: () => takeBack(row),
              },
            },
          ]
        : []),
      ...(mayChange && !isSubscribed(row)
        ? [
            {
              ...back,
              run: async () => {
                const given = await askReason(back.label)
                if (given === null) return
                await resubscribe(row, given)
                notify.success(t('audience.member.resubscribed', { name: row.email }))
              },
            },
          ]
        : []),
      ...(mayDelete
        ? [
            {
              ...gone,
              confirm: { ...question, title: t('action.delete_title', { name: row.email }) },
              run: () => removeMember(table, row),
            },
          ]
        : []),
    ],
    forMany: [
      ...(mayChange
        ? [
            {
              ...off,
              isPossible: isSubscribed,
              confirm: (rows: readonly Member[]) => ({
                title: t('audience.member.unsubscribe_many', { count: rows.length }),
                text: t('audience.member.unsubscribe_text'),
                confirmLabel: t('audience.member.unsubscribe'),
                danger: true,
              }),
              run: unsubscribe,
              undo: takeBack,
            },
            {
              ...back,
              isPossible: (row: Member) => !isSubscribed(row),
              prepare: async () => {
                const given = await askReason(back.label)
                reason.current = given ?? ''
                return given !== null
              },
              run: (row: Member) => resubscribe(row, reason.current),
            },
          ]
        : []),
      ...(mayDelete
        ? [
            {
              ...gone,
              confirm: (rows: readonly Member[]) => ({
                ...question,
                title: t('action.delete_many', { count: rows.length }),
              }),
              run: (row: Member) => removeMember(table, row),
            },
          ]
        : []),
    ],
  }
}

function isSubscribed(row: Member): boolean {
  return row.dateunjoin === null
}

function useFilters(columns: readonly MemberColumn[]): ListFilter[] {
  const { t } = useTranslation()
  const label = (name: string) => t(`audience.member.filters.${name}`)
  return [
    { name: 'onlyactive', label: label('onlyactive'), kind: 'flag', pinned: true },
    { name: 'email', label: label('email'), kind: 'text' },
    ...Object.entries(columnFilters(columns)).flatMap(([name, filter]) => {
      const column = columns.find(({ column_name }) => column_name === filter.column)
      return column ? [columnFilter(name, filter.operator, column, t)] : []
    }),
    { name: 'include_unsubscribed', label: label('include_unsubscribed'), kind: 'flag' },
    ...dateFilters.map(name => ({ name, label: label(name), kind: 'date' as const })),
  ]
}

function columnFilter(
  name: string,
  operator: Filter['operator'],
  column: MemberColumn,
  t: TFunction,
): ListFilter {
  const label = columnLabel(column, t)
  switch (operator) {
    case 'after':
      return { name, label: t('audience.member.filters.column_after', { label }), kind: 'date' }
    case 'before':
      return { name, label: t('audience.member.filters.column_before', { label }), kind: 'date' }
    case 'flag':
      return { name, label, kind: 'flag' }
    case 'contains':
      return { name, label: t('audience.member.filters.column_contains', { label }), kind: 'text' }
    default:
      if (column.data_type !== 'enum') return { name, label, kind: 'number' }
      return { name, label, kind: 'choice', options: column.options.map(value => ({ value, label: value })) }
  }
}
