import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { skipReasons } from '@emma/contract/actions/reports.ts'
import { useTranslation } from 'react-i18next'
import { CountButton } from './count-button.tsx'
import type { People } from './report-query.ts'
import type { Report } from './report-query.ts'
import classes from './reports.module.css'

interface ReportFaultsProps {
  report: Report
  onPeople: (people: People) => void
}

/** Bounces by server reply, and skipped recipients by reason. */
export function ReportFaults({ report, onPeople }: ReportFaultsProps): ReactNode {
  return (
    <div className={classes.pair}>
      <Bounces report={report} onPeople={onPeople} />
      <Preblocks report={report} onPeople={onPeople} />
    </div>
  )
}

function Bounces({ report, onPeople }: ReportFaultsProps): ReactNode {
  const { t } = useTranslation()
  const label = (key: string) => t(`reports.bounces.${key}`)
  const classOf = (name: string) => t(`reports.bounces.class.${name}`, { defaultValue: name })
  return (
    <Card title={label('title')} isFlush>
      {report.bounces.length === 0 ? (
        <p className={classes.nothing}>{label('none')}</p>
      ) : (
        <SmallTable
          label={label('title')}
          rows={report.bounces}
          rowKey={bounce => `${bounce.class} ${bounce.hard}`}
          columns={[
            {
              id: 'class',
              header: label('reason'),
              cell: bounce => (
                <>
                  {classOf(bounce.class)}
                  {(bounce.replies ?? []).map(reply => (
                    <q key={reply} className={classes.reply}>
                      {reply}
                    </q>
                  ))}
                </>
              ),
            },
            {
              id: 'hard',
              header: label('kind'),
              width: 120,
              cell: bounce => (
                <StatusBadge tone={bounce.hard ? 'negative' : 'caution'}>
                  {label(bounce.hard ? 'hard' : 'soft')}
                </StatusBadge>
              ),
            },
            {
              id: 'people',
              header: label('people'),
              align: 'end',
              width: 90,
              cell: bounce => (
                <CountButton
                  count={bounce.people}
                  onClick={() =>
                    onPeople({
                      title: classOf(bounce.class),
                      who: { event: 'bounce', class: bounce.class, hard: bounce.hard },
                    })
                  }
                />
              ),
            },
          ]}
        />
      )}
    </Card>
  )
}

function Preblocks({ report, onPeople }: ReportFaultsProps): ReactNode {
  const { t } = useTranslation()
  const label = (key: string) => t(`reports.preblocks.${key}`)
  const wordsOf = (reason: string | null) => (reason === null ? '–' : t(`skip_reason.${reason}`))
  return (
    <Card title={label('title')} isFlush>
      {report.preblocks.length === 0 ? (
        <p className={classes.nothing}>{label('none')}</p>
      ) : (
        <SmallTable
          label={label('title')}
          minWidth={320}
          rows={report.preblocks}
          rowKey={preblock => preblock.reason ?? ''}
          columns={[
            {
              id: 'reason',
              header: label('reason'),
              cell: preblock => (
                <>
                  {wordsOf(preblock.reason)}
                  <span className={classes.url}>{preblock.sample.slice(0, 3).join(', ')}</span>
                </>
              ),
            },
            {
              id: 'count',
              header: label('people'),
              align: 'end',
              width: 90,
              cell: preblock => (
                <CountButton
                  count={preblock.count}
                  onClick={() =>
                    onPeople({
                      title: wordsOf(preblock.reason),
                      who: {
                        state: 'skipped',
                        reason: skipReasons.find(reason => reason === preblock.reason),
                      },
                    })
                  }
                />
              ),
            },
          ]}
        />
      )}
    </Card>
  )
}
