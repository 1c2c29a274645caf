import type { Day } from './calendar-days.ts'
import type { CalendarItem } from './calendar-item.ts'
import type { ItemMoves } from './use-item-moves.ts'

/** What every view of a calendar gets. */
export interface CalendarParts {
  label: string
  items: readonly CalendarItem[]
  today: Day
  /** The hour of today that has begun. */
  hour: number
  moves: ItemMoves
  onOpen: (item: CalendarItem) => void
}
