import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '../open-browser.ts'
import { adminPassword, type RunningEmma } from '../launch-emma.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let browser: Browser
let context: BrowserContext
let page: Page
/** Requested paths of the eggs' files. */
let asked: string[]
let strangers: string[]

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  asked = []
  strangers = []
  page.on('request', request => {
    const { origin, pathname } = new URL(request.url())
    if (origin !== emma.url) strangers.push(request.url())
    if (/egg/.test(pathname)) asked.push(pathname)
  })
  await page.goto(`${emma.url}/login`)
  await page.getByLabel('User name').waitFor()
})
afterEach(async () => {
  await context.close()
  if (strangers.length > 0) throw new Error(strangers.join('\n'))
})

test('R322 R324 T24 nothing is loaded before a word is typed, then code, stylesheet and assets', async () => {
  await type('QQUAKE')
  await type('HELPEX')
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.type('quake')
  await page.getByLabel('User name').focus()
  expect(asked).toEqual([])
  expect(await bodyClasses()).toBe('')

  await type('helper')
  await page.locator('img.egg-helper').waitFor()
  await expect.poll(() => asked).toContain('/eggs/helper.svg')
  expect(asked.filter(path => path.endsWith('.css'))).toHaveLength(1)
  expect(asked.filter(path => /\.(?:wav|webm)$/.test(path))).toEqual([])
})

test('R323 a match flashes the page for 150 ms, once, brightened and in grayscale, before the effect', async () => {
  await page.evaluate(() => {
    // Observes the start of the animation; its first frame may be drawn after its end.
    new MutationObserver(() => {
      if (!document.documentElement.classList.contains('egg-flash')) return
      const [flash] = document.documentElement.getAnimations()
      const effect = flash?.effect
      const frames = effect instanceof KeyframeEffect ? effect.getKeyframes() : []
      const { duration, iterations } = effect?.getTiming() ?? {}
      const filters = frames.map(({ filter }) => filter).filter(filter => filter !== 'none')
      const seen = { duration, iterations, filters, during: document.body.className }
      document.documentElement.dataset['flash'] = JSON.stringify(seen)
    }).observe(document.documentElement, { attributeFilter: ['class'] })
  })
  await type('FLIP')
  await expect.poll(bodyClasses).toBe('egg-flip')
  const flash: unknown = JSON.parse((await page.locator('html').getAttribute('data-flash')) ?? 'null')
  expect(flash).toEqual({ duration: 150, iterations: 1, filters: ['brightness(2) grayscale(1)'], during: '' })
  expect(await page.locator('html').getAttribute('class')).not.toContain('egg-flash')
})

test('R325 1 the helper is 2rem from bottom and right at z-index 6, plays a sound on click, and is toggled off', async () => {
  await type('HELPER')
  const helper = page.locator('img.egg-helper')
  await helper.waitFor()
  const place = await helper.evaluate(image => {
    const { position, right, bottom, zIndex } = getComputedStyle(image)
    return { position, right, bottom, zIndex }
  })
  expect(place).toEqual({ position: 'fixed', right: '32px', bottom: '32px', zIndex: '6' })
  await helper.click()
  await expect.poll(() => asked).toContain('/eggs/helper.wav')
  await type('HELPER')
  await helper.waitFor({ state: 'detached' })
})

test.each([
  ['QUAKE', 'egg-earthquake', { animationName: 'egg-earthquake' }],
  ['ROLL', 'egg-roll', { animationName: 'egg-roll' }],
  ['FLIP', 'egg-flip', { transform: 'matrix(-1, 0, 0, -1, 0, 0)' }],
] as const)('R325 2 5 7 %s toggles a class of the body', async (word, name, style) => {
  await type(word)
  await expect.poll(bodyClasses).toBe(name)
  const { animationName, transform } = await bodyStyle()
  expect({ animationName, transform }).toMatchObject(style)
  await type(word)
  await expect.poll(bodyClasses).toBe('')
})

test('R325 3 the catchphrase has its style, and plays a sound on each click until it is toggled off', async () => {
  await type('CATCHPHRASE')
  await expect.poll(bodyClasses).toBe('egg-catchphrase')
  const phrase = await page.evaluate(() => getComputedStyle(document.body, '::after').content)
  expect(phrase).toBe('"Beyond!"')
  await clickAside()
  await expect.poll(() => asked).toContain('/eggs/catchphrase.wav')
  await type('CATCHPHRASE')
  await expect.poll(bodyClasses).toBe('')
  expect(await soundsOfAClick()).toBe(0)
})

test('R325 4 every click plays a sound until the word is typed again', async () => {
  await type('CLICK')
  await expect.poll(soundsOfAClick).toBe(1)
  await expect.poll(() => asked).toContain('/eggs/click.wav')
  await type('CLICK')
  await expect.poll(soundsOfAClick).toBe(0)
})

test('R325 6 the video has no size, plays automatically, and is added each time', async () => {
  await type('VIDEO')
  const videos = page.locator('video.egg-video')
  await expect.poll(() => videos.count()).toBe(1)
  const seen = await videos.evaluate(video => {
    const { width, height } = video.getBoundingClientRect()
    const { visibility } = getComputedStyle(video)
    return { width, height, visibility, plays: video instanceof HTMLVideoElement && video.autoplay }
  })
  expect(seen).toEqual({ width: 0, height: 0, visibility: 'hidden', plays: true })
  await expect
    .poll(() => videos.evaluate(video => video instanceof HTMLVideoElement && video.currentTime > 0))
    .toBe(true)
  await type('VIDEO')
  await expect.poll(() => videos.count()).toBe(2)
})

test('R321 playback errors are ignored', async () => {
  await page.route('**/eggs/*.wav', route => route.fulfill({ status: 404, body: '' }))
  await type('CATCHPHRASE')
  await type('CLICK')
  await expect.poll(bodyClasses).toBe('egg-catchphrase')
  // Each word flashes before its sound is on.
  await expect.poll(soundsAskedFor).toBe(2)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('R322 T24 the words work after login, for all users, and with reduced motion the effect is immediate', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  expect(asked).toEqual([])
  await type('QUAKE')
  await expect.poll(bodyClasses).toContain('egg-earthquake')
  expect((await bodyStyle()).animationName).toBe('none')
})

/** Types without a focused field. */
async function type(word: string): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await page.keyboard.type(word)
}

function bodyClasses(): Promise<string> {
  return page.evaluate(() => [...document.body.classList].filter(name => name.startsWith('egg-')).join(' '))
}

function bodyStyle() {
  return page.evaluate(() => {
    const { animationName, transform } = getComputedStyle(document.body)
    return { animationName, transform }
  })
}

async function clickAside(): Promise<void> {
  await page.mouse.click(5, 5)
}

/** Clicks, and counts the different sounds requested by clicks so far. */
async function soundsAskedFor(): Promise<number> {
  await clickAside()
  return new Set(asked.filter(path => path.endsWith('.wav'))).size
}

/** Number of sounds started by one click. */
async function soundsOfAClick(): Promise<number> {
  await page.evaluate(() => {
    const { documentElement } = document
    documentElement.dataset['sounds'] = '0'
    const { play } = Audio.prototype
    Audio.prototype.play = function count() {
      documentElement.dataset['sounds'] = String(Number(documentElement.dataset['sounds']) + 1)
      Audio.prototype.play = play
      return Promise.resolve()
    }
  })
  await clickAside()
  return Number(await page.locator('html').getAttribute('data-sounds'))
}
