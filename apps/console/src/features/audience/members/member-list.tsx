import { columnFilters } from '@emma/contract/column-filters.ts'
import type { Filter } from '@emma/contract/define-resource.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { ListTableSkeleton } from '@emma/ui/list/list-table.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import type { ListFilter } from '@emma/ui/list/list-parts.ts'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { columnLabel } from '../../../shell/resource/column-label.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { DatasourcePicker } from '../datasources/datasource-picker.tsx'
import { NoDatasource } from '../datasources/no-datasource.tsx'
import { useMemberColumns } from './member-columns.tsx'
import { membersOf } from './members-of.ts'
import { useMemberActions } from './use-member-actions.tsx'
import { type Datasource, useMemberTable } from './use-member-table.ts'

/** List of the members of a datasource. */
export default function MemberList(): ReactNode {
  const { t } = useTranslation()
  const { datasources, chosen, choose, isPending, error } = useMemberTable()
  if (chosen)
    return (
      <Members
        key={chosen.member_table_id}
        datasource={chosen}
        picker={
          <DatasourcePicker datasources={datasources} value={chosen.member_table_id} onChange={choose} />
        }
      />
    )
  return (
    <Page title={t('screens.subscribers')}>
      {isPending && <ListTableSkeleton columns={5} rows={10} />}
      {error ? <ErrorState error={error} /> : null}
      {!isPending && !error && <NoDatasource />}
    </Page>
  )
}

function Members({ datasource, picker }: { datasource: Datasource; picker: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const table = datasource.member_table_id
  const member = membersOf(datasource)
  const actions = useMemberActions(table)
  return (
    <ResourceList
      resource={member}
      name={`member.${table}`}
      buttons={picker}
      newHref={`/subscribers/edit/new?table=${table}`}
      href={row => `/subscribers/edit/${row.member_id}?table=${table}`}
      columns={useMemberColumns(datasource)}
      filters={filtersOf(datasource.emmamembertableschema, t)}
      sort={null}
      actions={actions.forRow}
      bulkActions={actions.forMany}
      exportName={datasource.name}
      empty={{
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

function filtersOf(
  columns: readonly MemberColumn[],
  t: TFunction,
): (Partial<ListFilter> & { name: string })[] {
  const label = (name: string) => t(`audience.member.filters.${name}`)
  return [
    { name: 'onlyactive', label: label('onlyactive'), kind: 'flag' },
    { name: 'email', label: label('email'), kind: 'text' },
    ...columns.flatMap(column =>
      Object.entries(columnFilters([column])).map(([name, { operator }]) =>
        columnFilter(name, operator, column, t),
      ),
    ),
    { name: 'include_unsubscribed', label: label('include_unsubscribed'), kind: 'flag' },
    ...dateFilters.map(name => ({ name, label: label(name) })),
  ]
}

function columnFilter(
  name: string,
  operator: Filter['operator'],
  column: MemberColumn,
  t: TFunction,
): Partial<ListFilter> & { name: string } {
  const label = columnLabel(column, t)
  if (operator === 'after' || operator === 'before' || operator === 'contains')
    return { name, label: t(`audience.member.filters.column_${operator}`, { label }) }
  if (column.data_type === 'enum')
    return { name, label, options: column.options.map(value => ({ value, label: value })) }
  return column.data_type === 'bool' ? { name, label } : { name, label, kind: 'number' }
}
