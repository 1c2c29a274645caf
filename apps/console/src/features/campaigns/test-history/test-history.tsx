import { queryKeys } from '@emma/client/query-keys.ts'
import { readTestHistory, viewTestHistory } from '@emma/contract/actions/test-campaigns.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { SharedPage } from '../../../shell/layout/shared-page.tsx'
import { api } from '../../../shell/session/api.ts'
import { PlacementBadge } from '../placement/placement-badge.tsx'

type History = Answer<typeof readTestHistory>

/** Refetch interval in ms. */
const refreshEvery = 10_000

/** Tests and placement checks of a campaign, for users and for anybody with a link (R029). */
export default function TestHistory(): ReactNode {
  const { id }: { id?: string } = useParams({ strict: false })
  const { secret }: { secret?: unknown } = useSearch({ strict: false })
  const { data, error } = useQuery({
    queryKey: queryKeys.action(viewTestHistory, { id, secret }),
    queryFn: ({ signal }) => loadHistory(Number(id), secret, signal),
    retry: false,
    refetchInterval: refreshEvery,
  })
  return (
    <SharedPage shared={data} error={error}>
      {data && (
        <Stack>
          <Tests tests={data.tests} />
          <Placements placements={data.placements} />
        </Stack>
      )}
    </SharedPage>
  )
}

async function loadHistory(campaign_id: number, secret: unknown, signal: AbortSignal): Promise<History> {
  const options = { ignoreCache: true, signal }
  if (secret !== undefined)
    return api.call(viewTestHistory, {
      params: { campaign_id },
      query: { secret: typeof secret === 'string' ? secret : '' },
      ...options,
    })
  const { client_id } = await api.find(campaign, campaign_id, {}, { signal })
  return api.call(readTestHistory, { params: { client_id, campaign_id }, ...options })
}

function Tests({ tests }: Pick<History, 'tests'>): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = tests.flatMap(test => test.results.map((result, place) => ({ ...result, test, place })))
  return (
    <Card title={t('campaigns.history.tests')} isFlush={rows.length > 0}>
      {rows.length === 0 ? (
        <Text size="sm">{t('campaigns.history.no_tests')}</Text>
      ) : (
        <SmallTable
          label={t('campaigns.history.tests')}
          rows={rows}
          rowKey={row => `${row.test.id}/${row.place}`}
          minWidth={880}
          columns={[
            {
              id: 'sent_at',
              header: t('campaigns.history.sent'),
              width: 170,
              cell: row => format.dateTime(row.test.sent_at),
            },
            { id: 'email', header: t('campaigns.test.email'), cell: row => row.email },
            {
              id: 'outcome',
              header: t('campaigns.test.outcome'),
              width: 130,
              cell: row => (
                <StatusBadge tone={row.outcome === 'sent' ? 'positive' : 'negative'}>
                  {t(`campaigns.test.outcomes.${row.outcome}`)}
                </StatusBadge>
              ),
            },
            {
              id: 'opened',
              header: t('campaigns.history.opened'),
              width: 170,
              cell: row => (
                <FirstEvent isTracked={row.is_tracked} at={row.opened_at} byProgram={row.machine_opened_at} />
              ),
            },
            {
              id: 'clicked',
              header: t('campaigns.history.clicked'),
              width: 170,
              cell: row => (
                <FirstEvent
                  isTracked={row.is_tracked}
                  at={row.clicked_at}
                  byProgram={row.machine_clicked_at}
                />
              ),
            },
            {
              id: 'reply',
              header: t('campaigns.test.reply'),
              cell: row => textOfFault({ code: row.reason, values: row.values, message: row.reply }),
            },
          ]}
        />
      )}
    </Card>
  )
}

interface FirstEventProps {
  isTracked: boolean
  /** Of a person; null: none. */
  at: string | null
  /** Of a program; null: none. */
  byProgram: string | null
}

/** When a recipient opened or clicked first. */
function FirstEvent({ isTracked, at, byProgram }: FirstEventProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (!isTracked) return t('campaigns.history.untracked')
  if (at !== null) return format.dateTime(at)
  if (byProgram === null) return t('campaigns.history.not_yet')
  return t('campaigns.history.by_program', { time: format.dateTime(byProgram) })
}

function Placements({ placements }: Pick<History, 'placements'>): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Card title={t('campaigns.placement.title')} isFlush={placements.length > 0}>
      {placements.length === 0 ? (
        <Text size="sm">{t('campaigns.history.no_placements')}</Text>
      ) : (
        <SmallTable
          label={t('campaigns.placement.title')}
          rows={placements}
          rowKey={row => row.result_id}
          minWidth={560}
          columns={[
            {
              id: 'sent_at',
              header: t('campaigns.history.sent'),
              width: 170,
              cell: row => format.dateTime(row.sent_at),
            },
            { id: 'provider', header: t('campaigns.placement.provider'), cell: row => row.provider },
            { id: 'email', header: t('campaigns.placement.mailbox'), cell: row => row.email },
            {
              id: 'placement',
              header: t('campaigns.placement.placement'),
              width: 150,
              cell: row => <PlacementBadge placement={row.placement} isOver={row.is_over} />,
            },
            {
              id: 'delay',
              header: t('campaigns.placement.delay'),
              align: 'end',
              width: 90,
              cell: row => format.duration(row.delay_s),
            },
          ]}
        />
      )}
    </Card>
  )
}
