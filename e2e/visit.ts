import type { Page } from 'playwright-core'
import { settled } from './settled.ts'

/**
 * Goes to a path of the running console, like one of its links, and waits for the heading of the screen: another element
 * than before, or the same one with another text, so not for the screen that is shown. Loading the console again takes a
 * second or two of processor time.
 */
export async function visit(page: Page, path: string): Promise<void> {
  // A navigation that has begun would show another heading in between.
  await settled(page, { isLoading: true })
  await follow(page, path)
  await page.waitForFunction(() => {
    const heading = document.querySelector('h1')
    return heading !== null && heading.getAttribute('data-before') !== heading.textContent
  })
}

/** Goes to a path of the running console without waiting. Headings of the previous screen have `data-before`. */
export function follow(page: Page, path: string): Promise<void> {
  return page.evaluate(to => {
    for (const heading of document.querySelectorAll('h1, h2'))
      heading.setAttribute('data-before', heading.textContent)
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
