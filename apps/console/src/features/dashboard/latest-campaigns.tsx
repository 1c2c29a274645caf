import type { reportRow } from '@emma/contract/actions/reports.ts'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/words.tsx'
import { Button, Skeleton, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { type CampaignProgress, CampaignProgressBar } from '../../shell/campaign-live.tsx'
import { CampaignBadge } from '../../shell/campaign-state.tsx'
import classes from './dashboard.module.css'

type Report = z.infer<typeof reportRow>

interface LatestCampaignsProps {
  /** Undefined while they load. */
  rows: readonly Report[] | undefined
  progress: ReadonlyMap<number, CampaignProgress>
}

/** The last campaigns with what became of them: shares of what was delivered. */
export function LatestCampaigns({ rows, progress }: LatestCampaignsProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (!rows) return <Skeleton height={220} m="md" aria-label={t('misc.loading')} />
  if (rows.length === 0)
    return (
      <EmptyState
        title={t('dashboard.no_campaigns')}
        text={t('dashboard.no_campaigns_text')}
        action={
          <Button component={Link} to="/campaigns/edit/new">
            {t('dashboard.new_campaign')}
          </Button>
        }
      />
    )
  const share = (count: number, row: Report) =>
    format.percent(row.nb_delivered > 0 ? count / row.nb_delivered : 0)
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('dashboard.campaign')}</Table.Th>
            <Table.Th>{t('dashboard.state')}</Table.Th>
            <Table.Th>{t('dashboard.progress')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.delivered')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.opens')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.clicks')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.bounces')}</Table.Th>
            <Table.Th>{t('dashboard.started')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Table.Tr key={row.campagne_id}>
              <Table.Td>
                <Link
                  to="/campaigns/reports/$id"
                  params={{ id: String(row.campagne_id) }}
                  className={classes.name}
                >
                  {row.name}
                </Link>
              </Table.Td>
              <Table.Td>
                <CampaignBadge valid={row.valid} />
              </Table.Td>
              <Table.Td miw={120}>
                <CampaignProgressBar
                  campaign={{ ...row, progress_cur: row.nb_send }}
                  live={progress.get(row.campagne_id)}
                />
              </Table.Td>
              <Table.Td ta="right">{format.number(row.nb_delivered)}</Table.Td>
              <Table.Td ta="right">{share(row.nb_open, row)}</Table.Td>
              <Table.Td ta="right">{share(row.nb_click, row)}</Table.Td>
              <Table.Td ta="right">
                {format.number(row.nb_hardbounce + row.nb_softbounce + row.nb_otherbounce)}
              </Table.Td>
              <Table.Td>{format.dateTime(row.started_at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
