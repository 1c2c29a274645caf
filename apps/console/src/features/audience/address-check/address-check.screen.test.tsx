import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoSubscriber } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('an address is checked: where it is, what stops it, and what is no address', async () => {
  const { tables } = await renderScreen('/subscribers/address-check')
  const people = await tables<DemoSubscriber>('subscriber').all()
  const person = people.find(({ dateunjoin, active }) => dateunjoin === null && active)
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect.element(page.getByText('This is not an email address.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.test')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect.element(page.getByText('nobody@example.test is in no datasource')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(person?.email ?? '')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect.element(page.getByText(`${person?.email} gets email`)).toBeVisible()
  await expect.element(page.getByRole('status').getByText('Datasources:')).toBeVisible()
})

test('a subscriber who gets no email leads to the reason', async () => {
  const { tables, go } = await renderScreen('/subscribers/archive')
  const people = await tables<DemoSubscriber>('subscriber').all()
  const gone = people.find(({ dateunjoin }) => dateunjoin !== null)
  await go(`/subscribers/edit/${gone?.member_id}?table=${gone?.member_table_id}`)
  await page.getByRole('link', { name: 'Why no email?' }).click()
  await expect.element(page.getByText(`${gone?.email} gets no email`)).toBeVisible()
  await expect.element(page.getByText('Unsubscribed', { exact: true })).toBeVisible()
})

test('the palette leads an address to its check', async () => {
  await renderScreen('/usersettings')
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await page.getByRole('textbox', { name: 'Search' }).fill('nobody@example.test')
  await page.getByText('Why does nobody@example.test get no email?').click()
  await expect.element(page.getByText('nobody@example.test is in no datasource')).toBeVisible()
})
