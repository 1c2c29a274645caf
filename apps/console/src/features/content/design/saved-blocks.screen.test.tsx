import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoPlaceholder, DemoTemplate } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { allowFaults } from '../../../test/screen-faults.ts'

const id = 9001

test('R129 a section is saved as block, but the template around the dialog is not', async () => {
  // The brand of the demo's client.
  allowFaults(/^404 GET \/emma\/client\/\d+$/)
  const { tables } = await renderScreen(`/templates/edit/${id}`)
  const before = await tables<DemoTemplate>('template').get(id)
  await page.getByRole('textbox', { name: /^Subject/ }).fill('Not saved yet')
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  await blocks.getByRole('treeitem').nth(1).click()
  await page.getByRole('button', { name: 'Synced blocks' }).click()
  await page.getByRole('menuitem', { name: /^Save/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Opening')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const saved = (await tables<DemoPlaceholder>('placeholder').all()).find(({ name }) => name === 'Opening')
  expect(saved).toMatchObject({ type: 'html', token: 'opening' })
  await expect.element(page.getByText('Unsaved changes')).toBeVisible()
  expect((await tables<DemoTemplate>('template').get(id))?.subject).toBe(before?.subject)
})
