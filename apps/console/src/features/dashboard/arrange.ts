import { gridColumns, type Widget } from '@emma/contract/resources/dashboard.ts'

/** Position and size of a widget in grid cells. */
export interface Place {
  x: number
  y: number
  w: number
  h: number
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Minimum size and maximum height in grid cells. */
const least = { w: 2, h: 2 }
const tallest = 30

/**
 * Moves widgets up or down until there are no gaps above them and no overlaps; the widget `first` wins its position
 * over others.
 */
export function compact(widgets: readonly Widget[], first?: string): Widget[] {
  const set: Widget[] = []
  for (const widget of inOrder(widgets, first)) {
    const isFree = (y: number) => !set.some(other => overlap(other, { ...widget, y }))
    let { y } = widget
    while (!isFree(y)) y += 1
    while (y > 0 && isFree(y - 1)) y -= 1
    set.push({ ...widget, y })
  }
  return widgets.map(widget => set.find(({ id }) => id === widget.id) ?? widget)
}

/** Moves a widget by an arrow key: sideways by one cell, up or down by swapping with the widget there. */
export function move(widgets: readonly Widget[], id: string, direction: Direction): Widget[] {
  const widget = widgets.find(one => one.id === id)
  if (!widget) return [...widgets]
  if (direction === 'left' || direction === 'right') {
    const x = clamp(widget.x + (direction === 'left' ? -1 : 1), 0, gridColumns - widget.w)
    return compact(replaced(widgets, { ...widget, x }), id)
  }
  const beside = inOrder(widgets).filter(other => other.id !== id && sameColumns(other, widget))
  const neighbour =
    direction === 'up'
      ? beside.findLast(other => other.y < widget.y)
      : beside.find(other => other.y >= widget.y + widget.h)
  if (!neighbour) return [...widgets]
  const y = direction === 'up' ? neighbour.y : neighbour.y + neighbour.h
  return compact(replaced(widgets, { ...widget, y }), direction === 'up' ? id : undefined)
}

/** Changes the size of a widget within the grid. */
export function resize(widgets: readonly Widget[], id: string, change: { w?: number; h?: number }): Widget[] {
  const widget = widgets.find(one => one.id === id)
  if (!widget) return [...widgets]
  const w = clamp(widget.w + (change.w ?? 0), least.w, gridColumns)
  const h = clamp(widget.h + (change.h ?? 0), least.h, tallest)
  const x = Math.min(widget.x, gridColumns - w)
  return compact(replaced(widgets, { ...widget, w, h, x }), id)
}

/** Adds a widget below the others. */
export function append(widgets: readonly Widget[], widget: Omit<Widget, 'x' | 'y'>): Widget[] {
  const y = Math.max(0, ...widgets.map(one => one.y + one.h))
  return compact([...widgets, { ...widget, x: 0, y }])
}

/** Applies positions after a drag. */
export function placed(widgets: readonly Widget[], places: ReadonlyMap<string, Place>): Widget[] {
  return widgets.map(widget => {
    const { x, y, w, h } = places.get(widget.id) ?? widget
    return { ...widget, x, y, w, h }
  })
}

/** Widgets in reading order: by row, then by column. */
export function inOrder<W extends Widget>(widgets: readonly W[], first?: string): W[] {
  return widgets.toSorted((a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x)
}

function replaced(widgets: readonly Widget[], changed: Widget): Widget[] {
  return widgets.map(widget => (widget.id === changed.id ? changed : widget))
}

function sameColumns(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w
}

function overlap(a: Place, b: Place): boolean {
  return sameColumns(a, b) && a.y < b.y + b.h && b.y < a.y + a.h
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value))
}
