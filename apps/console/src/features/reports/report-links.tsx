import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CountButton } from './count-button.tsx'
import { useLinkColumns } from './link-columns.tsx'
import type { People } from './report-query.ts'
import { type Report } from './report-query.ts'
import classes from './reports.module.css'

interface ReportLinksProps {
  report: Report
  onPeople: (people: People) => void
}

/** Table of clicks per link of the sent message. */
export function ReportLinks({ report, onPeople }: ReportLinksProps): ReactNode {
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
          minWidth={760}
          rows={report.links}
          rowKey={link => link.link_index}
          columns={[
            columns.name,
            {
              id: 'unique',
              header: label('people'),
              align: 'end',
              cell: link => (
                <CountButton
                  count={link.unique}
                  onClick={() =>
                    onPeople({
                      title: t('reports.links.clicked', { name: link.name || link.url }),
                      who: { event: 'click', link_index: link.link_index, verdict: 'human' },
                    })
                  }
                />
              ),
            },
            columns.share,
            columns.total,
            {
              id: 'desktop',
              header: label('desktop'),
              align: 'end',
              cell: link => format.number(link.desktop),
            },
            { id: 'mobile', header: label('mobile'), align: 'end', cell: link => format.number(link.mobile) },
            {
              id: 'machine',
              header: label('machine'),
              align: 'end',
              cell: link => format.number(link.machine),
            },
          ]}
        />
      )}
    </Card>
  )
}
