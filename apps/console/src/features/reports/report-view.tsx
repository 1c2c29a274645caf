import { queryKeys } from '@emma/client/query-keys.ts'
import { ApiError } from '@emma/client/api-error.ts'
import { findReport } from '@emma/contract/actions/reports.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { csvText } from '@emma/contract/csv.ts'
import { csvDelimiter, saveAsFile } from '@emma/ui/list/list-csv.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { IconActivity, IconDownload, IconRepeat, IconShare, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { CampaignBadge, isAtWork } from '../../shell/resource/campaign-state.tsx'
import { ForbiddenScreen } from '../../shell/states/forbidden-screen.tsx'
import { NotFoundScreen } from '../../shell/states/not-found-screen.tsx'
import { Page } from '../../shell/layout/page.tsx'
import { useRecordId } from '../../shell/layout/record-page.tsx'
import { useSocketMessage } from '../../shell/notifications/socket-provider.tsx'
import { useUrlDrawer } from '../../shell/layout/use-url-drawer.ts'
import { useScreenTitle } from '../../shell/layout/use-screen-title.ts'
import { usePermission } from '../../shell/session/use-session.ts'
import { DownloadButton } from './download-button.tsx'
import { RecipientsDrawer } from './recipients-drawer.tsx'
import { reportRows } from './report-csv.ts'
import { ReportFaults } from './report-faults.tsx'
import { ReportFigures } from './report-figures.tsx'
import { ReportLinks } from './report-links.tsx'
import { type People, readPeople, type Report } from './report-query.ts'
import { ReportTime } from './report-time.tsx'
import { ResendDialog } from './resend-dialog.tsx'
import { LearnedTimeCard } from './learned-time-card.tsx'
import { SplitCard } from './split/split-card.tsx'
import { ReportWho } from './report-who.tsx'
import { ReportShares } from './sales/sales-shares.tsx'
import classes from './reports.module.css'

/** Refetch intervals in ms while the campaign runs, and afterwards. */
const refreshEvery = { running: 5_000, over: 60_000 }

/** Report of one campaign. */
export default function ReportView(): ReactNode {
  const screenTitle = useScreenTitle()
  const id = useRecordId()
  const report = useReport(id ?? null)
  const drawer = useUrlDrawer('people')
  const setPeople = (people: People) => drawer.open(people)
  const { data, error } = report
  if (id === undefined || id === null || isGone(error)) return <NotFoundScreen />
  if (error && !data && isForbidden(error)) return <ForbiddenScreen missing={['EmmaReport:get']} />
  return (
    <Page
      back="/campaigns/reports"
      title={data?.name ?? screenTitle}
      status={data && <CampaignBadge valid={data.valid} />}
      subtitle={data && <Period report={data} />}
      actions={data && <Actions report={data} onPeople={setPeople} />}
    >
      {!data && error && <ErrorState error={error} onRetry={() => void report.refetch()} />}
      {!data && !error && <BlockSkeleton height={320} />}
      {data && (
        <div className={classes.report}>
          <ReportFigures report={data} onPeople={setPeople} />
          {data.has_split && <SplitCard campaign={data} onPeople={setPeople} />}
          {data.has_learned_time && <LearnedTimeCard campaign={data} />}
          <ReportTime report={data} />
          <ReportLinks report={data} onPeople={setPeople} />
          <ReportWho report={data} onPeople={setPeople} />
          <ReportFaults report={data} onPeople={setPeople} />
        </div>
      )}
      {data && <RecipientsDrawer report={data} people={readPeople(drawer.value)} onClose={drawer.close} />}
    </Page>
  )
}

function useReport(id: number | null) {
  const report = useQuery({
    queryKey: queryKeys.action(findReport, { id }),
    queryFn: ({ signal }) => api.call(findReport, { params: { id: id ?? 0 }, ignoreCache: true, signal }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && isAtWork(data.valid) ? refreshEvery.running : refreshEvery.over,
  })
  useSocketMessage('CAMPAIGN_STATUS', ({ campagne_id }) => {
    if (campagne_id === id) void report.refetch()
  })
  return report
}

function Period({ report }: { report: Report }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (report.started_at === null) return null
  const start = format.dateTime(report.started_at)
  if (report.finished_at === null) return t('reports.since', { start })
  return t('reports.period', { start, end: format.dateTime(report.finished_at) })
}

interface ActionsProps {
  report: Report
  onPeople: (people: People) => void
}

function Actions({ report, onPeople }: ActionsProps): ReactNode {
  const { t, i18n } = useTranslation()
  const mayResend = usePermission({ all: ['EmmaCampaign:post', 'EmmaList:post', 'EmmaMember:get'] })
  const mayShare = usePermission({ all: ['EmmaReport:post'] })
  const [isResending, setResending] = useState(false)
  const [isSharing, setSharing] = useState(false)
  return (
    <>
      <Button
        component={Link}
        to={`/campaigns/start/${report.campagne_id}`}
        variant="default"
        leftSection={<IconActivity size={16} />}
      >
        {t('reports.progress')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconUsers size={16} />}
        onClick={() => onPeople({ title: t('reports.all_recipients'), who: {} })}
      >
        {t('reports.recipients')}
      </Button>
      <DownloadButton campaignId={report.campagne_id} name={report.name} who={{}} />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() =>
          saveAsFile(
            csvText(reportRows(report, t), csvDelimiter(i18n.language)),
            `${report.name} – ${t('reports.export.report')}.csv`,
          )
        }
      >
        {t('reports.export.report')}
      </Button>
      {mayShare && (
        <Button variant="default" leftSection={<IconShare size={16} />} onClick={() => setSharing(true)}>
          {t('reports.sales.share')}
        </Button>
      )}
      {mayResend && (
        <Button variant="default" leftSection={<IconRepeat size={16} />} onClick={() => setResending(true)}>
          {t('reports.resend.open')}
        </Button>
      )}
      {isResending && <ResendDialog report={report} onClose={() => setResending(false)} />}
      {isSharing && (
        <ReportShares campaignId={report.campagne_id} name={report.name} onClose={() => setSharing(false)} />
      )}
    </>
  )
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
