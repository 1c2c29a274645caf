import 'driver.js/dist/driver.css'
import './tour.css'
import { driver } from 'driver.js'
import { findElement } from './find-element.ts'

export interface TourStop {
  selector: string
  placement: 'top' | 'right' | 'bottom' | 'left' | 'over'
  title: string
  text: string
}

export interface TourLabels {
  next: string
  previous: string
  done: string
  close: string
  /** Contains `{{current}}` and `{{total}}`. */
  progress: string
}

/** The screen that a tour explains. */
export interface TourScreen {
  isLoading: () => boolean
  /** False while the user is on another screen. */
  isOpen: () => boolean
  /** Calls the listener after each navigation, until the returned function is called. */
  onNavigate: (listener: () => void) => () => void
}

/**
 * Maximum time to wait for the elements of the tour, and the time without changes after which the screen counts as
 * complete, in ms.
 */
const ELEMENT_TIMEOUT_MS = 5000
const quiet = 1000

/**
 * Plays a tour (arrow keys, Esc) once its screen is complete, unless the user is on another one by then; ends when the
 * user leaves the screen. Skips stops whose element is not visible. Restores the focus afterwards.
 *
 * @returns whether any stop was shown; resolves when the tour ends
 */
export async function playTour(
  stops: readonly TourStop[],
  labels: TourLabels,
  screen: TourScreen,
): Promise<boolean> {
  await nothingInFront()
  await settled(stops, screen.isLoading)
  if (!screen.isOpen()) return false
  const steps = stops.flatMap(stop => {
    const element = visibleElement(stop.selector)
    if (!element) return []
    const side = stop.placement === 'over' ? {} : { side: stop.placement, align: 'start' as const }
    return [
      { element, popover: { ...side, title: escapeHtml(stop.title), description: escapeHtml(stop.text) } },
    ]
  })
  if (steps.length === 0) return false
  const before = document.activeElement
  await new Promise<void>(resolve => {
    const player = driver({
      steps,
      animate: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      allowKeyboardControl: true,
      showProgress: steps.length > 1,
      progressText: labels.progress,
      nextBtnText: labels.next,
      prevBtnText: labels.previous,
      doneBtnText: labels.done,
      popoverClass: 'emma-tour',
      stagePadding: 6,
      stageRadius: 8,
      onPopoverRender: popover => popover.closeButton.setAttribute('aria-label', labels.close),
      // Unlike `onDestroyed`, also called when the tour is closed before its first stop is drawn.
      onDestroyStarted: end,
    })
    const forget = screen.onNavigate(() => {
      if (!screen.isOpen()) end()
    })
    player.drive()

    function end(): void {
      forget()
      player.destroy()
      resolve()
    }
  })
  if (before instanceof HTMLElement && before.isConnected && screen.isOpen())
    before.focus({ preventScroll: true })
  return true
}

function visibleElement(selector: string): Element | null {
  const element = findElement(selector)
  return element !== null && element.getClientRects().length > 0 ? element : null
}

/** Waits until no dialog or menu is open: the tour would cover it. */
async function nothingInFront(): Promise<void> {
  while (document.querySelector('[role="dialog"], [role="menu"]')) await moment()
}

/** Waits until all stops are visible, or the screen is loaded and no further one appears. */
async function settled(stops: readonly TourStop[], isLoading: () => boolean): Promise<void> {
  const end = Date.now() + ELEMENT_TIMEOUT_MS
  let shown = 0
  let since = Date.now()
  while (Date.now() < end && shown < stops.length) {
    const now = stops.filter(({ selector }) => visibleElement(selector)).length
    if (now !== shown || isLoading()) since = Date.now()
    else if (shown > 0 && Date.now() - since > quiet) return
    shown = now
    await moment()
  }
}

function moment(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 100))
}

/** driver.js renders titles and texts as HTML. */
function escapeHtml(text: string): string {
  const element = document.createElement('span')
  element.textContent = text
  return element.innerHTML
}
