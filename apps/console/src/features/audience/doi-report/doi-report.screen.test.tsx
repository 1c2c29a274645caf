import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoDoiReport } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R177 confirmation requests by day, source and form, of the period that the URL names', async () => {
  const { tables, go } = await renderScreen('/subscribers/doi-report')
  const days = await tables<DemoDoiReport>('doi_report').all()
  const table = (name: string) => page.getByRole('table').getByRole('rowheader', { name })
  await expect.element(page.getByText('Requests over time').first()).toBeVisible()
  const requested = Number(days.toSorted((a, b) => b.date.localeCompare(a.date))[0]?.requested)
  await expect.element(page.getByRole('cell', { name: String(requested) }).first()).toBeVisible()
  await page.getByText('By source').click()
  await expect.element(table('Web form')).toBeVisible()
  await page.getByText('By form').click()
  await expect.element(table('Newsletter')).toBeVisible()
  await go('/subscribers/doi-report?group=source&days=7')
  await expect.element(page.getByRole('combobox', { name: 'Period' })).toHaveValue('7')
  await expect.element(table('Web form')).toBeVisible()
  await go('/subscribers/doi-report?group=none&days=-1')
  await expect.element(page.getByRole('combobox', { name: 'Period' })).toHaveValue('30')
})
