import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { startPointerDrag } from '../drag/pointer-drag.ts'
import { useFormat } from '../i18n.tsx'
import type { CalendarItem } from './calendar-item.ts'
import classes from './calendar.module.css'
import type { ItemMoves } from './use-item-moves.ts'

export interface ItemButtonProps {
  item: CalendarItem
  moves: ItemMoves
  onOpen: (item: CalendarItem) => void
  /** Shows the detail beside the title, not only in the accessible name. */
  showsDetail?: boolean
}

/** An item: opened by a click, moved by drag and drop or by keyboard. */
export function ItemButton({ item, moves, onOpen, showsDetail = false }: ItemButtonProps): ReactNode {
  const format = useFormat()
  const isMovable = moves.canMove && item.isMovable === true
  const time = format.time(item.start)
  return (
    <button
      type="button"
      className={classes.item}
      data-item={item.id}
      data-tone={item.tone ?? 'neutral'}
      data-movable={isMovable || undefined}
      data-carried={moves.carriedId === item.id || undefined}
      aria-describedby={isMovable ? moves.hintId : undefined}
      title={`${time} ${item.title}`}
      onClick={() => onOpen(item)}
      onKeyDown={event => {
        if (isMovable) moves.onKey(item, event)
      }}
      onBlur={() => moves.onBlur(item)}
      onPointerDown={event => {
        if (!isMovable) return
        const source = event.currentTarget
        startPointerDrag(event.nativeEvent, {
          source,
          landingAt: under => {
            const cell = under.closest<HTMLElement>('[data-day]')
            const isTarget = cell && cell !== source.closest('[data-day]') && cell.dataset.past === undefined
            return isTarget ? { element: cell, side: 'inside' } : null
          },
          onDrop: ({ element }) => {
            const { day, hour } = element.dataset
            if (day !== undefined)
              moves.move(item, { day, hour: hour === undefined ? undefined : Number(hour) })
          },
        })
      }}
    >
      <span className={classes.time}>{time}</span> <span className={classes.itemTitle}>{item.title}</span>
      <VisuallyHidden>, {format.date(item.start)}</VisuallyHidden>
      {item.detail !== undefined &&
        (showsDetail ? (
          <span className={classes.detail}>{item.detail}</span>
        ) : (
          <VisuallyHidden>, {item.detail}</VisuallyHidden>
        ))}
    </button>
  )
}
