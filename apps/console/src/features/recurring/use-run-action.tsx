import { recurring } from '@emma/contract/resources/recurring.ts'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { IconChartHistogram, IconSend } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePermission } from '../../shell/session/use-session.ts'
import { useRights } from '../../shell/session/use-rights.ts'
import { runNow } from './run-now.ts'

/** Row actions of a recurring campaign: run now, and its report. */
export function useRunActions(): (row: { recurring_id: number; name: string }) => RowAction[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayChange } = useRights(recurring)
  const mayReport = usePermission({ all: ['EmmaReport:get'] })
  return row => [
    ...(mayChange
      ? [
          {
            id: 'run',
            label: t('recurring.run_now'),
            icon: <IconSend size={16} />,
            confirm: {
              title: t('recurring.run_title', { name: row.name }),
              text: t('recurring.run_text'),
              confirmLabel: t('recurring.run_now'),
            },
            run: () => runNow(row.recurring_id),
            done: { message: t('recurring.run_done', { name: row.name }) },
          },
        ]
      : []),
    ...(mayReport
      ? [
          {
            id: 'report',
            label: t('recurring.report.open'),
            icon: <IconChartHistogram size={16} />,
            run: () =>
              void navigate({ to: '/recurring/reports/$id', params: { id: String(row.recurring_id) } }),
          },
        ]
      : []),
  ]
}
