import type { Tone } from '../layout/status-badge.tsx'
import type { CalendarView, Day } from './calendar-days.ts'

/** An entry of the calendar. */
export interface CalendarItem {
  id: string | number
  title: string
  /** ISO 8601. */
  start: string
  /** Additional text after the title: "Scheduled". */
  detail?: string
  tone?: Tone
  /** Whether the item can be moved if the calendar has `onMove`. */
  isMovable?: boolean
}

export interface CalendarProps {
  /** Accessible name of the calendar. */
  label: string
  items: readonly CalendarItem[]
  view: CalendarView
  /** A day within the displayed period. */
  day: Day
  onNavigate: (to: { view: CalendarView; day: Day }) => void
  onOpen: (item: CalendarItem) => void
  /** Saves the item's new start (ISO 8601). Without it, items cannot be moved. If it rejects, the item moves back. */
  onMove?: (item: CalendarItem, start: string) => Promise<unknown>
  isLoading?: boolean
}
