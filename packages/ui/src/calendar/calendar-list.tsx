import type { ReactNode } from 'react'
import { useLocale, useTranslate, useTimeZone } from '../i18n.tsx'
import { noon, placeOf } from './calendar-days.ts'
import { ItemButton } from './item-button.tsx'
import type { CalendarParts } from './calendar-parts.ts'
import classes from './calendar.module.css'

/** List of the days that have items. */
export function CalendarList({ items, today, moves, onOpen }: CalendarParts): ReactNode {
  const t = useTranslate()
  const locale = useLocale()
  const timeZone = useTimeZone()
  const days = Map.groupBy(items, item => placeOf(item.start, timeZone).day)
  const name = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  if (days.size === 0) return <p className={classes.nothing}>{t('calendar.empty')}</p>
  return (
    <ol className={classes.list}>
      {[...days].map(([day, here]) => (
        <li key={day} data-day={day} data-past={day < today || undefined}>
          <h3 className={classes.listDay} aria-current={day === today ? 'date' : undefined}>
            {name.format(noon(day))}
          </h3>
          {here.map(item => (
            <ItemButton key={item.id} item={item} moves={moves} onOpen={onOpen} showsDetail />
          ))}
        </li>
      ))}
    </ol>
  )
}
