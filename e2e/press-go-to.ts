import type { Page } from 'playwright-core'
import { settled } from './settled.ts'

/**
 * Presses `g` and the letter of a screen. The console waits 1.5 s for the letter, so the page has to finish loading first,
 * and both keys are sent without waiting for the page in between.
 */
export async function pressGoTo(page: Page, letter: string): Promise<void> {
  await settled(page, { isLoading: true })
  await Promise.all([page.keyboard.press('g'), page.keyboard.press(letter)])
}
