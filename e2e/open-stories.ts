import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build, preview } from 'vite'

/** The story book, built and served. */
export interface StoryBook {
  url: string
  /** Opens a page of stories in a tab of its own; `faults` are the errors in its console. */
  open: (browser: Browser, story: string, options?: StoryOptions) => Promise<{ page: Page; faults: string[] }>
  stop: () => Promise<void>
}

export interface StoryOptions {
  scheme?: 'light' | 'dark'
  lng?: 'en' | 'de' | 'es'
  /** Files of the story book whose requests fail. */
  lost?: RegExp
}

const root = join(import.meta.dirname, '../packages/ui/stories')

export async function serveStories(): Promise<StoryBook> {
  const outDir = await mkdtemp(join(tmpdir(), 'emma-stories-'))
  const configFile = join(root, 'vite.config.ts')
  const mode = 'production'
  // The test runner sets NODE_ENV to `test`, which would include React's development checks.
  process.env.NODE_ENV = mode
  await build({ root, configFile, mode, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  const server = await preview({
    root,
    configFile,
    mode,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  })
  const url = server.resolvedUrls?.local[0]
  if (url === undefined) throw new Error('The story book is not served')
  return {
    url,
    open: async (browser, story, { scheme = 'light', lng = 'en', lost } = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        timezoneId: 'Europe/Berlin',
      })
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', error => faults.push(error.message))
      page.on('console', message => message.type() === 'error' && faults.push(message.text()))
      if (lost) await page.route(lost, route => route.abort())
      await page.goto(`${url}?story=${story}&scheme=${scheme}&lng=${lng}&view=page`)
      await page.locator('[data-ready]').waitFor()
      await page.waitForLoadState('networkidle')
      return { page, faults }
    },
    stop: async () => {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
