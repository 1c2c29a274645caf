import { queryKeys } from '@emma/client/query-keys.ts'
import * as contract from '@emma/contract/actions/sales-view.ts'
import { Anchor, Checkbox, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ShareDialog } from '../../../shell/resource/share-dialog.tsx'
import { api } from '../../../shell/session/api.ts'

interface ReportSharesProps {
  campaignId: number
  name: string
  onClose: () => void
}

/** Links to the sales view of a report (R027). */
export function ReportShares({ campaignId, name, onClose }: ReportSharesProps): ReactNode {
  const { t } = useTranslation()
  const options = useSalesOptions()
  const params = { id: campaignId }
  const path = `/salesview/${campaignId}`
  return (
    <ShareDialog
      name={name}
      about={t('reports.sales.share_text')}
      queryKey={queryKeys.action(contract.listReportShares, params)}
      list={signal => api.call(contract.listReportShares, { params, ignoreCache: true, signal })}
      make={days => api.call(contract.shareReport, { params, body: { days, ...options.chosen } })}
      revoke={share_id => api.call(contract.revokeReportShare, { params: { ...params, share_id } })}
      path={path}
      onClose={onClose}
    >
      <SalesChoice {...options} preview={path} />
    </ShareDialog>
  )
}

interface ComparisonSharesProps {
  groupId: number
  name: string
  onClose: () => void
}

/** Links to the comparison of a report group (R026). */
export function ComparisonShares({ groupId, name, onClose }: ComparisonSharesProps): ReactNode {
  const { t } = useTranslation()
  const options = useSalesOptions()
  const params = { id: groupId }
  const path = `/compare-reports/${groupId}`
  return (
    <ShareDialog
      name={name}
      about={t('reports.sales.share_comparison_text')}
      queryKey={queryKeys.action(contract.listComparisonShares, params)}
      list={signal => api.call(contract.listComparisonShares, { params, ignoreCache: true, signal })}
      make={days => api.call(contract.shareComparison, { params, body: { days, ...options.chosen } })}
      revoke={share_id => api.call(contract.revokeComparisonShare, { params: { ...params, share_id } })}
      path={path}
      onClose={onClose}
    >
      <SalesChoice {...options} preview={path} />
    </ShareDialog>
  )
}

interface SalesOptionsState {
  chosen: contract.SalesOptions
  choose: (options: contract.SalesOptions) => void
}

function useSalesOptions(): SalesOptionsState {
  const [chosen, choose] = useState<contract.SalesOptions>({ shows_complaints: true, shows_preblocks: true })
  return { chosen, choose }
}

/** What a new link shows, and how it looks. */
function SalesChoice({ chosen, choose, preview }: SalesOptionsState & { preview: string }): ReactNode {
  const { t } = useTranslation()
  const shown = new URLSearchParams(contract.salesOptions.map(option => [option, String(chosen[option])]))
  return (
    <Stack gap="xs">
      {contract.salesOptions.map(option => (
        <Checkbox
          key={option}
          label={t(`reports.sales.${option}`)}
          checked={chosen[option]}
          onChange={event => choose({ ...chosen, [option]: event.currentTarget.checked })}
        />
      ))}
      <Anchor href={`${preview}?${shown}`} target="_blank" size="sm">
        {t('reports.sales.preview')}
      </Anchor>
    </Stack>
  )
}
