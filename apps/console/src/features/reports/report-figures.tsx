import { Funnel } from '@emma/ui/charts/funnel.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CountButton } from './count-button.tsx'
import type { People } from './report-query.ts'
import { bouncesOf, type Report, type Who } from './report-query.ts'
import classes from './reports.module.css'
import { shareOf } from '../../shell/resource/share-of.ts'

interface ReportPartProps {
  report: Report
  onPeople: (people: People) => void
}

/** Funnel from recipients to clicks, with bounces, unsubscribes and complaints. */
export function ReportFigures({ report, onPeople }: ReportPartProps): ReactNode {
  const { t } = useTranslation()
  const open = (step: string, who: Who) => () => onPeople({ title: t(`reports.figures.${step}`), who })
  const step = (name: string, value: number, share: number | null, who: Who) => ({
    name: t(`reports.figures.${name}`),
    value,
    share,
    onClick: open(name, who),
  })
  const { nb_recipients, nb_send, nb_delivered, nb_open, nb_click } = report
  return (
    <div className={classes.pair}>
      <Card title={t('reports.funnel')}>
        <Funnel
          label={t('reports.funnel')}
          steps={[
            step('recipients', nb_recipients, shareOf(nb_recipients, nb_recipients), {}),
            step('sent', nb_send, shareOf(nb_send, nb_recipients), { figure: 'answered' }),
            step('delivered', nb_delivered, shareOf(nb_delivered, nb_send), { figure: 'delivered' }),
            step('opened', nb_open, shareOf(nb_open, nb_delivered), { event: 'open', verdict: 'human' }),
            step('clicked', nb_click, shareOf(nb_click, nb_delivered), { event: 'click', verdict: 'human' }),
          ]}
        />
      </Card>
      <div className={classes.stack}>
        <Losses report={report} onPeople={onPeople} />
        <HumanAndMachine report={report} onPeople={onPeople} />
      </div>
    </div>
  )
}

function Losses({ report, onPeople }: ReportPartProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { nb_send, nb_delivered, nb_recipients } = report
  const figures: [name: string, value: number, all: number, who: Who][] = [
    ['skipped', report.nb_preblock, nb_recipients, { state: 'skipped' }],
    ['bounced', bouncesOf(report), nb_send, { event: 'bounce' }],
    ['unsubscribed', report.nb_unsubscribe, nb_delivered, { event: 'unsubscribe' }],
    ['complained', report.nb_complaint, nb_delivered, { event: 'complaint' }],
    ['waiting', report.nb_pending, nb_recipients, { figure: 'waiting' }],
    ['unknown', report.nb_unknown, nb_recipients, { state: 'unknown' }],
    ['cancelled', report.nb_cancelled, nb_recipients, { state: 'cancelled' }],
  ]
  const always = new Set(['skipped', 'bounced', 'unsubscribed', 'complained'])
  return (
    <Figures>
      {figures
        .filter(([name, value]) => always.has(name) || value > 0)
        .map(([name, value, all, who]) => (
          <Figure
            key={name}
            label={t(`reports.figures.${name}`)}
            value={format.number(value)}
            note={format.percent(shareOf(value, all), 2)}
            {...(value > 0 ? { onClick: () => onPeople({ title: t(`reports.figures.${name}`), who }) } : {})}
          />
        ))}
    </Figures>
  )
}

/** Opens and clicks by people and by machines (scanners, image proxies, Apple's privacy proxy). */
function HumanAndMachine({ report, onPeople }: ReportPartProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = (['open', 'click'] as const).map(event => ({
    event,
    people: report[`nb_${event}`],
    total: report[`nb_${event}_total`],
    machine: report[`nb_${event}_machine`],
    desktop: report[`nb_${event}_desktop`],
    mobile: report[`nb_${event}_mobile`],
  }))
  const label = (key: string) => t(`reports.hits.${key}`)
  return (
    <Card title={label('title')} isFlush>
      <SmallTable
        label={label('title')}
        minWidth={420}
        rows={rows}
        rowKey={row => row.event}
        columns={[
          { id: 'event', header: label('event'), cell: row => label(row.event) },
          {
            id: 'people',
            header: label('people'),
            align: 'end',
            cell: row => (
              <CountButton
                count={row.people}
                onClick={() =>
                  onPeople({
                    title: label(`${row.event}_human`),
                    who: { event: row.event, verdict: 'human' },
                  })
                }
              />
            ),
          },
          { id: 'total', header: label('total'), align: 'end', cell: row => format.number(row.total) },
          { id: 'desktop', header: label('desktop'), align: 'end', cell: row => format.number(row.desktop) },
          { id: 'mobile', header: label('mobile'), align: 'end', cell: row => format.number(row.mobile) },
          {
            id: 'machine',
            header: label('machine'),
            align: 'end',
            cell: row => (
              <CountButton
                count={row.machine}
                onClick={() =>
                  onPeople({
                    title: label(`${row.event}_machine`),
                    who: { event: row.event, verdict: 'machine' },
                  })
                }
              />
            ),
          },
        ]}
      />
    </Card>
  )
}
