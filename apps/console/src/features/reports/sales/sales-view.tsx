import { queryKeys } from '@emma/client/query-keys.ts'
import { readSalesView, type SalesReport, viewSalesReport } from '@emma/contract/actions/sales-view.ts'
import { Funnel } from '@emma/ui/charts/funnel.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SharedPage } from '../../../shell/layout/shared-page.tsx'
import { shareOf } from '../../../shell/resource/share-of.ts'
import { api } from '../../../shell/session/api.ts'
import { useLinkColumns } from '../link-columns.tsx'
import { bouncesOf } from '../report-query.ts'
import { ReportTime } from '../report-time.tsx'
import classes from '../reports.module.css'

/** Refetch interval in ms. */
const refreshEvery = 60_000

/** A report as its customer sees it, for users and for anybody with a link (R027). */
export default function SalesView(): ReactNode {
  const { id }: { id?: string } = useParams({ strict: false })
  const search: Search = useSearch({ strict: false })
  const { data, error } = useQuery({
    queryKey: queryKeys.action(viewSalesReport, { id, ...search }),
    queryFn: ({ signal }) => loadReport(Number(id), search, signal),
    retry: false,
    refetchInterval: refreshEvery,
  })
  return (
    <SharedPage shared={data} error={error}>
      {data && (
        <div className={classes.report}>
          <Results report={data} />
          <ReportTime report={data} />
          <Links report={data} />
        </div>
      )}
    </SharedPage>
  )
}

interface Search {
  secret?: unknown
  /** Of users without a secret: what a link would show. */
  shows_complaints?: unknown
  shows_preblocks?: unknown
}

async function loadReport(id: number, search: Search, signal: AbortSignal): Promise<SalesReport> {
  const options = { params: { id }, ignoreCache: true, signal }
  const { secret, shows_complaints, shows_preblocks } = search
  if (secret !== undefined)
    return api.call(viewSalesReport, {
      ...options,
      query: { secret: typeof secret === 'string' ? secret : '' },
    })
  return api.call(readSalesView, {
    ...options,
    query: { shows_complaints: shows_complaints !== false, shows_preblocks: shows_preblocks !== false },
  })
}

interface PartProps {
  report: SalesReport
}

function Results({ report }: PartProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { nb_send, nb_delivered, nb_open, nb_click, nb_complaint, nb_preblock } = report
  const label = (key: string) => t(`reports.figures.${key}`)
  const rate = (key: string, count: number, all: number) => ({
    label: label(key),
    value: format.number(count),
    note: format.percent(shareOf(count, all), 2),
  })
  const device = (key: 'desktop' | 'mobile', count: number) => ({
    label: t(`reports.sales.opens_${key}`),
    value: format.number(count),
    note: format.percent(shareOf(count, nb_open)),
  })
  const figures = [
    rate('bounced', bouncesOf(report), nb_send),
    rate('unsubscribed', report.nb_unsubscribe, nb_delivered),
    ...(nb_complaint === null ? [] : [rate('complained', nb_complaint, nb_delivered)]),
    ...(nb_preblock === null ? [] : [{ label: label('skipped'), value: format.number(nb_preblock) }]),
    device('desktop', report.nb_open_desktop),
    device('mobile', report.nb_open_mobile),
  ]
  return (
    <div className={classes.pair}>
      <Card title={t('reports.funnel')}>
        <Funnel
          label={t('reports.funnel')}
          steps={[
            { name: label('sent'), value: nb_send, share: shareOf(nb_send, nb_send) },
            { name: label('delivered'), value: nb_delivered, share: shareOf(nb_delivered, nb_send) },
            { name: label('opened'), value: nb_open, share: shareOf(nb_open, nb_delivered) },
            { name: label('clicked'), value: nb_click, share: shareOf(nb_click, nb_delivered) },
          ]}
        />
      </Card>
      <Figures>
        {figures.map(figure => (
          <Figure key={figure.label} {...figure} />
        ))}
      </Figures>
    </div>
  )
}

function Links({ report }: PartProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (key: string) => t(`reports.links.${key}`)
  const columns = useLinkColumns(report.nb_click)
  return (
    <Card title={label('title')} isFlush>
      {report.links.length === 0 ? (
        <p className={classes.nothing}>{label('none')}</p>
      ) : (
        <SmallTable
          label={label('title')}
          minWidth={560}
          rows={report.links}
          rowKey={link => link.link_index}
          columns={[
            columns.name,
            { id: 'unique', header: label('people'), align: 'end', cell: link => format.number(link.unique) },
            columns.share,
            columns.total,
          ]}
        />
      )}
    </Card>
  )
}
