import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTimeZone } from '../i18n.tsx'
import { type CalendarView, type Day, instantsOf, periodOf, placeOf } from './calendar-days.ts'
import { useFirstDay } from './use-first-day.ts'

export interface CalendarState {
  view: CalendarView
  day: Day
  onNavigate: (to: { view: CalendarView; day: Day }) => void
  /** The displayed period as instants, for filters: `from` included, `to` excluded. */
  period: { from: string; to: string }
}

/** View and day of a calendar in the URL (`?view=week&day=2026-11-20`); the current month by default. */
export function useCalendarState(): CalendarState {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const timeZone = useTimeZone()
  const first = useFirstDay()
  const [now] = useState(() => new Date().toISOString())
  const view = search.view === 'week' || search.view === 'list' ? search.view : 'month'
  const day = isDay(search.day) ? search.day : placeOf(now, timeZone).day
  return {
    view,
    day,
    period: instantsOf(periodOf(view, day, first), timeZone),
    onNavigate: to =>
      void navigate({
        to: '.',
        search: (current: Record<string, unknown>) => ({
          ...current,
          view: to.view === 'month' ? undefined : to.view,
          day: to.day,
        }),
        resetScroll: false,
      }),
  }
}

function isDay(value: unknown): value is Day {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
}
