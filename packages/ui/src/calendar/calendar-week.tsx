import { type ReactNode, useEffect, useRef } from 'react'
import { clockOf } from '../clock.ts'
import { useLocale, useTranslate, useTimeZone } from '../i18n.tsx'
import { type Day, noon, placeOf } from './calendar-days.ts'
import { ItemButton } from './item-button.tsx'
import type { CalendarParts } from './calendar-parts.ts'
import classes from './calendar.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** Hour that the view is scrolled to initially, unless an item is earlier. */
const firstHour = 7

/** Seven days with one row per hour. */
export function CalendarWeek(props: CalendarParts & { days: readonly Day[] }): ReactNode {
  const { label, items, today, hour: thisHour, moves, onOpen, days } = props
  const t = useTranslate()
  const locale = useLocale()
  const timeZone = useTimeZone()
  const scroller = useRef<HTMLDivElement>(null)
  const begin = days[0]
  useEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${firstHour}"]`)
    const head = scroller.current?.querySelector('thead')
    if (row && head) scroller.current?.scrollTo({ top: row.offsetTop - head.offsetHeight })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another week begins at the same hour
  }, [begin])
  const isPastHour = (day: Day, hour: number) => day < today || (day === today && hour < thisHour)
  const dayName = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const hourName = new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    ...clockOf(locale, timeZone),
    timeZone: 'UTC',
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the keyboard
    <div ref={scroller} className={classes.weekFrame} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.week} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('calendar.hour')}</th>
            {days.map(day => (
              <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
                {dayName.format(noon(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map(hour => (
            <tr key={hour} data-row={hour}>
              <th scope="row">{hourName.format(new Date(Date.UTC(2026, 0, 1, hour)))}</th>
              {days.map(day => (
                <td key={day} data-day={day} data-hour={hour} data-past={isPastHour(day, hour) || undefined}>
                  {items
                    .filter(item => {
                      const place = placeOf(item.start, timeZone)
                      return place.day === day && place.hour === hour
                    })
                    .map(item => (
                      <ItemButton key={item.id} item={item} moves={moves} onOpen={onOpen} />
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
