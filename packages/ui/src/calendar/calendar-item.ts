import type { Tone } from '../layout/status-badge.tsx'
import type { CalendarView, Day } from './calendar-days.ts'

/** Something at a moment. */
export interface CalendarItem {
  id: string | number
  title: string
  /** ISO 8601. */
  start: string
  /** Said behind the title: "Scheduled". */
  detail?: string
  tone?: Tone
  /** May be moved, where the calendar lets things be moved at all. */
  isMovable?: boolean
}

export interface CalendarProps {
  /** What it is a calendar of. */
  label: string
  items: readonly CalendarItem[]
  view: CalendarView
  /** A day of the period that is shown. */
  day: Day
  onNavigate: (to: { view: CalendarView; day: Day }) => void
  onOpen: (item: CalendarItem) => void
  /** Takes the item's new start (ISO 8601); left out, nothing moves. A rejection puts the item back. */
  onMove?: (item: CalendarItem, start: string) => Promise<unknown>
  isLoading?: boolean
}
