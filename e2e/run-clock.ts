import type { Locator } from 'playwright-core'

/**
 * Advances the paused clock of a page until an element is visible. Rendering depends on timers and on responses, which
 * take real time: small steps keep the clock from getting ahead of them. Returns the advanced time in ms, four seconds
 * at most.
 */
export async function runUntilVisible(locator: Locator): Promise<number> {
  const { clock } = locator.page()
  let gone = 0
  while (gone < 4000 && !(await locator.isVisible())) {
    await clock.runFor(2)
    gone += 2
  }
  return gone
}
