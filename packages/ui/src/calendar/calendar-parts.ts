import type { Day } from './calendar-days.ts'
import type { CalendarItem } from './calendar-item.ts'
import type { ItemMoves } from './use-item-moves.ts'

/** Common props of all views. */
export interface CalendarParts {
  label: string
  items: readonly CalendarItem[]
  today: Day
  /** The current hour of today. */
  hour: number
  moves: ItemMoves
  onOpen: (item: CalendarItem) => void
}
