import type { Locator } from 'playwright-core'

/**
 * Lets the stopped clock of a page run until something is seen. What is drawn waits for timers, and for answers, which
 * take their own time: small steps, so that the clock does not get ahead of them. Answers how long it ran, in
 * milliseconds, four seconds at most.
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
