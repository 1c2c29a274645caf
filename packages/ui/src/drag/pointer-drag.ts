import classes from './pointer-drag.module.css'

export interface Point {
  x: number
  y: number
}

/** Drop target: an element, and the side of it. */
export interface Landing {
  element: HTMLElement
  side: 'before' | 'after' | 'inside'
}

export interface PointerDrag {
  /** The dragged element. */
  source: HTMLElement
  /** The drop target under the pointer; null if dropping is not allowed there. */
  landingAt: (under: Element, point: Point) => Landing | null
  onDrop: (landing: Landing) => void
}

/** Distance in px that starts a drag. */
const threshold = 4
/** Distance in px from the window's edge within which it scrolls, and px per frame. */
const edge = 48
const scrollStep = 12

/**
 * Drags an element from `pointerdown` until the pointer is released; Escape cancels. Works with mouse, pen and touch.
 * It changes the DOM and not React state, so that large lists render once, at the drop, and not with each move.
 * (Drag-and-drop libraries subscribe every row to each move.)
 */
export function startPointerDrag(event: PointerEvent, drag: PointerDrag): void {
  if (event.button !== 0) return
  const { source, landingAt, onDrop } = drag
  const begin = pointOf(event)
  let point = begin
  let ghost: HTMLElement | null = null
  let landing: Landing | null = null
  let frame = 0
  const listening = new AbortController()

  function move(moved: PointerEvent): void {
    if (moved.pointerId !== event.pointerId) return
    point = pointOf(moved)
    if (!ghost && Math.hypot(point.x - begin.x, point.y - begin.y) < threshold) return
    if (!ghost) lift()
    moved.preventDefault()
  }

  function lift(): void {
    ghost = ghostOf(source)
    source.dataset.dragging = ''
    document.documentElement.classList.add(classes.dragging ?? '')
    follow()
  }

  function follow(): void {
    if (!ghost) return
    ghost.style.translate = `${point.x - begin.x}px ${point.y - begin.y}px`
    scrollAtEdge(point)
    aim()
    frame = requestAnimationFrame(follow)
  }

  function aim(): void {
    const under = document.elementFromPoint(point.x, point.y)
    mark(under && landingAt(under, point))
  }

  function mark(next: Landing | null): void {
    if (next?.element === landing?.element && next?.side === landing?.side) return
    if (landing) delete landing.element.dataset.landing
    landing = next
    if (landing) landing.element.dataset.landing = landing.side
  }

  function drop(up: PointerEvent): void {
    if (up.pointerId !== event.pointerId) return
    point = pointOf(up)
    // Uses the final pointer position, not that of the last frame.
    if (ghost) aim()
    end(true)
  }

  function end(isDropped: boolean): void {
    listening.abort()
    if (!ghost) return
    cancelAnimationFrame(frame)
    const target = isDropped ? landing : null
    mark(null)
    ghost.remove()
    delete source.dataset.dragging
    document.documentElement.classList.remove(classes.dragging ?? '')
    // Suppresses the click event that follows the release.
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    if (target) onDrop(target)
  }

  const { signal } = listening
  document.addEventListener('pointermove', move, { signal })
  document.addEventListener('pointerup', drop, { signal })
  document.addEventListener('pointercancel', () => end(false), { signal })
  document.addEventListener(
    'keydown',
    key => {
      if (key.key !== 'Escape') return
      key.stopPropagation()
      end(false)
    },
    { signal, capture: true },
  )
}

function pointOf({ clientX, clientY }: PointerEvent): Point {
  return { x: clientX, y: clientY }
}

/** Side of the element by the half that the pointer is over. */
export function sideAt(element: Element, { y }: Point): 'before' | 'after' {
  const { top, height } = element.getBoundingClientRect()
  return y < top + height / 2 ? 'before' : 'after'
}

/** A clone of the element that follows the pointer. */
function ghostOf(source: HTMLElement): HTMLElement {
  const { left, top, width } = source.getBoundingClientRect()
  const ghost = document.createElement('div')
  ghost.className = classes.ghost ?? ''
  ghost.inert = true
  ghost.style.left = `${left}px`
  ghost.style.top = `${top}px`
  ghost.style.width = `${width}px`
  const copy = source.cloneNode(true)
  ghost.append(copy)
  document.body.append(ghost)
  return ghost
}

function scrollAtEdge({ y }: Point): void {
  if (y < edge) scrollBy(0, -scrollStep)
  else if (y > innerHeight - edge) scrollBy(0, scrollStep)
}

function swallow(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
