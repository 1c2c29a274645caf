import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi } from './api-session.ts'
import type { RunningEmma } from './launch-emma.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { settled } from './settled.ts'
import { SENDING_ROLES, startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page
/** Messages in the browser's console. */
const complaints: string[] = []

beforeAll(async () => {
  emma = await startEmma({ roles: SENDING_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

/** HTML as written by other tools, of whose remote content only one image may load. */
const imported = (picture: string) => `<html><head>
  <link rel="stylesheet" href="https://fonts.example.com/css?family=Roboto">
  <style>@import url("https://fonts.example.com/more.css");
  @font-face{font-family:Local;src:url(http://fonts.example.com/local.woff2)}
  body{font-family:Local;background:url(http://pictures.example.com/ground.png)}</style>
</head><body background="http://pictures.example.com/body.png">
  <img src="http://pictures.example.com/top.png" alt="Top" srcset="//pictures.example.com/top-2x.png 2x">
  <img src="${picture}" alt="Shown"><img src="cid:logo" alt="Logo">
  <p style="background-image:url('//pictures.example.com/line.png')">Imported words, {{ link.unsubscribe }}</p>
  <svg><image href="http://pictures.example.com/vector.png"/></svg>
  <video src="https://pictures.example.com/film.mp4" poster="http://pictures.example.com/film.png"></video>
  <script>alert(1)</script></body></html>`

test('previews of the template gallery and the canvas of the editor load allowed content without policy violations', async () => {
  const within = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const body_long = imported(within)
  const made = await api.post('/emma/message/', { name: 'Imported', subject: 'Hi', body_long })
  const frames = {
    '/templates/archive': 'iframe[srcdoc*="Imported words"]',
    [`/templates/edit/${made.message_id}`]: 'iframe[title="Mail"]',
  }
  for (const [path, selector] of Object.entries(frames)) {
    await page.goto(`${emma.url}${path}`)
    const frame = page.locator(selector).first()
    await frame.waitFor()
    const shown = frame.contentFrame().getByRole('img', { name: 'Shown' })
    await expect.poll(() => shown.evaluate(image => Reflect.get(image, 'naturalWidth'))).toBeGreaterThan(0)
    await settled(page)
    expect([path, complaints]).toEqual([path, []])
  }
})

test('the sample subscribers are filtered by city', async () => {
  await visit(page, '/subscribers/archive')
  const list = page.getByRole('table', { name: 'Subscribers' })
  await list.getByRole('row').nth(2).waitFor()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'City contains' }).click()
  await page.getByRole('textbox', { name: 'City contains' }).fill('sevi')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('column.city')).toBe('sevi')
  const elsewhere = list.getByRole('row').filter({ hasNotText: 'Sevilla' })
  // Only the header row is left.
  await expect.poll(() => elsewhere.count()).toBe(1)
  expect(await list.getByRole('row').filter({ hasText: 'Sevilla' }).count()).toBeGreaterThan(1)
  await page.reload()
  await list.getByRole('row').nth(2).waitFor()
  expect(await elsewhere.count()).toBe(1)
})
