import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoCapping } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('a frequency cap is told in words, and changed by length and unit of its window', async () => {
  const { tables, go } = await renderScreen('/campaigns/frequency-caps')
  await expect.element(page.getByText('at most 3 emails in 1 week')).toBeVisible()
  await page.getByRole('link', { name: 'At most 3 mails a week' }).click()
  await page.getByRole('textbox', { name: 'Emails at most' }).fill('5')
  await page.getByRole('combobox', { name: 'Unit' }).selectOptions('Days')
  await page.getByRole('textbox', { name: 'In', exact: true }).fill('10')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const stored = async () => (await tables<DemoCapping>('capping').all())[0]
  await expect.poll(stored).toMatchObject({ max_mails: 5, period_hours: 240 })
  await expect.element(page.getByText('is saved').first()).toBeVisible()
  await go('/campaigns/frequency-caps')
  await expect.element(page.getByText('at most 5 emails in 10 days')).toBeVisible()
})

test('a new frequency cap needs a name and a number', async () => {
  const { tables } = await renderScreen('/campaigns/frequency-caps/edit/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Two a day')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .element(
      page
        .getByRole('alert')
        .getByText(/Emails at most/)
        .first(),
    )
    .toBeVisible()
  await page.getByRole('textbox', { name: 'Emails at most' }).fill('2')
  await page.getByRole('textbox', { name: 'In', exact: true }).fill('1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await tables<DemoCapping>('capping').all()).find(({ name }) => name === 'Two a day'))
    .toMatchObject({ max_mails: 2, period_hours: 24, scope: 'client' })
})
