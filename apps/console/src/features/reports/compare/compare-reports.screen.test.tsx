import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoReport } from '../../../demo/demo-records.ts'
import { router } from '../../../router.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R039 selected reports are compared, removed and kept as a report group', async () => {
  await renderScreen('/campaigns/reports')
  const boxes = page.getByRole('row').getByRole('checkbox')
  await boxes.nth(1).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  const hint = page.getByRole('status').filter({ hasText: 'Select at least two reports to compare them.' })
  await hint.getByRole('button', { name: 'Close notification' }).click()
  await boxes.nth(2).click()
  await boxes.nth(3).click()
  await page.getByRole('button', { name: 'Compare' }).click()

  const table = page.getByRole('group', { name: 'Figures' })
  await expect.element(table.getByRole('row', { name: /^All together/ })).toBeVisible()
  expect(table.getByRole('row').elements()).toHaveLength(5)
  await table
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await expect.poll(() => table.getByRole('row').elements().length).toBe(4)

  await page.getByRole('button', { name: 'Save as report group' }).click()
  await page.getByRole('textbox', { name: 'Name of the report group' }).fill('Summer')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByRole('heading', { name: 'Summer' })).toBeVisible()
  expect(router.state.location.pathname).toMatch(/\/compare\/\d+$/)
  await expect.poll(() => table.getByRole('row').elements().length).toBe(4)
})

test('R039 what is compared has been started, and an address that is none is not found', async () => {
  let id = 0
  const { go } = await renderScreen('/campaigns/reports', async ({ tables }) => {
    id = (await tables<DemoReport>('report').all())[0]?.campagne_id ?? 0
  })
  await go(`/campaigns/reports/compare/${id},999999999`)
  await expect
    .element(page.getByText('One campaign has not been started, or is not there any more.'))
    .toBeVisible()
  await go('/campaigns/reports/compare/1,x')
  await expect.element(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
})
