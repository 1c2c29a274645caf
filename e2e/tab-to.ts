import type { Locator, Page } from 'playwright-core'

/** Most tab stops between two controls that a person would put up with. */
const mostStops = 80

/**
 * Moves the focus to a control by the Tab key alone, as a person without a mouse does; with a visible focus ring.
 * @throws if the control is not reached
 */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let stops = 0; stops < mostStops; stops++) {
    const { hasFocus, showsFocus } = await control.evaluate(element => ({
      hasFocus: element === document.activeElement,
      showsFocus: element.matches(':focus-visible'),
    }))
    if (hasFocus && showsFocus) return
    if (hasFocus) throw new Error(`${String(control)} has the focus, but does not show it`)
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(control)} is not reached by ${mostStops} tab stops`)
}
