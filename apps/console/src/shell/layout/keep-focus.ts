/** Number of focused elements that are remembered. */
const places = 12

/** Time in ms in which a new element may take the focus itself. */
const RESTORE_DELAY_MS = 60

interface Place {
  element: HTMLElement
  path: string
}

/**
 * Restores the focus when the focused element is removed, e.g. with a dialog, a row or a button: to the element focused
 * before it on this screen, else to the content (WCAG 2.4.3). Clicks on empty space do not restore it.
 */
export function keepFocus(): void {
  let before: Place[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The focused element while it is disabled, e.g. during saving. */
  let resting: HTMLElement | null = null

  function note({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return
    const others = before.filter(({ element }) => element !== target && element.isConnected)
    before = [...others, { element: target, path: location.pathname }].slice(-places)
  }

  function look(): void {
    clearTimeout(timer)
    const holder = before.at(-1)?.element
    if (holder?.matches(':disabled')) resting = holder
    timer = setTimeout(restore, RESTORE_DELAY_MS)
  }

  function restore(): void {
    const holder = before.at(-1)?.element
    if (holder === undefined || document.activeElement !== document.body) return
    if (holder.isConnected && holder.matches(':disabled')) return
    if (mayTake(holder) && resting !== holder) return
    resting = null
    const dialogs = document.querySelectorAll('[role="dialog"][aria-modal="true"]')
    const dialog = dialogs.item(dialogs.length - 1)
    const place = before.findLast(
      ({ element, path }) =>
        path === location.pathname && mayTake(element) && (dialog === null || dialog.contains(element)),
    )
    const element = place?.element ?? (dialog ? null : document.getElementById('content'))
    element?.focus({ preventScroll: true })
  }

  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', note)
}

function mayTake(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility() && !element.matches(':disabled')
}
