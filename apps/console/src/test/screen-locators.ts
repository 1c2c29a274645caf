import { type Locator, locators } from 'vitest/browser'

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Elements of a CSS selector, for those without a role or text. */
    css(selector: string): Locator
  }
  interface BrowserCommands {
    /** Waits for the next download and returns the name of its file. */
    nameOfDownload(): Promise<string>
  }
}

locators.extend({ css: selector => selector })
