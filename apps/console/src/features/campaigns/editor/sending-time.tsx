import { queryKeys } from '@emma/client/query-keys.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { calculateVolume, volumeQuestion } from '@emma/contract/actions/volume.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { useAudienceCount } from '../../../shell/sending/audience-count.tsx'
import counts from '../../../shell/sending/audience-count.module.css'
import type { CampaignValues } from './campaign-fields.ts'
import classes from './sending-time.module.css'
import { useLimitText } from './use-limit-text.ts'

/** Debounce in ms. */
const PAUSE = 350

type Forecast = Answer<typeof calculateVolume>

interface SendingTimeProps {
  values: CampaignValues
}

/** How long the sending takes, what limits it, and warnings; nothing until audience and mail class are chosen. */
export function SendingTime({ values }: SendingTimeProps): ReactNode {
  const { t } = useTranslation()
  const { data, error, isAskable } = useVolume(values)
  if (!isAskable) return null
  return (
    <section className={counts.count} aria-live="polite" aria-label={t('campaigns.volume.title')}>
      {error && errorText(error)}
      {!error && !data && <TextSkeleton lines={2} />}
      {!error && data && <SendingForecast forecast={data} />}
    </section>
  )
}

function SendingForecast({ forecast }: { forecast: Forecast }): ReactNode {
  const { t } = useTranslation()
  const { limitText, ofProvider } = useLimitText()
  const endText = useEndText(forecast.startdate)
  const format = useFormat()
  const { bottleneck, by_provider, warnings } = forecast
  const warningText = useWarningText()
  const provider = (one: { provider_id: number; name: string }) =>
    one.provider_id === 0 ? t('campaigns.monitor.other') : one.name
  const byEnd = by_provider.filter(({ count }) => count > 0).toSorted((a, b) => secondsOf(a) - secondsOf(b))
  const ends = [...Map.groupBy(byEnd, ({ enddate }) => endText(enddate))]
  return (
    <>
      <Total forecast={forecast} />
      {bottleneck && (
        <div>
          {ofProvider(bottleneck.limit)
            ? t('campaigns.volume.slowest', {
                provider: provider(bottleneck),
                limit: limitText(bottleneck.limit),
              })
            : t('campaigns.volume.limit', { limit: limitText(bottleneck.limit) })}
        </div>
      )}
      {ends.length > 1 && (
        <ul className={counts.countList}>
          {ends.map(([end, providers]) => (
            <li key={end}>
              <span>{format.list(providers.map(provider))}</span>
              <span className={classes.end}>{end}</span>
            </li>
          ))}
        </ul>
      )}
      {warnings.map(warning => (
        <div key={warning.code + warning.message} className={classes.warning}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{warningText(warning)}</span>
        </div>
      ))}
    </>
  )
}

function Total({ forecast: { duration_s, startdate, enddate, bottleneck } }: { forecast: Forecast }) {
  const { t } = useTranslation()
  const format = useFormat()
  const endText = useEndText(startdate)
  if (duration_s === 0 && bottleneck === null) return <div>{t('campaigns.volume.at_once')}</div>
  if (duration_s === null) return <div className={counts.countTotal}>{t('campaigns.volume.beyond')}</div>
  return (
    <div>
      <span className={counts.countTotal}>
        {t('campaigns.volume.takes', { duration: format.duration(rounded(duration_s)) })}
      </span>{' '}
      {endText(enddate)}
    </div>
  )
}

/** Calculates the volume for the audience that the form counts, once the user has stopped typing. */
function useVolume(values: CampaignValues) {
  const mayAsk = usePermission({ all: ['VolumeCalculator:get', 'EmmaMailclass:get', 'EmmaDomain:get'] })
  const audience = useAudienceCount(values).data
  const asked = questionOf(values, audience)
  const [settled] = useDebouncedValue(JSON.stringify(asked), PAUSE)
  const body = volumeQuestion.safeParse(asked)
  const isAskable = mayAsk && values.list_id !== null && body.success && audience?.estimated_volume !== 0
  const result = useQuery({
    queryKey: queryKeys.action(calculateVolume, settled),
    queryFn: ({ signal }) => api.call(calculateVolume, { body: JSON.parse(settled), signal }),
    enabled: isAskable && audience !== undefined && settled === JSON.stringify(asked),
    placeholderData: keepPreviousData,
    // Other campaigns and the clock change it.
    staleTime: 30_000,
  })
  return { ...result, isAskable }
}

function questionOf(
  values: CampaignValues,
  audience: { estimated_volume: number; by_provider: { provider_id: number; count: number }[] } | undefined,
) {
  const byProvider = audience?.by_provider.map(({ provider_id, count }) => ({ provider_id, count })) ?? []
  return {
    ...(byProvider.length > 0 ? { by_provider: byProvider } : { volume: audience?.estimated_volume ?? 0 }),
    mailclass_id: values.mailclass_id,
    esp_id: values.esp_id,
    domain_id: values.domain_id,
    throttle: values.throttle ?? 0,
    throttle_unit: values.throttle_unit,
    window_mails: values.window_mails ?? 0,
    window_minutes: values.window_minutes,
    quiet_from: values.quiet_from || null,
    quiet_to: values.quiet_to || null,
    local_time: values.local_time || values.learned_time !== null,
    startdate: values.startdate,
  }
}

/** "ends 14:10", with the date if that is another day than the start. */
function useEndText(start: string): (end: string | null) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return end => {
    if (end === null) return t('campaigns.volume.beyond')
    const isSameDay = format.date(start) === format.date(end)
    return t('campaigns.volume.ends', { time: isSameDay ? format.time(end) : format.dateTime(end) })
  }
}

function useWarningText(): (warning: Forecast['warnings'][number]) => string {
  const format = useFormat()
  return ({ code, values = {}, message }) => {
    const texts = Object.entries(values).map(([name, value]) => [name, textOfValue(name, value)])
    return textOfFault({ code, values: Object.fromEntries(texts), message })
  }

  function textOfValue(name: string, value: unknown): unknown {
    if (typeof value === 'number') return format.number(value)
    if (name === 'time') return format.dateTime(String(value))
    // Noon: the same day in every time zone.
    return name === 'date' ? format.date(`${String(value)}T12:00:00Z`) : value
  }
}

function secondsOf({ duration_s }: { duration_s: number | null }): number {
  return duration_s ?? Number.MAX_SAFE_INTEGER
}

/** In whole minutes, unless it is less than one. */
function rounded(seconds: number): number {
  return seconds < 60 ? seconds : Math.round(seconds / 60) * 60
}
