import { queryKeys } from '@emma/client/query-keys.ts'
import * as contract from '@emma/contract/actions/mta-stats.ts'
import { TimeChart } from '@emma/ui/charts/axis-chart.tsx'
import type { Format } from '@emma/ui/format.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { Button, Group } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SharedPage } from '../../../shell/layout/shared-page.tsx'
import { CampaignBadge, isAtWork } from '../../../shell/resource/campaign-state.tsx'
import { ShareDialog } from '../../../shell/resource/share-dialog.tsx'
import { shareOf } from '../../../shell/resource/share-of.ts'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import classes from '../reports.module.css'

/** Refetch intervals in ms while the campaign runs, and afterwards. */
const refreshEvery = { running: 5_000, over: 60_000 }

/** Live delivery figures of a campaign, for users and for anybody with a link (R025). */
export default function MtaStats(): ReactNode {
  const { id }: { id?: string } = useParams({ strict: false })
  const { secret }: { secret?: unknown } = useSearch({ strict: false })
  const { data, error } = useQuery({
    queryKey: queryKeys.action(contract.viewMtaStats, { id, secret }),
    queryFn: ({ signal }) => loadStats(Number(id), secret, signal),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data && isAtWork(state.data.valid) ? refreshEvery.running : refreshEvery.over,
  })
  return (
    <SharedPage shared={data} error={error}>
      {data && (
        <div className={classes.report}>
          <Group justify="space-between">
            <CampaignBadge valid={data.valid} />
            {secret === undefined && <Share stats={data} />}
          </Group>
          <Queue stats={data} />
          <Minutes stats={data} />
          <Providers stats={data} />
          <Reasons stats={data} />
        </div>
      )}
    </SharedPage>
  )
}

function loadStats(id: number, secret: unknown, signal: AbortSignal): Promise<contract.MtaStats> {
  const options = { params: { id }, ignoreCache: true, signal }
  if (secret === undefined) return api.call(contract.readMtaStats, options)
  const query = { secret: typeof secret === 'string' ? secret : '' }
  return api.call(contract.viewMtaStats, { ...options, query })
}

interface PartProps {
  stats: contract.MtaStats
}

function Share({ stats }: PartProps): ReactNode {
  const { t } = useTranslation()
  const mayShare = usePermission({ all: ['MtaStats:post'] })
  const [isOpen, setOpen] = useState(false)
  if (!mayShare) return null
  const params = { id: stats.campagne_id }
  return (
    <>
      <Button variant="default" leftSection={<IconShare size={16} />} onClick={() => setOpen(true)}>
        {t('reports.sales.share')}
      </Button>
      {isOpen && (
        <ShareDialog
          name={stats.name}
          about={t('reports.mta.share_text')}
          queryKey={queryKeys.action(contract.listMtaShares, params)}
          list={signal => api.call(contract.listMtaShares, { params, ignoreCache: true, signal })}
          make={days => api.call(contract.shareMtaStats, { params, body: { days } })}
          revoke={share_id => api.call(contract.revokeMtaShare, { params: { ...params, share_id } })}
          path={`/mtastats/${stats.campagne_id}`}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function Queue({ stats }: PartProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { queue, accepted, rejected, avg_s } = stats
  const label = (key: string) => t(`reports.mta.${key}`)
  const answered = accepted + rejected
  // The minute that has just begun says little.
  const rate = stats.minutes.at(-2)
  return (
    <Figures>
      <Figure label={label('waiting')} value={format.number(queue.waiting)} />
      <Figure label={label('in_flight')} value={format.number(queue.in_flight)} />
      <Figure label={label('deferred')} value={format.number(queue.deferred)} />
      <Figure
        label={label('accepted')}
        value={format.number(accepted)}
        note={format.percent(shareOf(accepted, answered), 2)}
      />
      <Figure
        label={label('rejected')}
        value={format.number(rejected)}
        note={format.percent(shareOf(rejected, answered), 2)}
      />
      {queue.unknown > 0 && <Figure label={label('unknown')} value={format.number(queue.unknown)} />}
      {isAtWork(stats.valid) && rate && (
        <Figure label={label('per_minute')} value={format.number(rate.accepted + rate.rejected)} />
      )}
      <Figure label={label('avg_s')} value={secondsOf(avg_s, format)} />
    </Figures>
  )
}

function Minutes({ stats: { minutes } }: PartProps): ReactNode {
  const { t } = useTranslation()
  const title = t('reports.mta.minutes')
  return (
    <Card title={title}>
      <TimeChart
        label={title}
        precision="minute"
        look="bar"
        isStacked
        times={minutes.map(({ ts }) => ts)}
        series={(['accepted', 'deferred', 'rejected'] as const).map(name => ({
          name: t(`reports.mta.${name}`),
          values: minutes.map(minute => minute[name]),
        }))}
      />
    </Card>
  )
}

function Providers({ stats: { providers } }: PartProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const title = t('reports.providers.title')
  return (
    <Card title={title} isFlush>
      {providers.length === 0 ? (
        <p className={classes.nothing}>{t('reports.mta.no_recipients')}</p>
      ) : (
        <SmallTable
          label={title}
          minWidth={640}
          rows={providers}
          rowKey={row => row.provider_id}
          columns={[
            {
              id: 'name',
              header: t('reports.providers.name'),
              cell: row => (row.provider_id === 0 ? t('reports.providers.other') : row.name),
            },
            ...(['waiting', 'deferred', 'accepted', 'rejected'] as const).map(name => ({
              id: name,
              header: t(`reports.mta.${name}`),
              align: 'end' as const,
              cell: (row: contract.MtaStats['providers'][number]) => format.number(row[name]),
            })),
            {
              id: 'avg_s',
              header: t('reports.mta.avg_s'),
              align: 'end',
              cell: row => secondsOf(row.avg_s, format),
            },
          ]}
        />
      )}
    </Card>
  )
}

function Reasons({ stats: { reasons } }: PartProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const title = t('reports.mta.reasons')
  return (
    <Card title={title} isFlush>
      {reasons.length === 0 ? (
        <p className={classes.nothing}>{t('reports.mta.no_reasons')}</p>
      ) : (
        <SmallTable
          label={title}
          minWidth={520}
          rows={reasons}
          rowKey={row => `${row.smtp_code} ${row.enhanced} ${row.class} ${row.hard}`}
          columns={[
            {
              id: 'class',
              header: t('reports.bounces.reason'),
              cell: ({ class: name }) =>
                t(`reports.bounces.class.${name ?? 'other'}`, { defaultValue: name ?? '' }),
            },
            {
              id: 'code',
              header: t('reports.mta.code'),
              cell: row => [row.smtp_code, row.enhanced].filter(part => part !== null).join(' ') || '–',
            },
            {
              id: 'hard',
              header: t('reports.bounces.kind'),
              cell: row => t(`reports.bounces.${row.hard ? 'hard' : 'soft'}`),
            },
            {
              id: 'count',
              header: t('reports.mta.emails'),
              align: 'end',
              cell: row => format.number(row.count),
            },
          ]}
        />
      )}
    </Card>
  )
}

function secondsOf(seconds: number | null, format: Format): string {
  return seconds === null ? '–' : `${format.number(seconds, 1)} s`
}
