import { queryKeys } from '@emma/client/query-keys.ts'
import { verifyDomain } from '@emma/contract/actions/deliverability.ts'
import { domain, domainStates } from '@emma/contract/resources/domain.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { Column, ListFilter, RowAction } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconCheck, IconMinus, IconRefresh, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import classes from './domain-list.module.css'
import { type Domain, DomainStatus } from './domain-status.tsx'

const path = '/settings/domains'
const filterNames = ['status', 'is_blocklisted']
const defaults = { sort: { field: 'name', descending: false } }
const checks = ['spf_ok', 'dkim_ok', 'dmarc_ok', 'mx_ok', 'cname_ok'] as const

/** The domains mail is sent from, and whether receivers can verify it. */
export default function DomainList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(domain, row => row.name)
  const checkActions = useCheckAction()
  const create = (
    <NewButton resource={domain} href={`${path}/edit/new`} label={t('deliverability.domain.new')} />
  )
  return (
    <Page title={t('screens.domains')} actions={create}>
      <ListScreen
        name="domain"
        label={t('screens.domains')}
        columns={useColumns()}
        filters={useFilters()}
        rowKey={row => row.domain_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(domain)}
        load={(query, options) => api.list(domain, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.domain_id}`}
        rowActions={row => [...checkActions(row), ...removal.forRow(row)]}
        bulkActions={removal.forMany}
        empty={{
          title: t('deliverability.domain.empty_title'),
          text: t('deliverability.domain.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

function useColumns(): Column<Domain>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`deliverability.domain.fields.${field}`)
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    {
      id: 'status',
      header: label('status'),
      sort: 'status',
      width: 150,
      cell: row => <DomainStatus status={row.status} />,
      text: row => t(`deliverability.domain.states.${row.status}`),
    },
    ...checks.map(check => ({
      id: check,
      header: label(check),
      width: 92,
      wideOnly: true,
      cell: (row: Domain) => <CheckMark label={label(check)} ok={row[check]} />,
    })),
    {
      id: 'purpose',
      header: label('purpose'),
      hidden: true,
      cell: row => t(`deliverability.domain.purposes.${row.purpose}`),
    },
    {
      id: 'last_check',
      header: label('last_check'),
      sort: 'last_check',
      width: 170,
      cell: row => format.relative(row.last_check),
    },
  ]
}

function CheckMark({ label, ok }: { label: string; ok: boolean | null }): ReactNode {
  const { t } = useTranslation()
  const words = ok === null ? 'unknown' : ok ? 'right' : 'wrong'
  const Icon = { unknown: IconMinus, right: IconCheck, wrong: IconX }[words]
  const name = `${label}: ${t(`deliverability.domain.check.${words}`)}`
  return (
    <Icon className={classes.mark} data-state={words} size={16} stroke={2} role="img" aria-label={name} />
  )
}

function useCheckAction(): (row: Domain) => RowAction[] {
  const { t } = useTranslation()
  const { mayChange } = useRights(domain)
  if (!mayChange) return () => []
  return row => [
    {
      id: 'check',
      label: t('deliverability.domain.check.now'),
      icon: <IconRefresh size={16} />,
      async run() {
        const { status } = await api.call(verifyDomain, { params: { id: row.domain_id } })
        await refresh(domain)
        const words = t(`deliverability.domain.checked.${status === 'verified' ? 'verified' : 'failed'}`, {
          name: row.name,
        })
        if (status === 'verified') notify.success(words)
        else notify.warning(words)
      },
    },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'status',
      label: t('deliverability.domain.fields.status'),
      kind: 'choice',
      pinned: true,
      options: domainStates.map(value => ({ value, label: t(`deliverability.domain.states.${value}`) })),
    },
    { name: 'is_blocklisted', label: t('deliverability.domain.fields.is_blocklisted'), kind: 'flag' },
  ]
}
