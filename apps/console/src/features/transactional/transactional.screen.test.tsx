import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoTransactional, DemoTransactionalMail } from '../../demo/demo-records.ts'
import { renderScreen } from '../../test/render-screen.tsx'

const edit = '/transactionals/edit/9001'

test('R133 R134 a transactional email is described by its data, which the example call shows', async () => {
  const { tables } = await renderScreen('/transactionals/archive')
  await page.getByRole('link', { name: 'Order confirmation' }).click()
  await page.getByRole('button', { name: 'Add field', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name of “field 4”' }).fill('customer')
  await page.getByRole('combobox', { name: 'Type of “customer”' }).selectOptions('Object')
  await page.getByRole('button', { name: 'Add field to “customer”' }).click()
  await page.getByRole('textbox', { name: 'Name of “customer.field 1”' }).fill('city')
  await page.getByRole('textbox', { name: 'Example of “customer.city”' }).fill('Berlin')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const stored = async () => (await tables<DemoTransactional>('transactional').all())[0]?.data_fields.at(-1)
  await expect
    .poll(stored)
    .toMatchObject({ name: 'customer', type: 'object', fields: [{ name: 'city', example: 'Berlin' }] })
  await page.getByRole('tab', { name: 'API' }).click()
  await expect.element(page.getByText('"city": "Berlin"').first()).toBeVisible()
  await page.getByText('Python', { exact: true }).click()
  await expect.element(page.getByText('urllib.request').first()).toBeVisible()
})

test('a name that occurs twice is told before saving', async () => {
  await renderScreen(edit)
  await page.getByRole('textbox', { name: 'Name of “total”' }).fill('order_number')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('A name occurs twice.').first()).toBeVisible()
})

test('the console sends an email, which the log shows', async () => {
  const { tables } = await renderScreen(`${edit}?tab=api`)
  await page.getByRole('textbox', { name: 'Recipient' }).fill('me@example.com')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.element(page.getByText('The email to me@example.com is on its way.')).toBeVisible()
  const last = async () => (await tables<DemoTransactionalMail>('transactional_mail').all()).at(-1)
  await expect.poll(last).toMatchObject({ email: 'me@example.com', data: { order_number: 'A-1001' } })
  await page.getByRole('tab', { name: 'Log' }).click()
  await expect.element(page.getByText('me@example.com').first()).toBeVisible()
})

test('R235 the report shows the figures of each day', async () => {
  await renderScreen(`${edit}?tab=report`)
  await expect.element(page.getByText('Emails by day').first()).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Period' })).toHaveValue('30')
})
