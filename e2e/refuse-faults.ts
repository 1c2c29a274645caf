import type { BrowserContext } from 'playwright-core'
import { afterEach } from 'vitest'
import { openContexts } from './open-browser.ts'
import { takeFaults } from './page-faults.ts'

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await describePages(openContexts()))
  const faults = takeFaults()
  if (faults.length > 0) throw new Error(`Faults in a page:\n${faults.join('\n')}`)
})

/** Address, messages and dialogs of each open page, to explain a failure. */
async function describePages(contexts: readonly BrowserContext[]): Promise<string> {
  const pages = contexts.flatMap(context => context.pages())
  const described = pages.map(async page => {
    const shown = page.locator('main, [role=alert], [role=status], [role=dialog]').filter({ visible: true })
    const texts = await shown.allInnerTexts().catch(() => [])
    return [page.url(), ...texts.map(text => text.replaceAll(/\s+/g, ' ').slice(0, 1500))].join('\n  ')
  })
  return (await Promise.all(described)).join('\n')
}
