import type { Wait } from '@emma/contract/actions/campaign-queue.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EndAction } from './end-action.tsx'
import classes from '../campaigns.module.css'

interface WaitsProps {
  waits: readonly Wait[]
  /** What waits, for the names of buttons. */
  object?: string
  onEnded?: () => void
}

/** Wait reasons, each with its time as far as known and what ends it; a dash without any. */
export function Waits({ waits, object, onEnded }: WaitsProps): ReactNode {
  const textOf = useWaitText()
  const timeOf = useWaitTime()
  if (waits.length === 0) return '–'
  return (
    <ul className={classes.waitList}>
      {waits.map(wait => (
        <li key={wait.code}>
          {textOf(wait)}
          {(wait.since ?? wait.until) !== null && (
            <Text component="span" display="block" size="xs" c="dimmed">
              {timeOf(wait)}
            </Text>
          )}
          {onEnded && <EndAction id={wait.action_id} label={object} onEnded={onEnded} />}
        </li>
      ))}
    </ul>
  )
}

function useWaitText(): (wait: Wait) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ code, limit, unit, seconds, shared }) => {
    const mails = format.number(limit)
    const rate =
      seconds === null
        ? t(`campaigns.volume.rate.${unit ?? 'hour'}`, { mails })
        : t('campaigns.volume.rate.window', { mails, minutes: format.number(seconds / 60) })
    const text = t(`campaigns.queue.waits.${code}`, { rate, mails, count: limit ?? 0 })
    return shared === null ? text : `${text} ${t(`campaigns.queue.shared.${shared}`)}`
  }
}

/** Times on the same day are shown without date. */
function useWaitTime(): (wait: Wait) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const timeOf = (moment: string) =>
    format.date(moment) === format.date(new Date()) ? format.time(moment) : format.dayTime(moment)
  return ({ since, until }) => {
    if (until === null) return t('campaigns.queue.since', { since: timeOf(since ?? '') })
    if (since === null) return t('campaigns.queue.until', { until: timeOf(until) })
    return t('campaigns.queue.since_until', { since: timeOf(since), until: timeOf(until) })
  }
}
