import { DonutChart } from '@emma/ui/charts/donut-chart.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CountButton } from './count-button.tsx'
import type { People } from './report-query.ts'
import { type Report } from './report-query.ts'
import classes from './reports.module.css'
import { shareOf } from '../../shell/resource/share-of.ts'

interface ReportWhoProps {
  report: Report
  onPeople: (people: People) => void
}

/** Breakdown by device, mail client and mailbox provider. */
export function ReportWho({ report, onPeople }: ReportWhoProps): ReactNode {
  const { t } = useTranslation()
  const nameOf = (name: string) => (isNamed(name) ? name : t('reports.who.unknown'))
  const deviceOf = (name: string) => t(`reports.who.device.${name}`, { defaultValue: nameOf(name) })
  return (
    <>
      <div className={classes.pair}>
        <Card title={t('reports.who.devices')}>
          <DonutChart
            label={t('reports.who.devices')}
            parts={report.devices.map(({ name, people }) => ({ name: deviceOf(name), value: people }))}
            onSelect={index => {
              const device = report.devices[index]
              if (device)
                onPeople({
                  title: deviceOf(device.name),
                  who: { event: 'hit', verdict: 'human', device: device.name },
                })
            }}
          />
        </Card>
        <Card title={t('reports.who.clients')}>
          <DonutChart
            label={t('reports.who.clients')}
            parts={report.clients.map(({ name, people }) => ({ name: nameOf(name), value: people }))}
            onSelect={index => {
              const client = report.clients[index]
              if (client)
                onPeople({
                  title: nameOf(client.name),
                  who: { event: 'hit', verdict: 'human', agent_client: client.name },
                })
            }}
          />
        </Card>
      </div>
      <Providers report={report} onPeople={onPeople} />
    </>
  )
}

function Providers({ report, onPeople }: ReportWhoProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  type Provider = Report['providers'][number]
  const label = (key: string) => t(`reports.providers.${key}`)
  const nameOf = (provider: Provider) => (provider.provider_id === 0 ? label('other') : provider.name)
  const states = { accepted: 'sent', deferred: 'deferred', unknown: 'unknown' } as const
  const counted = (['accepted', 'deferred', 'unknown'] as const).map(figure => ({
    id: figure,
    header: label(figure),
    align: 'end' as const,
    cell: (provider: Provider) => (
      <CountButton
        count={provider[figure]}
        onClick={() =>
          onPeople({
            title: `${nameOf(provider)}: ${label(figure)}`,
            who: { provider_id: provider.provider_id, state: states[figure] },
          })
        }
      />
    ),
  }))
  return (
    <Card title={label('title')} isFlush>
      {report.providers.length === 0 ? (
        <p className={classes.nothing}>{label('none')}</p>
      ) : (
        <SmallTable
          label={label('title')}
          minWidth={700}
          rows={report.providers}
          rowKey={provider => provider.provider_id}
          columns={[
            { id: 'name', header: label('name'), cell: nameOf },
            {
              id: 'share',
              header: label('share'),
              align: 'end',
              cell: provider => format.percent(shareOf(provider.sent, report.nb_send)),
            },
            ...counted,
            {
              id: 'refused',
              header: label('refused'),
              align: 'end',
              cell: provider => (
                <CountButton
                  count={provider.hard + provider.soft}
                  onClick={() =>
                    onPeople({
                      title: `${nameOf(provider)}: ${label('refused')}`,
                      who: { provider_id: provider.provider_id, state: 'rejected' },
                    })
                  }
                />
              ),
            },
            {
              id: 'bounced_later',
              header: label('bounced_later'),
              align: 'end',
              cell: provider => format.number(provider.bounced_later),
            },
            {
              id: 'avg_s',
              header: label('avg_s'),
              align: 'end',
              cell: ({ avg_s }) => (avg_s === null ? '–' : `${format.number(avg_s, 1)} s`),
            },
          ]}
        />
      )}
    </Card>
  )
}

function isNamed(name: string): boolean {
  return name !== 'other' && name !== 'unknown'
}
