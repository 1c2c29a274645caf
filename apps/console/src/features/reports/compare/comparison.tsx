import { csvText } from '@emma/contract/csv.ts'
import { BarChart } from '@emma/ui/charts/axis-chart.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { csvDelimiter, saveAsFile } from '@emma/ui/list/list-csv.ts'
import { ActionIcon, Anchor, Button } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../reports.module.css'
import { bestOf, type Compared, comparedRates, rateOf, totalOf } from './compared-rates.ts'

interface ComparisonProps {
  /** Base name of the exported file. */
  name: string
  reports: readonly Compared[]
  /** Links the names to the reports. */
  hasReports?: boolean
  onRemove?: (id: number) => void
}

/** Rates of several reports side by side, as a chart and as a table with their total. */
export function Comparison({ name, reports, hasReports = false, onRemove }: ComparisonProps): ReactNode {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const label = (key: string) => t(`reports.compare.${key}`)
  const shown = comparedRates
    .filter(rate => reports.some(row => rate.count(row) !== null))
    .map(rate => ({ ...rate, name: label(`rates.${rate.id}`), bestRate: bestOf(rate, reports) }))
  const total = totalOf(reports, label('total'))
  const showPercent = useCallback((percent: number) => format.percent(percent / 100, 2), [format])
  return (
    <div className={classes.report}>
      <Card title={label('opens_and_clicks')}>
        <BarChart
          label={label('opens_and_clicks')}
          isHorizontal
          height={Math.max(200, 80 + reports.length * 44)}
          categories={reports.map(row => row.name)}
          series={shown
            .filter(({ id }) => id === 'opened' || id === 'clicked')
            .map(rate => ({ name: rate.name, values: reports.map(row => inPercent(rateOf(rate, row))) }))}
          showValue={showPercent}
        />
      </Card>
      <Card
        title={label('figures')}
        isFlush
        actions={
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconDownload size={16} />}
            onClick={() => exportComparison()}
          >
            {label('export')}
          </Button>
        }
      >
        <SmallTable
          label={label('figures')}
          minWidth={onRemove ? 1040 : 980}
          rows={reports.length > 1 ? [...reports, total] : reports}
          rowKey={row => row.campagne_id}
          columns={[
            {
              id: 'name',
              header: t('reports.fields.name'),
              cell: row =>
                row === total || !hasReports ? (
                  row.name
                ) : (
                  <Anchor component={Link} to={`/campaigns/reports/${row.campagne_id}`} size="sm">
                    {row.name}
                  </Anchor>
                ),
            },
            {
              id: 'started_at',
              header: t('reports.fields.started_at'),
              width: 130,
              cell: row => row !== total && format.date(row.started_at),
            },
            {
              id: 'nb_send',
              header: t('reports.fields.nb_send'),
              align: 'end',
              cell: row => format.number(row.nb_send),
            },
            ...shown.map(rate => ({
              id: rate.id,
              header: rate.name,
              align: 'end' as const,
              cell: (row: Compared) => {
                const share = rateOf(rate, row)
                const text = format.percent(share, 2)
                return row !== total && share !== null && share === rate.bestRate ? (
                  <strong>{text}</strong>
                ) : (
                  text
                )
              },
            })),
            ...(onRemove
              ? [
                  {
                    id: 'remove',
                    header: '',
                    width: 56,
                    cell: (row: Compared) =>
                      row !== total && (
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={t('reports.compare.remove', { name: row.name })}
                          onClick={() => onRemove(row.campagne_id)}
                        >
                          <IconX size={16} />
                        </ActionIcon>
                      ),
                  },
                ]
              : []),
          ]}
        />
        {shown.some(({ bestRate }) => bestRate !== null) && (
          <p className={classes.nothing}>{label('best')}</p>
        )}
      </Card>
    </div>
  )

  function exportComparison(): void {
    saveAsFile(
      csvText(
        [
          [
            t('reports.fields.name'),
            t('reports.fields.started_at'),
            t('reports.fields.nb_send'),
            ...shown.flatMap(rate => [rate.name, t('reports.compare.rate', { name: rate.name })]),
          ],
          ...reports.map(row => [
            row.name,
            row.started_at,
            row.nb_send,
            ...shown.flatMap(rate => [rate.count(row), rateOf(rate, row)]),
          ]),
        ],
        csvDelimiter(i18n.language),
      ),
      `${name}.csv`,
    )
  }
}

function inPercent(share: number | null): number | null {
  return share === null ? null : share * 100
}
