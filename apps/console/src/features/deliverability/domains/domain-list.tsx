import { verifyDomain } from '@emma/contract/actions/deliverability.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconCheck, IconMinus, IconRefresh, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import classes from './domain-list.module.css'
import { type Domain, DomainStatus } from './domain-status.tsx'

const checks = ['spf_ok', 'dkim_ok', 'dmarc_ok', 'mx_ok', 'cname_ok'] as const

/** List of sending domains with their DNS status. */
export default function DomainList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`deliverability.domain.${key}`)
  return (
    <ResourceList
      resource={domain}
      columns={[
        'name',
        {
          id: 'status',
          width: 150,
          cell: row => <DomainStatus status={row.status} />,
          text: row => text(`states.${row.status}`),
        },
        ...checks.map(id => ({
          id,
          width: 92,
          wideOnly: true,
          cell: (row: Domain) => <CheckMark label={text(`fields.${id}`)} ok={row[id]} />,
        })),
        { id: 'purpose', hidden: true },
        { id: 'last_check', width: 170, cell: row => format.relative(row.last_check) },
      ]}
      filters={['status', 'is_blocklisted']}
      actions={useCheckAction()}
    />
  )
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
