import type { Page } from 'playwright-core'
import { settled } from './settled.ts'

/**
 * Presses `g` and the letter of a screen. The console waits 1.5 s for the letter: a page that still loads is waited for, and
 * both keys are sent at once, so that no answer of the page comes between them.
 */
export async function pressGoTo(page: Page, letter: string): Promise<void> {
  await settled(page, { isLoading: true })
  await Promise.all([page.keyboard.press('g'), page.keyboard.press(letter)])
}
