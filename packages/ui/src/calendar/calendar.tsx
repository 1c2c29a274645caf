import { ActionIcon, Button, SegmentedControl, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { browserZone } from '../clock.ts'
import { useLocale, useTranslate, useTimeZone } from '../i18n.tsx'
import {
  type CalendarView,
  type Day,
  addDays,
  addMonths,
  noon,
  periodOf,
  placeOf,
  weekOf,
  weeksOfMonth,
} from './calendar-days.ts'
import { CalendarList } from './calendar-list.tsx'
import { CalendarMonth } from './calendar-month.tsx'
import { CalendarWeek } from './calendar-week.tsx'
import type { CalendarProps } from './calendar-item.ts'
import classes from './calendar.module.css'
import { useFirstDay } from './use-first-day.ts'
import { useItemMoves } from './use-item-moves.ts'

/** Below this width, the grid of seven days is replaced by the list. */
const narrow = '(max-width: 640px)'

/**
 * Calendar with the views month, week and list, in the client's time zone. Items are moved by drag and drop, or by
 * keyboard: M picks up the focused item, arrow keys move it, Enter drops it, Escape cancels.
 */
export function Calendar(props: CalendarProps): ReactNode {
  const { label, view, day, onNavigate, isLoading = false } = props
  const t = useTranslate()
  const timeZone = useTimeZone()
  const first = useFirstDay()
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false })
  const moves = useItemMoves(props)
  const { day: today, hour } = placeOf(useNow(), timeZone)
  const { from, to } = periodOf(view, day, first)
  const shown = moves.items.filter(item => {
    const place = placeOf(item.start, timeZone).day
    return place >= from && place <= to
  })
  const parts = { label, items: shown, today, hour, moves, onOpen: props.onOpen }

  return (
    <section className={classes.calendar} aria-label={label} aria-busy={isLoading}>
      <Toolbar {...props} today={today} />
      <div className={classes.frame} data-loading={isLoading || undefined}>
        {view === 'list' || isNarrow ? (
          <CalendarList {...parts} />
        ) : view === 'week' ? (
          <CalendarWeek {...parts} days={weekOf(day, first)} />
        ) : (
          <CalendarMonth
            {...parts}
            month={day.slice(0, 7)}
            weeks={weeksOfMonth(day, first)}
            onMore={more => onNavigate({ view: 'week', day: more })}
          />
        )}
      </div>
      {moves.canMove && <VisuallyHidden id={moves.hintId}>{t('calendar.move_hint')}</VisuallyHidden>}
      <VisuallyHidden role="status">{moves.news}</VisuallyHidden>
    </section>
  )
}

function Toolbar({ view, day, onNavigate, today }: CalendarProps & { today: Day }): ReactNode {
  const t = useTranslate()
  const timeZone = useTimeZone() ?? browserZone()
  const step = (by: 1 | -1) => (view === 'week' ? addDays(day, 7 * by) : addMonths(day, by))
  return (
    <div className={classes.toolbar}>
      <Button variant="default" onClick={() => onNavigate({ view, day: today })}>
        {t('calendar.today')}
      </Button>
      <ActionIcon.Group>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('calendar.previous')}
          onClick={() => onNavigate({ view, day: step(-1) })}
        >
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('calendar.next')}
          onClick={() => onNavigate({ view, day: step(1) })}
        >
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </ActionIcon.Group>
      <PeriodName view={view} day={day} />
      <span className={classes.zone}>{t('form.time_zone', { zone: timeZone })}</span>
      <SegmentedControl
        className={classes.views}
        aria-label={t('calendar.view')}
        value={view}
        data={[
          { value: 'month', label: t('calendar.month') },
          { value: 'week', label: t('calendar.week') },
          { value: 'list', label: t('calendar.list') },
        ]}
        onChange={chosen => onNavigate({ view: viewOf(chosen), day })}
      />
    </div>
  )
}

function PeriodName({ view, day }: { view: CalendarView; day: Day }): ReactNode {
  const locale = useLocale()
  const first = useFirstDay()
  const { from, to } = periodOf(view, day, first)
  const name =
    view === 'week'
      ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
          noon(from),
          noon(to),
        )
      : new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(noon(day))
  return (
    <h2 className={classes.period} aria-live="polite">
      {name}
    </h2>
  )
}

/** The current time, updated every minute. */
function useNow(): string {
  const [now, setNow] = useState(() => new Date().toISOString())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date().toISOString()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function viewOf(name: string): CalendarView {
  return name === 'week' || name === 'list' ? name : 'month'
}
