import type { ReactNode } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import type { Tone } from './status-badge.tsx'
import classes from './timeline.module.css'

export interface TimelineEntry {
  id: string | number
  /** ISO 8601. */
  at: string
  title: ReactNode
  text?: ReactNode
  icon?: ReactNode
  tone?: Tone
}

export interface TimelineProps {
  entries: readonly TimelineEntry[]
  label: string
}

/** Events in the given order, with a heading per day. */
export function Timeline({ entries, label }: TimelineProps): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  if (entries.length === 0) return <p className={classes.empty}>{t('timeline.empty')}</p>
  return (
    <div className={classes.timeline} role="group" aria-label={label}>
      {byDay(entries, entry => format.date(entry.at)).map(({ day, entries: ofDay }) => (
        <section key={day}>
          <h3 className={classes.day}>{day}</h3>
          <ol className={classes.entries}>
            {ofDay.map(entry => (
              <li key={entry.id} className={classes.entry} data-tone={entry.tone ?? 'neutral'}>
                <span className={classes.icon} aria-hidden>
                  {entry.icon}
                </span>
                <div className={classes.body}>
                  <div className={classes.title}>{entry.title}</div>
                  {entry.text && <div className={classes.text}>{entry.text}</div>}
                </div>
                <time className={classes.time} dateTime={entry.at}>
                  {format.time(entry.at)}
                </time>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function byDay(
  entries: readonly TimelineEntry[],
  dayOf: (entry: TimelineEntry) => string,
): { day: string; entries: TimelineEntry[] }[] {
  const days: { day: string; entries: TimelineEntry[] }[] = []
  for (const entry of entries) {
    const day = dayOf(entry)
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days
}
