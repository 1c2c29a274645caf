import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoBlacklist } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R210 entries are added to several lists, with a reason, and removed from all of them', async () => {
  const { tables } = await renderScreen('/subscribers/blacklistsmulti')
  const lists = await tables<DemoBlacklist>('blacklist').all()
  const withEntry = async () =>
    (await tables<DemoBlacklist>('blacklist').all()).filter(({ entries }) =>
      entries.some(({ value, reason }) => value === 'rival.example' && reason === 'Competitor'),
    ).length
  await page.getByRole('button', { name: 'Add to several lists' }).first().click()
  const dialog = page.getByRole('dialog')
  for (const { name } of lists) {
    await dialog.getByRole('combobox', { name: 'Suppression lists' }).click()
    await page.getByRole('option', { name }).click()
  }
  await dialog.getByRole('textbox', { name: 'Entry' }).fill('rival.example')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Competitor')
  await dialog.getByRole('button', { name: 'Add 1 entry' }).click()
  await expect.poll(withEntry).toBe(lists.length)
  const names = lists.map(({ name }) => name).join(', ')
  await expect.element(page.getByText(names)).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${names}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from all lists' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(withEntry).toBe(0)
  await expect.element(page.getByText('Removed', { exact: true })).toBeVisible()
})
