import type { BrowserContext, Page, Request } from 'playwright-core'

/** Requests of a page: pending ones, and the number sent in total. */
interface Traffic {
  pending: Set<Request>
  sent: number
}

const traffic = new WeakMap<Page, Traffic>()

/** Counts the requests of all pages that the context opens from now on. `settled` needs it. */
export function countRequests(context: BrowserContext): void {
  context.on('page', page => {
    const counts: Traffic = { pending: new Set(), sent: 0 }
    traffic.set(page, counts)
    page.on('request', request => {
      // A navigation aborts the requests of the previous document, not always with an event.
      if (isNavigation(request, page)) counts.pending.clear()
      counts.pending.add(request)
      counts.sent++
    })
    page.on('requestfinished', request => counts.pending.delete(request))
    page.on('requestfailed', request => counts.pending.delete(request))
  })
}

/**
 * Waits until the page has finished rendering: no pending request, no placeholder, no running animation, fonts loaded.
 * WebSockets are ignored: live progress keeps one open.
 *
 * @param isLoading accepts loading placeholders
 */
export async function settled(page: Page, { isLoading = false } = {}): Promise<void> {
  const counts = traffic.get(page)
  if (!counts) throw new Error('The page is not from openBrowser')
  let before: number
  do {
    before = counts.sent
    await page.waitForFunction(isStill, isLoading, { polling: 'raf' })
  } while (counts.pending.size > 0 || counts.sent > before)
}

function isNavigation(request: Request, page: Page): boolean {
  return request.isNavigationRequest() && request.frame() === page.mainFrame()
}

/** Runs in the page once per frame: true after four frames without loading or movement. */
function isStill(isLoading: boolean): boolean {
  const placeholders = document.querySelectorAll(
    '.mantine-Skeleton-root[data-visible], .mantine-Loader-root, [aria-busy=true]',
  )
  const isMoving = document
    .getAnimations()
    .some(
      ({ playState, effect }) =>
        playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
    )
  const isQuiet = (isLoading || placeholders.length === 0) && !isMoving && document.fonts.status === 'loaded'
  const previous: unknown = Reflect.get(window, 'stillFrames')
  const frames = isQuiet ? (typeof previous === 'number' ? previous : 0) + 1 : 0
  Reflect.set(window, 'stillFrames', frames < 4 ? frames : 0)
  return frames === 4
}
