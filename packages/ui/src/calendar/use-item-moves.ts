import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { notify } from '../feedback/notify.tsx'
import type { ToastAction } from '../feedback/toast.tsx'
import { useUiSettings } from '../ui-settings.tsx'
import { useFormat, useTranslate, useTimeZone } from '../i18n.tsx'
import { type Day, addDays, movedStart, periodOf, placeOf } from './calendar-days.ts'
import type { CalendarItem, CalendarProps } from './calendar-item.ts'
import { useFirstDay } from './use-first-day.ts'

export interface ItemMoves {
  /** The items sorted by time; those being moved are at their new time. */
  items: readonly CalendarItem[]
  canMove: boolean
  /** Id of the item picked up by keyboard. */
  carriedId: CalendarItem['id'] | null
  /** Id of the text that explains how to move items. */
  hintId: string
  /** Announcement for screen readers. */
  news: string
  move: (item: CalendarItem, to: { day: Day; hour?: number | undefined }) => void
  onKey: (item: CalendarItem, event: KeyboardEvent) => void
  onBlur: (item: CalendarItem) => void
}

/**
 * Moves items optimistically and moves them back if saving fails. Items cannot be moved into the past; each move shows
 * a toast with undo.
 */
export function useItemMoves(props: CalendarProps): ItemMoves {
  const { items, view, day, onMove, onNavigate } = props
  const t = useTranslate()
  const format = useFormat()
  const timeZone = useTimeZone()
  const first = useFirstDay()
  const { errorText } = useUiSettings()
  const hintId = useId()
  const [moved, setMoved] = useState<ReadonlyMap<CalendarItem['id'], string>>(new Map())
  const [carried, setCarried] = useState<{ item: CalendarItem; start: string } | null>(null)
  const [news, setNews] = useState('')
  const keepsFocus = useRef<CalendarItem['id'] | null>(null)

  // The carried item is rendered in another cell and loses the focus; restores it there. A layout effect runs in the
  // same commit; a later effect could belong to an earlier render, with the item in its old cell.
  useLayoutEffect(() => {
    if (keepsFocus.current === null) return
    const id = CSS.escape(String(keepsFocus.current))
    document.querySelector<HTMLElement>(`[data-item="${id}"]`)?.focus()
    keepsFocus.current = null
  })

  function place(id: CalendarItem['id'], start: string): void {
    setMoved(before => new Map(before).set(id, start))
  }

  /** Removes the optimistic position, unless the item has been moved again meanwhile. */
  function unplace(id: CalendarItem['id'], start: string): void {
    setMoved(before => new Map([...before].filter(([each, at]) => each !== id || at !== start)))
  }

  async function save(item: CalendarItem, start: string): Promise<void> {
    if (!onMove || start === item.start) return
    if (isPast(start)) return refuse(item)
    place(item.id, start)
    try {
      await onMove(item, start)
      const moved = t('calendar.moved', { title: item.title, time: format.dateTime(start) })
      setNews(moved)
      const undo = undoOf(item, start)
      notify.success(moved, undo ? { action: undo } : {})
    } catch (error) {
      notify.danger(errorText(error), { title: item.title })
    } finally {
      unplace(item.id, start)
    }
  }

  /** Undo action; none if the previous time has passed, since a campaign scheduled in the past starts at once. */
  function undoOf(item: CalendarItem, start: string): ToastAction | null {
    if (isPast(item.start)) return null
    return { label: t('action.undo'), run: () => void save({ ...item, start }, item.start) }
  }

  function refuse(item: CalendarItem): void {
    setNews(t('calendar.stays', { title: item.title }))
    notify.warning(t('calendar.in_past'), { title: item.title })
  }

  function carry(item: CalendarItem, start: string): void {
    keepsFocus.current = item.id
    setCarried({ item, start })
    setNews(t('calendar.carrying', { title: item.title, time: format.dateTime(start) }))
    const { from, to } = periodOf(view, day, first)
    const at = placeOf(start, timeZone).day
    if (at < from || at > to) onNavigate({ view, day: at })
  }

  function onKey(item: CalendarItem, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!carried) {
      if (event.key.toLowerCase() !== 'm') return
      event.preventDefault()
      return carry(item, item.start)
    }
    const next = carriedTo(carried.start, event.key)
    if (next !== null) {
      event.preventDefault()
      return carry(carried.item, next)
    }
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    setCarried(null)
    keepsFocus.current = item.id
    if (event.key === 'Enter') void save(carried.item, carried.start)
    else setNews(t('calendar.stays', { title: item.title }))
  }

  /**
   * New start after an arrow key: left and right by a day, up and down by an hour in the week view, by a week in the
   * month view.
   */
  function carriedTo(start: string, key: string): string | null {
    const at = placeOf(start, timeZone)
    const to = (days: number) => movedStart(start, { day: addDays(at.day, days) }, timeZone)
    if (key === 'ArrowLeft') return to(-1)
    if (key === 'ArrowRight') return to(1)
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return null
    const sign = key === 'ArrowUp' ? -1 : 1
    if (view !== 'week') return to(view === 'month' ? 7 * sign : sign)
    const hour = at.hour + sign
    return hour < 0 || hour > 23 ? start : movedStart(start, { day: at.day, hour }, timeZone)
  }

  const shown = items.map(item => {
    const start = carried?.item.id === item.id ? carried.start : moved.get(item.id)
    return start === undefined ? item : { ...item, start }
  })
  return {
    items: shown.toSorted((a, b) => a.start.localeCompare(b.start)),
    canMove: onMove !== undefined,
    carriedId: carried?.item.id ?? null,
    hintId,
    news,
    move: (item, to) => void save(item, movedStart(item.start, to, timeZone)),
    onKey,
    onBlur: item => {
      // Losing the focus while carrying cancels the move, unless it is caused by rendering the item in another cell.
      if (carried?.item.id === item.id && keepsFocus.current === null) setCarried(null)
    },
  }
}

function isPast(start: string): boolean {
  return Date.parse(start) <= Date.now()
}
