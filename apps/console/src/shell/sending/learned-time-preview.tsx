import { queryKeys } from '@emma/client/query-keys.ts'
import { countListHours } from '@emma/contract/actions/audience.ts'
import { expectTimes, LEARNED_WINDOW_HOURS, type LearnedTime } from '@emma/contract/learned-time.ts'
import { BarChart } from '@emma/ui/charts/axis-chart.tsx'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../i18n/error-text.ts'
import { api } from '../session/api.ts'
import { useClientId } from '../session/use-session.ts'
import classes from './audience-count.module.css'
import { hoursOfDay } from '../i18n/hours-of-day.ts'
import { isQuietSpan } from './quiet-hours.ts'
import type { SendingValues } from './sending-values.ts'

export type PreviewValues = Pick<SendingValues, 'list_id' | 'exclude_list_ids' | 'quiet_from' | 'quiet_to'>

interface LearnedTimePreviewProps {
  learned: LearnedTime
  values: PreviewValues
}

/** Debounce in ms. */
const PAUSE = 350

/** Who has a usual hour, who explores, who is compared, and how the emails are spread over the day. */
export function LearnedTimePreview({ learned, values }: LearnedTimePreviewProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error } = useHours(learned, values)
  if (values.list_id === null)
    return <div className={classes.count}>{t('campaigns.learned_time.no_segment')}</div>
  if (error) return <div className={classes.count}>{errorText(error)}</div>
  if (!data)
    return (
      <div className={classes.count}>
        <TextSkeleton lines={3} />
      </div>
    )
  const expected = expectTimes(learned, data, quietOf(values, data))
  const number = (count: number) => format.number(Math.round(count))
  const { by_hour } = expected
  return (
    <section className={classes.count} aria-live="polite" aria-label={t('campaigns.learned_time.preview')}>
      <div>
        <span className={classes.countTotal}>{number(expected.known)}</span>{' '}
        {t('campaigns.learned_time.known', { total: number(data.total) })}
      </div>
      {expected.known === 0 && <div>{t('campaigns.learned_time.nobody_known')}</div>}
      <ul className={classes.countList}>
        <li>
          <span>{t('campaigns.learned_time.groups.focus')}</span>
          <span>≈ {number(expected.focus)}</span>
        </li>
        <li>
          <span>{t('campaigns.learned_time.groups.explore')}</span>
          <span>≈ {number(expected.explore)}</span>
        </li>
        <li>
          <span>{t('campaigns.learned_time.groups.control')}</span>
          <span>≈ {number(expected.control)}</span>
        </li>
      </ul>
      <div>{t('campaigns.learned_time.window', { hours: LEARNED_WINDOW_HOURS })}</div>
      {data.total > 0 && (
        <div>
          <strong>{t('campaigns.learned_time.chart')}</strong>
          <BarChart
            label={t('campaigns.learned_time.chart')}
            height={180}
            isStacked
            categories={hoursOfDay}
            series={[
              { name: t('campaigns.learned_time.usual'), values: by_hour.focus.map(Math.round) },
              { name: t('campaigns.learned_time.random'), values: by_hour.explore.map(Math.round) },
            ]}
          />
        </div>
      )}
    </section>
  )
}

function useHours({ min_observations }: LearnedTime, { list_id, exclude_list_ids }: PreviewValues) {
  const clientId = useClientId()
  const [settled] = useDebouncedValue(min_observations, PAUSE)
  const body = { list_id: list_id ?? 0, excludes: exclude_list_ids, min_observations: settled }
  return useQuery({
    queryKey: queryKeys.action(countListHours, body),
    queryFn: ({ signal }) => api.call(countListHours, { params: { client_id: clientId }, body, signal }),
    enabled: list_id !== null,
    placeholderData: keepPreviousData,
  })
}

/** Quiet hours of the form, or else of the client. */
function quietOf(values: PreviewValues, client: { quiet_from: string | null; quiet_to: string | null }) {
  const { quiet_from: from, quiet_to: to } = values.quiet_from && isQuietSpan(values) ? values : client
  return from && to ? { from, to } : null
}
