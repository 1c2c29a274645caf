import { queryKeys } from '@emma/client/query-keys.ts'
import { listReports } from '@emma/contract/actions/reports.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat } from '@emma/ui/words.tsx'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../shell/api.ts'
import { CampaignProgressBar, useCampaignProgress } from '../../shell/campaign-live.tsx'
import { CampaignBadge, isAtWork } from '../../shell/campaign-state.tsx'
import { useClientId, usePermission } from '../../shell/use-session.ts'
import classes from './dashboard.module.css'

type ReportRow = z.infer<typeof listReports.response>['data'][number]

const shown = 6

/** The campaigns that were started last, with what came of them so far. */
export function LatestCampaigns(): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const mayLook = usePermission({ all: ['EmmaReport:get'] })
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(listReports, { clientId, latest: shown }),
    queryFn: ({ signal }) => api.call(listReports, { query: { limit: shown }, ignoreCache: true, signal }),
    enabled: mayLook,
    refetchInterval: ({ state }) => (state.data?.data.some(row => isAtWork(row.valid)) ? 5_000 : false),
  })
  if (!mayLook) return null
  return (
    <Card
      title={t('dashboard.latest')}
      isFlush
      actions={
        <Button component={Link} to="/campaigns/reports" variant="subtle" size="compact-sm">
          {t('dashboard.all_reports')}
        </Button>
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && (
        <div className={classes.waiting}>
          <TextSkeleton lines={4} />
        </div>
      )}
      {data?.data.length === 0 && (
        <EmptyState
          title={t('dashboard.none')}
          text={t('dashboard.none_text')}
          action={
            <Button component={Link} to="/campaigns/edit/new">
              {t('dashboard.actions.campaign')}
            </Button>
          }
        />
      )}
      {data && data.data.length > 0 && <Table rows={data.data} />}
    </Card>
  )
}

function Table({ rows }: { rows: readonly ReportRow[] }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const progress = useCampaignProgress()
  const label = (key: string) => t(`dashboard.columns.${key}`)
  const rate = (count: number, all: number) => (all > 0 ? format.percent(count / all) : '–')
  return (
    <SmallTable
      label={t('dashboard.latest')}
      minWidth={860}
      rows={rows}
      rowKey={row => row.campagne_id}
      columns={[
        {
          id: 'name',
          header: label('name'),
          cell: row => (
            <Anchor component={Link} to={`/campaigns/reports/${row.campagne_id}`} size="sm" fw={500}>
              {row.name}
            </Anchor>
          ),
        },
        { id: 'state', header: label('state'), width: 140, cell: row => <CampaignBadge valid={row.valid} /> },
        {
          id: 'progress',
          header: label('progress'),
          width: 150,
          cell: row => (
            <CampaignProgressBar
              campaign={{ ...row, progress_cur: row.nb_recipients - row.nb_pending - row.nb_preblock }}
              live={progress.get(row.campagne_id)}
            />
          ),
        },
        { id: 'start', header: label('start'), width: 170, cell: row => format.dateTime(row.started_at) },
        { id: 'sent', header: label('sent'), align: 'end', cell: row => format.number(row.nb_send) },
        {
          id: 'delivered',
          header: label('delivered'),
          align: 'end',
          cell: row => rate(row.nb_delivered, row.nb_send),
        },
        {
          id: 'opened',
          header: label('opened'),
          align: 'end',
          cell: row => rate(row.nb_open, row.nb_delivered),
        },
        {
          id: 'clicked',
          header: label('clicked'),
          align: 'end',
          cell: row => rate(row.nb_click, row.nb_delivered),
        },
      ]}
    />
  )
}
