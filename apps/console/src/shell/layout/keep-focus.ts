/** How many places are remembered. */
const places = 12

/** What comes in place of what goes may take the focus itself, within so many ms. */
const patience = 60

interface Place {
  element: HTMLElement
  path: string
}

/**
 * Takes the focus back when what had it goes away, with a dialog, a row, a button that is not needed any more: to
 * where it was before on this screen, else to the screen (WCAG 2.4.3). A click beside everything is no loss.
 */
export function keepFocus(): void {
  let before: Place[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Cannot be used for a moment, while something is saved. */
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
    timer = setTimeout(restore, patience)
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
