import { type Locator, locators } from 'vitest/browser'

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Elements of a CSS selector, for those without a role or text. */
    css(selector: string): Locator
  }
}

locators.extend({ css: selector => selector })
