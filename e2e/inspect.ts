import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations } from './find-violations.ts'
import { settled } from './settled.ts'

/**
 * Asserts that the screen has no accessibility violations (WCAG 2.2 AA; its contrast, half of the time, with CI=true);
 * with EMMA_SCREENSHOTS it also takes a screenshot.
 *
 * @param isLoading the page shows placeholders on purpose
 * @param withLayout the navigation and the top bar too, which a11y.test.ts checks without anything open or unread
 */
export async function inspect(
  page: Page,
  name: string,
  { isLoading = false, withLayout = false } = {},
): Promise<void> {
  await settled(page, { isLoading })
  const folder = process.env.EMMA_SCREENSHOTS
  if (folder) {
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
  const without = process.env.CI ? [] : ['color-contrast']
  const violations = await findViolations(page, { without, contentOnly: !withLayout })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
}

/** Selects an option of a select by its visible name. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}
