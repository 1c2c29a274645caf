import { TimeChart } from '@emma/ui/charts/axis-chart.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report } from './report-query.ts'

/** Chart of opens and clicks over time. */
export function ReportTime({ report }: { report: Pick<Report, 'opens_clicks_over_time'> }): ReactNode {
  const { t } = useTranslation()
  const points = report.opens_clicks_over_time
  return (
    <Card title={t('reports.over_time')}>
      <TimeChart
        label={t('reports.over_time')}
        precision="minute"
        height={points.length === 0 ? 120 : 260}
        times={points.map(point => point.ts)}
        series={[
          { name: t('reports.hits.open'), values: points.map(point => point.opens) },
          { name: t('reports.hits.click'), values: points.map(point => point.clicks) },
        ]}
      />
    </Card>
  )
}
