import type { Schedule } from '@emma/contract/recurring/schedule.ts'
import { clockOf } from '@emma/ui/clock.ts'
import { useLocale, useTimeZone } from '@emma/ui/i18n.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Repeat, repeatOf, type Weekday, weekdays } from './repeat.ts'

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

/** Names of days and months, and schedules as sentences, in the user's language. */
export function useScheduleWords() {
  const { t } = useTranslation()
  const locale = useLocale()
  const timeZone = useTimeZone()
  return useMemo(() => {
    const formatted = (options: Intl.DateTimeFormatOptions, time: number) =>
      new Intl.DateTimeFormat(locale, {
        ...options,
        ...clockOf(locale, timeZone),
        timeZone: 'UTC',
      }).format(new Date(time))
    const lists = new Intl.ListFormat(locale)
    const weekday = (day: Weekday) => formatted({ weekday: 'long' }, MONDAY + weekdays.indexOf(day) * DAY_MS)
    const month = (number: number) => formatted({ month: 'long' }, Date.UTC(2024, number - 1, 1))
    const text = (key: string, values: Record<string, string | number> = {}) =>
      t(`recurring.words.${key}`, values)

    function dayOfMonth({ on }: Repeat): string {
      if (!('day' in on))
        return text('on_position', {
          position: text(`positions.${on.position === -1 ? 'last' : on.position}`),
          weekday: weekday(on.weekday),
        })
      return on.day === -1 ? text('on_last_day') : text('on_day', { day: on.day })
    }

    function repeated(repeat: Repeat): string {
      const every = text(`every.${repeat.unit}`, { count: repeat.every })
      switch (repeat.unit) {
        case 'DAILY':
          return every
        case 'WEEKLY':
          return text('joined', {
            every,
            on: text('on_days', { days: lists.format(repeat.days.map(weekday)) }),
          })
        case 'MONTHLY':
          return text('joined', { every, on: dayOfMonth(repeat) })
        case 'YEARLY':
          return text('joined', {
            every,
            on: text('in_month', { on: dayOfMonth(repeat), month: month(repeat.month) }),
          })
      }
    }

    const clock = (time: string) =>
      formatted({ hour: '2-digit', minute: '2-digit' }, Date.parse(`2024-01-01T${time}:00Z`))

    /** A date without time. */
    const day = (date: string) => formatted({ dateStyle: 'medium' }, Date.parse(`${date}T00:00:00Z`))

    return {
      weekday,
      shortWeekday: (one: Weekday) =>
        formatted({ weekday: 'short' }, MONDAY + weekdays.indexOf(one) * DAY_MS),
      month,
      day,
      /** Wall clock of a run, `2026-12-31T09:00`. */
      local: (time: string) =>
        formatted({ dateStyle: 'full', timeStyle: 'short' }, Date.parse(`${time}:00Z`)),
      clock,
      /** The schedule in one sentence. */
      sentence({ rrule, time, end }: Pick<Schedule, 'rrule' | 'time' | 'end'>): string {
        const repeat = repeatOf(rrule)
        const sentence = text('at', {
          repeat: repeat ? repeated(repeat) : text('custom', { rrule }),
          time: clock(time),
        })
        return end === null ? sentence : text('until', { sentence, end: day(end) })
      },
    }
  }, [t, locale, timeZone])
}
