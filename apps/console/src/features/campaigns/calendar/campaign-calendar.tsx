import { queryKeys } from '@emma/client/query-keys.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import type { CalendarItem } from '@emma/ui/calendar/calendar-item.ts'
import { Calendar } from '@emma/ui/calendar/calendar.tsx'
import { useCalendarState } from '@emma/ui/calendar/use-calendar-state.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { campaignStateName, campaignTone } from '../../../shell/resource/campaign-state.tsx'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { patchRecord } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { startOf } from '../campaign-moves.ts'
import type { Campaign } from '../editor/campaign-steps.ts'
import { isStarted } from '../use-campaign-actions.tsx'

const { archived, draft, scheduled } = campaignState

/** Calendar of campaigns by start time; those that have not started can be moved. */
export default function CampaignCalendar(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayChange } = useRights(campaign)
  const { period, ...state } = useCalendarState()
  const filters = { startdateAfter: period.from, startdateBefore: period.to }
  const found = useQuery({
    queryKey: [...queryKeys.lists(campaign), 'calendar', period],
    queryFn: ({ signal }) => api.listAll(campaign, { filters, sort: { field: 'startdate' } }, { signal }),
    placeholderData: keepPreviousData,
  })
  /** Latest revisions of campaigns moved on this screen, by id. */
  const moved = useRef(new Map<number, number>())
  const rows = (found.data ?? []).filter(row => row.valid !== archived)
  const toItem = (row: Campaign): CalendarItem[] => {
    const start = startOf(row)
    if (start === null) return []
    return [
      {
        id: row.campagne_id,
        title: row.name,
        start,
        detail: t(`campaign_state.${campaignStateName(row.valid)}`),
        tone: campaignTone(row.valid),
        isMovable: row.valid === draft || row.valid === scheduled,
      },
    ]
  }

  async function move(item: CalendarItem, startdate: string): Promise<void> {
    const row = rows.find(candidate => candidate.campagne_id === item.id)
    if (!row) return
    // The undo action of a toast still has the rows from before the move.
    const revision = Math.max(row.revision, moved.current.get(row.campagne_id) ?? 0)
    const saved = await patchRecord(campaign, row.campagne_id, { startdate }, revision)
    moved.current.set(row.campagne_id, saved.revision)
  }

  return (
    <Page
      title={t('screens.campaign_calendar')}
      actions={
        <NewButton resource={campaign} href="/campaigns/edit/new" label={t('campaigns.campaign.new')} />
      }
    >
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Calendar
          {...state}
          label={t('screens.campaign_calendar')}
          items={rows.flatMap(toItem)}
          isLoading={found.isFetching}
          onOpen={item => {
            const row = rows.find(candidate => candidate.campagne_id === item.id)
            const to = row && isStarted(row) ? '/campaigns/reports/$id' : '/campaigns/edit/$id'
            void navigate({ to, params: { id: String(item.id) } })
          }}
          {...(mayChange ? { onMove: move } : {})}
        />
      )}
    </Page>
  )
}
