import type { ReactNode } from 'react'
import { useLocale, useTranslate, useTimeZone } from '../i18n.tsx'
import { type Day, noon, placeOf } from './calendar-days.ts'
import { ItemButton } from './item-button.tsx'
import type { CalendarParts } from './calendar-parts.ts'
import classes from './calendar.module.css'

/** Maximum number of items shown per day; further ones are only counted. */
const itemsADay = 4

interface CalendarMonthProps extends CalendarParts {
  /** `YYYY-MM` */
  month: string
  weeks: readonly (readonly Day[])[]
  onMore: (day: Day) => void
}

/** Grid of whole weeks with one cell per day. */
export function CalendarMonth({ label, weeks, ...cells }: CalendarMonthProps): ReactNode {
  const locale = useLocale()
  const weekday = (style: 'short' | 'long') =>
    new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' })
  const [short, long] = [weekday('short'), weekday('long')]
  return (
    <table className={classes.month} aria-label={label}>
      <thead>
        <tr>
          {weeks[0]?.map(day => (
            <th key={day} scope="col" abbr={long.format(noon(day))}>
              {short.format(noon(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map(week => (
          <tr key={week[0]}>
            {week.map(day => (
              <MonthDay key={day} {...cells} day={day} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function MonthDay(props: Omit<CalendarMonthProps, 'weeks' | 'label'> & { day: Day }): ReactNode {
  const { day, month, today, items, moves, onOpen, onMore } = props
  const t = useTranslate()
  const locale = useLocale()
  const timeZone = useTimeZone()
  const here = items.filter(item => placeOf(item.start, timeZone).day === day)
  // "1 more" would take as much space as the item itself. The carried item is always shown.
  const isFull = here.length > itemsADay + 1 && !here.some(item => item.id === moves.carriedId)
  const shown = isFull ? here.slice(0, itemsADay) : here
  const name = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(noon(day))
  return (
    <td
      data-day={day}
      data-past={day < today || undefined}
      data-outside={day.slice(0, 7) !== month || undefined}
    >
      <time
        dateTime={day}
        className={classes.date}
        aria-label={name}
        aria-current={day === today ? 'date' : undefined}
      >
        {Number(day.slice(8))}
      </time>
      {shown.map(item => (
        <ItemButton key={item.id} item={item} moves={moves} onOpen={onOpen} />
      ))}
      {here.length > shown.length && (
        <button type="button" className={classes.more} onClick={() => onMore(day)}>
          {t.count('more', here.length - shown.length)}
        </button>
      )}
    </td>
  )
}
