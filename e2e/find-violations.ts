import axe, { type AxeResults, type ElementContext, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type Violations = AxeResults['violations']

/** WCAG 2.2, levels A and AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export interface Rules {
  /** Names of rules; without them all rules of `tags`. */
  rules?: readonly string[]
  tags?: readonly string[]
  /** Names of rules of `tags` that are left out. */
  without?: readonly string[]
  /** Leaves out the navigation and the top bar, which are the same on every screen. */
  contentOnly?: boolean
}

/** Of the console's layout, not of a screen. */
const layout = 'body:has(#content) :is(nav, header):not(#content *, [role=dialog] *)'

/** Accessibility violations of a page as it is now, without the contents of its frames. axe-core is loaded into each document once. */
export async function findViolations(
  page: Page,
  { rules, tags = wcag, without = [], contentOnly = false }: Rules = {},
): Promise<Violations> {
  if (!(await page.evaluate(() => Reflect.has(globalThis, 'axe')))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults, [ElementContext, RunOptions]>(
    // Accessed by name: the script is in the page.
    ([context, options]) => Reflect.get(globalThis, 'axe').run(context, options),
    [
      { exclude: contentOnly ? [['iframe'], [layout]] : [['iframe']] },
      {
        iframes: false,
        resultTypes: ['violations'],
        rules: Object.fromEntries(without.map(rule => [rule, { enabled: false }])),
        runOnly: rules ? { type: 'rule', values: [...rules] } : { type: 'tag', values: [...tags] },
      },
    ],
  )
  return violations
}
