import type { Day } from './calendar-days.ts'
import type { CalendarItem } from './calendar-item.ts'
import type { ItemMoves } from './use-item-moves.ts'

/** What every view of a calendar gets. */
export interface CalendarParts {
  label: string
  items: readonly CalendarItem[]
  today: Day
  moves: ItemMoves
  onOpen: (item: CalendarItem) => void
}
