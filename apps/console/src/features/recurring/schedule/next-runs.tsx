import { ApiError } from '@emma/client/api-error.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { previewSchedule } from '@emma/contract/actions/recurring.ts'
import { type Schedule, schedule as scheduleSchema } from '@emma/contract/recurring/schedule.ts'
import { Alert, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import classes from '../recurring.module.css'
import { useScheduleWords } from './use-schedule-words.ts'

interface NextRunsProps {
  schedule: Schedule
  exceptions: readonly string[]
}

/** The schedule as a sentence, and its next ten runs while it is edited. */
export function NextRuns({ schedule, exceptions }: NextRunsProps): ReactNode {
  const { t } = useTranslation()
  const words = useScheduleWords()
  const isComplete = scheduleSchema.safeParse(schedule).success
  const body = { schedule, exceptions: [...exceptions] }
  const { data, error } = useQuery({
    queryKey: queryKeys.action(previewSchedule, body),
    queryFn: ({ signal }) => api.call(previewSchedule, { body, signal }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!isComplete) return <Text c="dimmed">{t('recurring.preview.incomplete')}</Text>
  return (
    <Stack gap="xs">
      <Text fw={600} aria-live="polite">
        {words.sentence(schedule)}
      </Text>
      {error && (
        <Alert color="red" role="status">
          {faultOf(error)}
        </Alert>
      )}
      {!error && data && (
        <>
          <Text size="sm" c="dimmed">
            {data.runs.length === 0
              ? t('recurring.preview.none')
              : t('recurring.preview.title', { count: data.runs.length, zone: schedule.tz })}
          </Text>
          <ol className={classes.runs} aria-label={t('recurring.preview.label')}>
            {data.runs.map(run => (
              <li key={run.at}>
                <time dateTime={run.at}>{words.local(run.local)}</time>
                {run.moved && <span className={classes.moved}>{t('recurring.preview.moved')}</span>}
              </li>
            ))}
          </ol>
        </>
      )}
    </Stack>
  )
}

/** What is wrong with the schedule, without the name of its part, which is on the screen. */
function faultOf(error: Error): string {
  const faults = error instanceof ApiError ? error.fields : []
  return faults.length > 0 ? faults.map(fault => textOfFault(fault)).join(' ') : errorText(error)
}
