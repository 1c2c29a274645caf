import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build, preview } from 'vite'
import { cachedFolder } from './cached-folder.ts'
import { settled } from './settled.ts'

/** The story book, built and served. */
export interface StoryBook {
  url: string
  /** A page of stories, ready to look at, in a context of its own. */
  open: (browser: Browser, story: string, options?: StoryOptions) => Promise<Page>
  stop: () => Promise<void>
}

export interface StoryOptions {
  scheme?: 'light' | 'dark'
  lng?: 'en' | 'de' | 'es'
  /** Files of the story book whose requests fail. */
  lost?: RegExp
}

const root = join(import.meta.dirname, '../packages/ui/stories')
const configFile = join(root, 'vite.config.ts')
const mode = 'production'
const sources = [
  'packages/ui/{src,stories}/**/*.{ts,tsx,css,json,html,svg}',
  'packages/ui/*.ts',
  'packages/{client,contract}/src/**/*.ts',
  'package-lock.json',
]

export async function serveStories(): Promise<StoryBook> {
  const outDir = await cachedFolder('emma-stories', sources, buildStories)
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
      if (lost) await page.route(lost, route => route.abort())
      await page.goto(`${url}?story=${story}&scheme=${scheme}&lng=${lng}&view=page`)
      await page.locator('[data-ready]').waitFor()
      await settled(page, { isLoading: true })
      return page
    },
    stop: () => server.close(),
  }
}

async function buildStories(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'emma-stories-'))
  // The test runner sets NODE_ENV to `test`, which would include React's development checks.
  process.env.NODE_ENV = mode
  await build({ root, configFile, mode, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  return outDir
}
