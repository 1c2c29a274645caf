import { queryKeys } from '@emma/client/query-keys.ts'
import { lastResults } from '@emma/contract/actions/reports.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { retryBusy } from '../../../shell/resource/retry-busy.ts'
import { holds, useClientId, useSession } from '../../../shell/session/use-session.ts'
import classes from '../content.module.css'
import { findLastResult } from './find-last-result.ts'

/** When a template was sent last, and with what result; a link to the report. Empty for templates never sent. */
export function LastResult({ templateId }: { templateId: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const session = useSession()
  const clientId = useClientId()
  const { data: report } = useQuery({
    queryKey: queryKeys.action(lastResults, { clientId, templateId }),
    queryFn: () => findLastResult(clientId, templateId),
    enabled: holds(session, { all: ['EmmaReport:get', 'EmmaMessage:get'] }),
    staleTime: 60_000,
    ...retryBusy,
  })
  if (!report) return null
  const { nb_send: sent, nb_delivered: delivered, nb_open: opens, nb_click: clicks } = report
  const share = (people: number) => format.percent(people / delivered)
  return (
    <Anchor
      size="xs"
      c="dimmed"
      component={Link}
      to={`/campaigns/reports/${report.campagne_id}`}
      title={report.name}
    >
      <span>
        {t('content.message.last_sent', {
          when: format.relative(report.started_at),
          sent: format.number(sent),
        })}
      </span>{' '}
      {delivered > 0 && (
        <span className={classes.rates}>
          {t('content.message.last_rates', { opened: share(opens), clicked: share(clicks) })}
        </span>
      )}
    </Anchor>
  )
}
