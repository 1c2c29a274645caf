import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from './api-session.ts'
import { inspect } from './inspect.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import type { RunningEmma } from './launch-emma.ts'
import { CONSOLE_ROLES, startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

let emma: RunningEmma
let browser: Browser
let api: ApiSession
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

const widget = (name: string) => page.getByRole('region', { name, exact: true }).first()
const own = async (): Promise<Json> => (await api.get('/dashboard/?limit=50')).data[0]
const placeOf = async (type: string) => (await own()).content.find((one: Json) => one.type === type)
const menu = async (item: string) => {
  await page.getByRole('button', { name: /^Dashboard: / }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('R046 the standard dashboard shows the figures of existing data', async () => {
  await page.getByText('Active subscribers').waitFor()
  for (const name of [
    'Emails over time',
    'Opens and clicks',
    'Latest campaigns',
    'Last campaign',
    'Domain health',
  ])
    await widget(name).waitFor()
  await widget('Latest campaigns').getByRole('link', { name: 'Autumn roast' }).waitFor()
  await widget('Domain health').getByRole('link', { name: 'To the details of “Domain health”' }).click()
  await page.waitForURL('**/settings/domains*')
  await page.goBack()
  await widget('Domain health').waitFor()
  expect(await page.locator('section[aria-label]').count()).toBeGreaterThanOrEqual(8)
  await inspect(page, 'dashboard')
})

test('R231 editing the standard dashboard creates an own one: widgets are added, configured, removed and saved', async () => {
  await page.getByRole('button', { name: 'Change dashboard' }).click()
  await page.getByRole('button', { name: 'Add widget' }).click()
  await page.getByRole('menuitem', { name: /^Note/ }).click()
  await page.getByLabel('Title').fill('For Monday')
  await page.getByLabel('Text').fill('Call the printer')
  await page.getByRole('button', { name: 'Apply' }).click()
  await widget('For Monday').getByText('Call the printer').waitFor()
  await page.getByRole('button', { name: 'Options of “Opens and clicks”' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByLabel('Period').selectOption('7')
  await page.getByRole('button', { name: 'Apply' }).click()
  await widget('Opens and clicks').getByText('Last 7 days').waitFor()
  await page.getByRole('button', { name: 'Options of “Subscribers”' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await widget('Subscribers').waitFor({ state: 'detached' })
  await page.getByText('All changes saved').waitFor()
  const saved = await until(own, board => board.content.some((one: Json) => one.title === 'For Monday'))
  expect(saved).toMatchObject({ name: 'My dashboard', is_public: false })
  const types = saved.content.map((one: Json) => one.type)
  expect(types).toContain('note')
  expect(types).not.toContain('subscribers')
  expect((await placeOf('rates')).options).toEqual({ days: 7 })
  await inspect(page, 'dashboard-edit')
})

test('R231 widgets are moved and resized by keyboard, and a change is undone', async () => {
  const before = await placeOf('volume')
  const handle = page.getByRole('button', { name: /^Move “Emails over time”/ })
  await handle.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.getByText(/Column 1, row \d+, 5 wide/).waitFor()
  await until(
    () => placeOf('volume'),
    place => place.w === before.w - 1,
  )
  await page.keyboard.press('ArrowDown')
  await until(
    () => placeOf('volume'),
    place => place.y > before.y,
  )
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.click()
  await undo.click()
  const after = await until(
    () => placeOf('volume'),
    place => place.w === before.w,
  )
  expect(after).toEqual(before)
})

test('R231 a widget is dragged by its handle', async () => {
  const before = await placeOf('volume')
  const from = await page.getByRole('button', { name: /^Move “Emails over time”/ }).boundingBox()
  const over = await widget('Opens and clicks').boundingBox()
  if (!from || !over) throw new Error('No widget found!')
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(over.x + over.width - 60, from.y + 8, { steps: 12 })
  await page.mouse.up()
  const after = await until(
    () => placeOf('volume'),
    place => place.x > before.x,
  )
  expect(after).toMatchObject({ w: before.w, h: before.h })
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Change dashboard' }).waitFor()
})

test('R231 editing ends when the saved dashboard has been loaded', async () => {
  const boards = /\/api\/dashboard\/\?/
  await page.getByRole('button', { name: 'Change dashboard' }).click()
  await page.getByRole('button', { name: 'Options of “Domain health”' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(boards, async route => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(boards)
  const done = page.getByRole('button', { name: 'Done' })
  await done.click()
  await asked
  expect(await done.count()).toBe(1)
  release()
  await page.getByRole('button', { name: 'Change dashboard' }).waitFor()
  expect(await widget('Domain health').count()).toBe(0)
  await page.unroute(boards)
})

test('R231 dashboards are copied, renamed, shared with the client and set as default', async () => {
  await menu('Copy this dashboard')
  await page.getByRole('textbox', { name: 'Name' }).fill('For the team')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Dashboard: For the team' }).waitFor()
  await menu('Share with all users of the client')
  await page.getByText('can now be seen by all of the client').waitFor()
  await menu('Show this one first')
  await page.getByText('You will begin with this dashboard').waitFor()
  const listed = async (visibility: string) =>
    (await api.get(`/dashboard/?visibility=${visibility}`)).data.map((board: Json) => board.name)
  expect(await listed('public')).toEqual(['For the team'])
  expect(await listed('private')).toEqual(['My dashboard'])
  await page.goto(`${emma.url}/dashboard`)
  await page.getByRole('button', { name: 'Dashboard: For the team' }).waitFor()
  await menu('Standard dashboard')
  await page.getByRole('button', { name: 'Dashboard: Standard dashboard' }).waitFor()
})

test('R231 a share link shows the figures without a login until it is revoked', async () => {
  await menu('For the team')
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  const guest = await context.newPage()
  await guest.goto(link)
  await guest.getByRole('heading', { name: 'For the team' }).waitFor()
  await guest.getByText('Call the printer').waitFor()
  await guest.getByText('Active subscribers').waitFor()
  expect(await guest.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
  expect(await guest.getByRole('link').count()).toBe(0)
  await inspect(guest, 'dashboard-shared')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The link is revoked').waitFor()
  await guest.reload()
  await guest.getByText('This link is not valid').waitFor()
  await context.close()
  await page.keyboard.press('Escape')
})

test('R233 R038 campaigns are grouped and reported as one', async () => {
  await visit(page, '/campaigns/reportgroups')
  await page.getByRole('button', { name: 'New report group' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('The season')
  await page.getByRole('combobox', { name: 'Campaigns' }).click()
  await page.getByRole('option', { name: 'Autumn roast' }).first().click()
  // Closes the list of options.
  await page.getByRole('textbox', { name: 'Name' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The season').first().click()
  const drawer = page.getByRole('dialog', { name: 'The season' })
  await drawer.getByText('Delivered').first().waitFor()
  await drawer.getByText('Autumn roast').first().waitFor()
  await inspect(page, 'report-group')
  const { data } = await api.get('/reportinggroup/')
  expect(data).toMatchObject([{ name: 'The season', campaign_ids: [expect.any(Number)] }])
})

test('R046 at 360 px the widgets are stacked and can be edited', async () => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(`${emma.url}/dashboard`)
  await widget('Emails over time').waitFor()
  const widths = await page.locator('section[aria-label]').evaluateAll(all => all.map(one => one.clientWidth))
  expect(Math.max(...widths)).toBeLessThanOrEqual(360)
  await page.getByRole('button', { name: 'Change dashboard' }).click()
  const before = await placeOfTeam('funnel')
  await page.getByRole('button', { name: 'Options of “Last campaign”' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await until(
    () => placeOfTeam('funnel'),
    place => place.y < before.y,
  )
})

async function placeOfTeam(type: string): Promise<Json> {
  const { data } = await api.get('/dashboard/?visibility=public')
  return data[0].content.find((one: Json) => one.type === type)
}
