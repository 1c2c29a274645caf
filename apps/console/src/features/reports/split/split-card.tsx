import { chooseWinner } from '@emma/contract/actions/campaigns.ts'
import { variantLetter } from '@emma/contract/split.ts'
import { RATIO_ALARM } from '@emma/contract/statistics/sample-ratio.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { type SplitReport, SplitState, useSplitReport } from '../../../shell/resource/split-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { Can } from '../../../shell/session/can.tsx'
import type { People } from '../report-query.ts'
import { HoldoutResult } from './holdout-result.tsx'
import { SplitTable } from './split-table.tsx'
import { useDifference } from '../../../shell/resource/use-difference.ts'

interface SplitCardProps {
  campaign: { client_id: number; campagne_id: number; name: string }
}

/** Result of an A/B test or a holdout: variants side by side, what decides and why, and the choice of the winner. */
export function SplitCard({
  campaign,
  onPeople,
}: SplitCardProps & { onPeople: (people: People) => void }): ReactNode {
  const { t } = useTranslation()
  const { data, error, refetch } = useSplitReport(campaign, true)
  return (
    <Card title={t(data?.variants.length === 1 ? 'reports.split.holdout_title' : 'reports.split.title')}>
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <BlockSkeleton height={160} />}
      {data && (
        <Stack gap="md">
          {data.variants.length > 1 && <Standing report={data} />}
          {data.ratio_p < RATIO_ALARM && (
            <Alert color="red" icon={<IconAlertTriangle />} title={t('reports.split.uneven_title')}>
              {t('reports.split.uneven')}
            </Alert>
          )}
          <SplitTable report={data} onPeople={onPeople} />
          <HoldoutResult report={data} />
          {data.waits && data.sampled_at !== null && (
            <Can demand={{ all: ['EmmaCampaign:patch'] }}>
              <Choice campaign={campaign} report={data} onChosen={() => void refetch()} />
            </Can>
          )}
        </Stack>
      )}
    </Card>
  )
}

/** What the test is at, and what the figures say now, or said when it was decided. */
function Standing({ report }: { report: SplitReport }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const difference = useDifference()
  const { standing, compared, split } = report
  const leader = standing?.reason === 'significant' ? standing.winner : null
  const control = compared[0]
  const best = leader === null ? undefined : compared[leader]
  return (
    <div aria-live="polite">
      <Text fw={600}>
        <SplitState report={report} />
      </Text>
      <Text size="sm">
        {leader === null || !best || !control
          ? t('reports.split.no_leader', { level: format.percent(split.level) })
          : t('reports.split.leader', {
              variant: variantLetter(leader),
              level: format.percent(split.level),
            })}{' '}
        {best?.difference &&
          t('reports.split.leader_by', {
            by: t(`reports.split.by.${split.winner_by}`),
            rate: format.percent(best.rate),
            control: format.percent(control?.rate ?? null),
            difference: difference(best.difference),
          })}
      </Text>
      <Rule report={report} />
    </div>
  )
}

/** The rule by which the winner is chosen, or that a person chose it instead. */
function Rule({ report: { split, result, decided_at } }: { report: SplitReport }): ReactNode {
  const { t } = useTranslation()
  const isByHand = result?.reason === 'person' && decided_at !== null
  const key = isByHand ? 'by_hand' : 'rule'
  // Nothing to say if a person was to choose, and did.
  if (isByHand && split.winner_by === 'person') return null
  return (
    <Text size="sm" c="dimmed">
      {t(`reports.split.${split.winner_by === 'person' ? 'rule_person' : key}`, {
        by: t(`reports.split.by.${split.winner_by}`),
        otherwise: t(`reports.split.otherwise.${split.otherwise}`),
      })}
    </Text>
  )
}

interface ChoiceProps extends SplitCardProps {
  report: SplitReport
  onChosen: () => void
}

/** Chooses what everybody else gets. */
function Choice({ campaign, report, onChosen }: ChoiceProps): ReactNode {
  const { t } = useTranslation()
  const waiting = report.parts.find(({ part }) => part === 'rest')?.recipients ?? 0
  const choosing = useMutation({
    mutationFn: (variant: number | null) =>
      api.call(chooseWinner, {
        params: { client_id: campaign.client_id, campaign_id: campaign.campagne_id },
        body: { variant },
      }),
    // The card says it.
    onSuccess: onChosen,
    onError: error => showError(error),
  })
  async function choose(variant: number | null): Promise<void> {
    const isSure = await confirm(
      variant === null
        ? {
            title: t('reports.split.nobody_question'),
            text: t('reports.split.nobody_text', { count: waiting }),
            confirmLabel: t('reports.split.nobody'),
            danger: true,
          }
        : {
            title: t('reports.split.question', { variant: variantLetter(variant) }),
            text: t('reports.split.question_text', { count: waiting, name: campaign.name }),
            confirmLabel: t('reports.split.send', { variant: variantLetter(variant) }),
          },
    )
    if (isSure) choosing.mutate(variant)
  }
  return (
    <div>
      <Text size="sm" mb="xs">
        {t('reports.split.waiting', { count: waiting })}
      </Text>
      <Group gap="xs">
        {report.variants.map((variant, index) => (
          <Button
            key={`${index} ${variant.subject}`}
            variant={index === report.standing?.winner ? 'filled' : 'default'}
            loading={choosing.isPending && choosing.variables === index}
            onClick={() => void choose(index)}
          >
            {t('reports.split.send', { variant: variantLetter(index) })}
          </Button>
        ))}
        <Button variant="subtle" color="red" onClick={() => void choose(null)}>
          {t('reports.split.nobody')}
        </Button>
      </Group>
    </div>
  )
}
