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
  /** With `{{current}}` and `{{total}}`. */
  progress: string
}

/** How long a screen may take to show what the tour is about, and to show nothing more of it, in ms. */
const patience = 5000
const quiet = 1000

/**
 * Leads from stop to stop (arrows, Esc); stops whose element is not on the screen are left out. Afterwards the keyboard
 * is where it was before.
 *
 * @returns whether there was anything to show; settles when the person is through
 */
export async function playTour(stops: readonly TourStop[], labels: TourLabels): Promise<boolean> {
  await settled(stops)
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
    driver({
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
      onDestroyed: () => resolve(),
    }).drive()
  })
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  return true
}

function visibleElement(selector: string): Element | null {
  const element = findElement(selector)
  return element !== null && element.getClientRects().length > 0 ? element : null
}

/** Waits until the screen shows all of the tour, or as much as it is going to. */
async function settled(stops: readonly TourStop[]): Promise<void> {
  const end = Date.now() + patience
  let shown = 0
  let since = Date.now()
  while (Date.now() < end && shown < stops.length) {
    const now = stops.filter(({ selector }) => visibleElement(selector)).length
    if (now !== shown) since = Date.now()
    else if (shown > 0 && Date.now() - since > quiet) return
    shown = now
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** The player takes HTML; people write text. */
function escapeHtml(text: string): string {
  const element = document.createElement('span')
  element.textContent = text
  return element.innerHTML
}
