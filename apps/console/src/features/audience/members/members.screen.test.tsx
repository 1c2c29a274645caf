import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoDatasource, DemoSubscriber } from '../../../demo/demo-records.ts'
import { router } from '../../../router.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R079 columns and filters come from the datasource; a member is deleted for ever', async () => {
  const { tables } = await renderScreen('/subscribers/archive')
  const [first] = await tables<DemoSubscriber>('subscriber').all()
  await expect.element(page.getByRole('columnheader', { name: 'First name' })).toBeVisible()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Town contains' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: `Actions for ${first?.email}` }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Deactivate' })).not.toBeInTheDocument()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.element(page.getByText('What was sent stays in the reports.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const emails = async () => (await tables<DemoSubscriber>('subscriber').all()).map(({ email }) => email)
  await expect.poll(emails).not.toContain(first?.email)
})

test('R080 a new member has the columns of its datasource, and its list follows', async () => {
  const { tables, go } = await renderScreen('/subscribers/archive')
  const sources = await tables<DemoDatasource>('datasource').all()
  const table = sources[0]?.member_table_id
  await go(`/subscribers/edit/new?table=${table}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByRole('alert').getByText(/Email/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill('new@mail.example')
  await page.getByRole('textbox', { name: 'Town' }).fill('Kiel')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = async () =>
    (await tables<DemoSubscriber>('subscriber').all()).find(({ email }) => email === 'new@mail.example')
  await expect.poll(async () => (await saved())?.city).toBe('Kiel')
  await expect.poll(() => router.state.location.href).toBe(`/subscribers/archive?table=${table}`)
})
