import type { Page } from 'playwright-core'
import type { RunningEmma } from './launch-emma.ts'

/**
 * Empties everything that the page has stored: it is like one in a new context then, in a third of the time, as the
 * browser keeps the compiled code of a page.
 */
export async function emptyStorage(page: Page, { url }: Pick<RunningEmma, 'url'>): Promise<void> {
  // A document of the same origin without the console, which would store something again.
  await page.goto(`${url}/health`)
  await page.context().clearCookies()
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    const databases = await indexedDB.databases()
    await Promise.all(databases.map(({ name }) => remove(name ?? '')))

    function remove(name: string): Promise<unknown> {
      return new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name)
        request.addEventListener('success', resolve)
        request.addEventListener('error', () => reject(request.error ?? new Error(name)))
      })
    }
  })
}
