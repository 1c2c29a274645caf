import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { scdActions, scdRule } from '@emma/contract/resources/scd-rule.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActiveColumn, useActiveSwitch } from '../../../shell/resource/active-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { replyRuleName } from '../../../shell/resource/reply-rule-name.ts'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { ScdLog } from './scd-log.tsx'
import { ScdTest } from './scd-test.tsx'

type ScdRule = RecordOf<typeof scdRule>

const path = '/system/scd-rules'
const filterNames = ['action', 'onlyactive']
const defaults = { sort: { field: 'priority', descending: false } }

/** What follows from the replies of receiving servers, what the rules did lately, and a place to try them. */
export default function ScdRuleList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(scdRule, row => replyRuleName(row.name))
  const activeSwitch = useActiveSwitch(scdRule)
  const create = (
    <NewButton resource={scdRule} href={`${path}/edit/new`} label={t('deliverability.scd_rule.new')} />
  )
  return (
    <Page title={t('screens.scd_rules')} subtitle={t('deliverability.scd_rule.subtitle')} actions={create}>
      <Stack gap="lg">
        <ScdLog />
        <ScdTest />
        <ListScreen
          name="scd_rule"
          label={t('screens.scd_rules')}
          columns={useColumns()}
          filters={useFilters()}
          rowKey={row => row.id}
          rowLabel={row => replyRuleName(row.name)}
          queryKey={queryKeys.lists(scdRule)}
          load={(query, options) => api.list(scdRule, query, options)}
          state={state}
          onStateChange={setState}
          href={row => `${path}/edit/${row.id}`}
          rowActions={row => [...activeSwitch(row), ...removal.forRow(row)]}
          bulkActions={removal.forMany}
          empty={{
            title: t('deliverability.scd_rule.empty_title'),
            text: t('deliverability.scd_rule.empty_text'),
            action: create,
          }}
        />
      </Stack>
    </Page>
  )
}

function useColumns(): Column<ScdRule>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const active = useActiveColumn()
  const label = (field: string) => t(`deliverability.scd_rule.fields.${field}`)
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => replyRuleName(row.name) },
    {
      id: 'priority',
      header: label('priority'),
      sort: 'priority',
      width: 130,
      align: 'end',
      cell: row => format.number(row.priority),
    },
    {
      id: 'action',
      header: label('action'),
      sort: 'action',
      width: 260,
      cell: row => t(`deliverability.scd_rule.actions.${row.action}`),
    },
    {
      id: 'hits',
      header: label('hits'),
      sort: 'hits',
      width: 130,
      align: 'end',
      cell: row => format.number(row.hits),
    },
    active,
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'action',
      label: t('deliverability.scd_rule.fields.action'),
      kind: 'choice',
      pinned: true,
      options: scdActions.map(action => ({
        value: action,
        label: t(`deliverability.scd_rule.actions.${action}`),
      })),
    },
    { name: 'onlyactive', label: t('state.only_active'), kind: 'flag' },
  ]
}
