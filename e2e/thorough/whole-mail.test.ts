import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningEmma } from '../launch-emma.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { sendTest } from '../send-test.ts'
import { SENDING_ROLES, startEmma } from '../start-emma.ts'
import { tabTo } from '../tab-to.ts'

let emma: RunningEmma
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: `${SENDING_ROLES},tracking` })
  browser = await openBrowser()
  page = await openConsole(browser, emma, { path: '/templates/catalog' })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R128 R129 a whole mail from a design by keyboard alone', async () => {
  await page.goto(`${emma.url}/templates/catalog`)
  await tabTo(page, page.getByRole('button', { name: /^Webinar invitation/ }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Use this design' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/templates\/edit\/\d+$/)
  const canvas = page.frameLocator('iframe[title="Mail"]')
  await canvas.getByText('Budgets that survive the year').waitFor()

  await tabTo(page, page.getByRole('textbox', { name: /^Subject/ }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Dinner by keyboard')
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  await tabTo(page, blocks)
  const selected = blocks.getByRole('treeitem', { selected: true })
  do await page.keyboard.press('ArrowDown')
  while (!(await selected.innerText()).includes('Budgets that survive the year'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('A table by the fire')
  await page.keyboard.press('Escape')
  await canvas.getByText('A table by the fire').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Add block' }))
  await page.keyboard.press('Enter')
  const button = page.getByRole('menuitem', { name: 'Button' })
  await button.waitFor()
  while (!(await button.evaluate(item => item === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('textbox', { name: /^(Link|Address|URL)/ }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('https://shop.example/tables')
  await page.keyboard.press('Control+s')
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  const mail = await sendTest(emma, page, 'ok-keys@gmail.test', async addresses => {
    await tabTo(page, addresses)
    await page.keyboard.type('ok-keys@gmail.test')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Send the test' }))
    await page.keyboard.press('Enter')
  })
  expect(mail.subject).toBe('[TEST] Dinner by keyboard')
  expect(mail.text).toContain('A table by the fire')
  const [, link = ''] = /href="([^"]*\/t\/c\/[^"]*\/0)"/.exec(mail.html ?? '') ?? []
  const { headers } = await fetch(link, { redirect: 'manual' })
  expect(headers.get('location')).toBe('https://shop.example/tables')
})

test('R128 R129 a whole mail from a design by mouse alone', async () => {
  await page.goto(`${emma.url}/templates/catalog`)
  await page.getByRole('button', { name: /^Monthly review/ }).click()
  await page.getByRole('button', { name: 'Use this design' }).click()
  await page.waitForURL(/templates\/edit\/\d+$/)
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  const image = blocks.getByRole('treeitem').filter({ hasText: 'Image' }).first()
  await image.click()
  const count = () => blocks.getByRole('treeitem').count()
  const before = await count()
  await page.getByRole('button', { name: 'Delete block' }).click()
  await expect.poll(count).toBe(before - 1)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(count).toBe(before)
  await page.getByRole('button', { name: 'Sections', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Quote', exact: true }).click()
  await expect.poll(count).toBeGreaterThan(before)
  await page.getByRole('button', { name: 'Move up' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  const mail = await sendTest(emma, page, 'ok-mouse@gmail.test', async addresses => {
    // An address has to be typed; everything else is clicked.
    await addresses.click()
    await addresses.fill('ok-mouse@gmail.test')
    await page.getByRole('button', { name: 'Send the test' }).click()
  })
  expect(mail.html).toContain('<img')
})
