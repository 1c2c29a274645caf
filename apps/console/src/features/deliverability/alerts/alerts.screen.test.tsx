import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R064 the list shows condition, figure and state of each alert', async () => {
  await renderScreen('/settings/alerts')
  const row = page.getByRole('row').filter({ hasText: 'Too many bounces' })
  await expect.element(row.getByText('Bounce rate ≥ 5 %')).toBeVisible()
  await expect.element(row.getByText('1.4 %')).toBeVisible()
  await expect.element(row.getByText('All good')).toBeVisible()
  await expect
    .element(
      page.getByRole('row').filter({ hasText: 'Not in the inbox' }).getByText('Alert', { exact: true }),
    )
    .toBeVisible()
})

test('R065 a new alert begins with the usual threshold and needs a recipient', async () => {
  await renderScreen('/settings/alerts/edit/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Inbox')
  await page.getByRole('combobox', { name: 'Figure' }).selectOptions('Emails in the inbox')
  await expect.element(page.getByRole('textbox', { name: 'Threshold' })).toHaveValue('80')
  await expect.element(page.getByRole('combobox', { name: 'Comparison' })).toHaveValue('lt')
  await page.getByRole('button', { name: 'Save' }).click()
  const summary = page.getByRole('alert')
  await expect.element(summary.getByText('Email address').first()).toBeVisible()
  const email = page.getByRole('textbox', { name: 'Email address' })
  await expect.element(email).toBeRequired()
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('0170 1234567')
  await expect.element(email).not.toBeRequired()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Enter the number with its country code').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Threshold' }).fill('70')
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('+491701234567')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('row').filter({ hasText: 'Emails in the inbox < 70 %' })).toBeVisible()
})
