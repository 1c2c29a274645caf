import { queryKeys } from '@emma/client/query-keys.ts'
import { resolveUnknown } from '@emma/contract/actions/campaigns.ts'
import { findReport } from '@emma/contract/actions/reports.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { campaign as campaigns } from '@emma/contract/resources/campaign.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { ProgressLive } from '@emma/ui/layout/progress-live.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button } from '@mantine/core'
import { IconFlask, IconHelpCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../shell/session/api.ts'
import { useCampaignProgress } from '../../shell/resource/campaign-live.tsx'
import { isAtWork } from '../../shell/resource/campaign-state.tsx'
import { SplitState, useSplitReport } from '../../shell/resource/split-state.tsx'
import { showError } from '../../shell/i18n/error-text.ts'
import { refresh } from '../../shell/resource/record-calls.ts'
import { useRights } from '../../shell/session/use-rights.ts'
import { usePermission } from '../../shell/session/use-session.ts'
import { CampaignReason } from './campaign-reason.tsx'
import type { Campaign } from './editor/campaign-steps.ts'
import { useLiveCount } from './queue/use-live-count.ts'
import classes from './campaigns.module.css'

type Report = z.infer<typeof findReport.response>
type Provider = Report['providers'][number]

/**
 * Monitor of a running campaign: progress, speed, time left, results per mailbox provider, and messages with unknown
 * delivery status. Progress arrives over the socket, the figures are counted again and again.
 */
export function CampaignMonitor({ campaign }: { campaign: Campaign }): ReactNode {
  const { campagne_id: id, valid } = campaign
  const isRunning = isAtWork(valid)
  const report = useLiveCount(
    // `valid` is part of the key: each change of state refetches, so that the final figures arrive with `finished`.
    queryKeys.action(findReport, { id, valid }),
    signal => api.call(findReport, { params: { id }, ignoreCache: true, signal }),
    isRunning,
  )
  const counted = report.data?.valid
  useEffect(() => {
    // The report has a newer state than the record: the socket missed it.
    if (counted !== undefined && counted !== valid) void refresh(campaigns)
  }, [counted, valid])
  return (
    <div className={classes.stack}>
      <CampaignReason campaign={campaign} />
      {campaign.split && campaign.split.variants.length > 0 && <Split campaign={campaign} />}
      <Progress campaign={campaign} report={report.data} />
      {report.error && !report.data && (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} />
      )}
      {report.isPending && <BlockSkeleton height={90} />}
      {report.data && (
        <>
          <Outcome report={report.data} />
          {report.data.nb_unknown > 0 && (
            <Unknown
              campaign={campaign}
              count={report.data.nb_unknown}
              onResent={() => void report.refetch()}
            />
          )}
          <Providers campaignId={id} report={report.data} />
        </>
      )}
    </div>
  )
}

/** What the A/B test is at. */
function Split({ campaign }: { campaign: Campaign }): ReactNode {
  const { t } = useTranslation()
  const { data } = useSplitReport(campaign, true)
  if (!data) return null
  return (
    <Alert variant="light" color="blue" icon={<IconFlask />} title={t('campaigns.split.title')}>
      <p className={classes.lead}>
        <SplitState report={data} />
      </p>
      <Button
        component={Link}
        to={`/campaigns/reports/${campaign.campagne_id}`}
        variant={data.waits && data.sampled_at !== null && data.decides_at === null ? 'filled' : 'default'}
        size="xs"
        mt="xs"
      >
        {t('campaigns.split.to_report')}
      </Button>
    </Alert>
  )
}

function Progress({ campaign, report }: { campaign: Campaign; report: Report | undefined }): ReactNode {
  const { t } = useTranslation()
  const live = useCampaignProgress().get(campaign.campagne_id)
  const { valid } = campaign
  const isRunning = valid === campaignState.running
  // A paused or waiting campaign has neither speed nor time left.
  const isMoving = isRunning && campaign.error === null
  const total = Math.max(live?.estimated_volume ?? 0, campaign.estimated_volume)
  const counted = report ? handledOf(report) : 0
  const done = Math.min(total, Math.max(live?.progress_cur ?? 0, campaign.progress_cur, counted))
  if (valid === campaignState.preparing) {
    return (
      <Card>
        <p className={classes.lead}>{t('campaigns.monitor.preparing')}</p>
      </Card>
    )
  }
  return (
    <Card>
      <ProgressLive
        label={campaign.name}
        done={done}
        total={total}
        rate={isMoving ? (live?.rate ?? null) : null}
        remaining={isMoving ? (live?.eta ?? null) : null}
        isRunning={isRunning}
        tone={toneOf(valid)}
      />
    </Card>
  )
}

/** Recipients that were sent to or given up, without those who were skipped. Before the expansion, there are none. */
function handledOf({ nb_recipients, nb_preblock, nb_pending, nb_cancelled }: Report): number {
  return Math.max(0, nb_recipients - nb_preblock - nb_pending - nb_cancelled)
}

function toneOf(valid: number) {
  if (valid === campaignState.finished) return 'positive'
  if (valid === campaignState.paused) return 'caution'
  return valid === campaignState.stopped || valid === campaignState.failed ? 'negative' : 'active'
}

function Outcome({ report }: { report: Report }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (figure: string) => t(`campaigns.monitor.${figure}`)
  const bounces = report.nb_hardbounce + report.nb_softbounce + report.nb_otherbounce
  const deferred = report.providers.reduce((sum, provider) => sum + provider.deferred, 0)
  const share = (count: number, of: number) => (of > 0 ? format.percent(count / of) : undefined)
  return (
    <Figures>
      <Figure
        label={label('delivered')}
        value={format.number(report.nb_delivered)}
        note={share(report.nb_delivered, report.nb_send)}
      />
      <Figure label={label('bounced')} value={format.number(bounces)} note={share(bounces, report.nb_send)} />
      <Figure label={label('deferred')} value={format.number(deferred)} />
      <Figure label={label('skipped')} value={format.number(report.nb_preblock)} />
      {report.nb_cancelled > 0 && (
        <Figure label={label('cancelled')} value={format.number(report.nb_cancelled)} />
      )}
      <Figure
        label={label('opened')}
        value={format.number(report.nb_open)}
        note={share(report.nb_open, report.nb_delivered)}
      />
      <Figure
        label={label('clicked')}
        value={format.number(report.nb_click)}
        note={share(report.nb_click, report.nb_delivered)}
      />
    </Figures>
  )
}

interface UnknownProps {
  campaign: Campaign
  count: number
  onResent: () => void
}

/** Messages with unknown delivery status: resending could duplicate them, so the user decides. */
function Unknown({ campaign, count, onResent }: UnknownProps): ReactNode {
  const { t } = useTranslation()
  const { mayChange } = useRights(campaigns)
  const [isSending, setSending] = useState(false)
  const maySend = ![campaignState.stopped, campaignState.archived].some(state => state === campaign.valid)
  async function sendAgain(): Promise<void> {
    const isSure = await confirm({
      title: t('campaigns.unknown.question', { count }),
      text: t('campaigns.unknown.question_text'),
      confirmLabel: t('campaigns.unknown.send_again'),
    })
    if (!isSure) return
    setSending(true)
    try {
      const { resent } = await api.call(resolveUnknown, { params: { id: campaign.campagne_id } })
      notify.success(t('campaigns.unknown.done', { count: resent }))
      onResent()
    } catch (error) {
      showError(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <Alert
      variant="light"
      color="yellow"
      icon={<IconHelpCircle />}
      title={t('campaigns.unknown.title', { count })}
    >
      <p className={classes.lead}>{t('campaigns.unknown.text')}</p>
      {mayChange && maySend && (
        <Button variant="default" mt="xs" loading={isSending} onClick={() => void sendAgain()}>
          {t('campaigns.unknown.send_again')}
        </Button>
      )}
    </Alert>
  )
}

function Providers({ campaignId, report }: { campaignId: number; report: Report }): ReactNode {
  const { t } = useTranslation()
  const mayRead = usePermission({ all: ['MtaStats:get'] })
  const format = useFormat()
  if (report.providers.length === 0) return null
  const label = (column: string) => t(`campaigns.monitor.${column}`)
  // Sorted by name, so that rows keep their place while the figures change.
  const rows = report.providers.toSorted(
    (a, b) => Number(a.provider_id === 0) - Number(b.provider_id === 0) || a.name.localeCompare(b.name),
  )
  const figures = ['accepted', 'deferred', 'hard', 'soft', 'unknown'] as const
  return (
    <Card
      title={label('providers')}
      isFlush
      actions={
        mayRead && (
          <Button component={Link} to={`/mtastats/${campaignId}`} variant="subtle" size="compact-sm">
            {label('delivery')}
          </Button>
        )
      }
    >
      <SmallTable
        label={label('providers')}
        rows={rows}
        rowKey={provider => provider.provider_id}
        minWidth={620}
        columns={[
          {
            id: 'name',
            header: label('provider'),
            cell: provider => (provider.provider_id === 0 ? label('other') : provider.name),
          },
          ...figures.map(figure => ({
            id: figure,
            header: label(figure),
            align: 'end' as const,
            cell: (provider: Provider) =>
              provider[figure] === 0 ? (
                <span className={classes.dimmed}>0</span>
              ) : (
                format.number(provider[figure])
              ),
          })),
          {
            id: 'avg_s',
            header: label('avg_s'),
            align: 'end',
            cell: ({ avg_s }) => (avg_s === null ? '–' : `${format.number(avg_s, 1)} s`),
          },
        ]}
      />
    </Card>
  )
}
