import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoTemplate } from '../../../../demo/demo-records.ts'
import type { DemoState } from '../../../../demo/demo-call.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'

const id = 9001
const subject = page.getByRole('textbox', { name: /^Subject/ })
const dialog = page.getByRole('dialog', { name: 'Versions' })
const version = (name: RegExp) => dialog.getByRole('radio', { name })

async function prepare({ tables }: DemoState): Promise<void> {
  const templates = tables<DemoTemplate>('template')
  const found = await templates.get(id)
  if (!found) throw new Error('The demo lacks the template.')
  const body_long = '<h1>Harvest</h1>\n<p>Quince jam</p>'
  await templates.put(id, { ...found, subject: 'Harvest', body_long, updated_at: '2026-01-02T10:00:00Z' })
}

async function save(text: string): Promise<void> {
  await subject.fill(text)
  await userEvent.keyboard('{Control>}s{/Control}')
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
}

test('R129 versions are compared as text and rendered, restored, and the restoring is undone', async () => {
  const { tables } = await renderScreen(`/templates/edit/${id}`, prepare)
  await save('Market')
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect.element(version(/2 Jan 2026.*Dora Demo/)).toBeChecked()
  await expect.element(dialog.getByText('First version')).toBeVisible()
  await expect.element(dialog.getByRole('row', { name: 'Subject Harvest Market' })).toBeVisible()
  await dialog.getByText('Rendered').click()
  await expect.element(dialog.getByRole('region', { name: 'Preview of the mail' }).first()).toBeVisible()
  await expect
    .poll(() => dialog.getByRole('region', { name: 'Preview of the mail' }).elements())
    .toHaveLength(2)
  await dialog.getByRole('button', { name: 'Restore this version' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(subject).toHaveValue('Harvest')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.element(subject).toHaveValue('Market')
  expect(await tables<object>('template_version').all()).toHaveLength(4)
})

test('R129 a version is selected by keyboard, and not restored over unsaved changes', async () => {
  await renderScreen(`/templates/edit/${id}`, prepare)
  await save('Market')
  await subject.fill('Unsaved')
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect.element(version(/2 Jan 2026/)).toBeChecked()
  await expect.element(dialog.getByRole('button', { name: 'Restore this version' })).toBeDisabled()
  await expect.element(dialog.getByText('Save or discard your changes first.')).toBeVisible()
  await userEvent.keyboard('{Tab}{ArrowUp}')
  await expect.element(version(/2 Jan 2026/)).not.toBeChecked()
  await expect.element(dialog.getByRole('button', { name: 'Restore this version' })).not.toBeInTheDocument()
})

test('R129 a version is named, and loses its name again', async () => {
  await renderScreen(`/templates/edit/${id}`, prepare)
  await save('Market')
  await page.getByRole('button', { name: 'Versions' }).click()
  await dialog.getByRole('button', { name: 'Name this version' }).click()
  const asked = page.getByRole('dialog', { name: 'Name this version' })
  await asked.getByRole('textbox', { name: 'Name' }).fill('As approved')
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect.element(version(/^As approved · 2 Jan 2026/)).toBeChecked()
  await dialog.getByRole('button', { name: 'Remove name' }).click()
  await expect.element(version(/^2 Jan 2026/)).toBeChecked()
})

test('R129 a template without versions says so', async () => {
  await renderScreen(`/templates/edit/${id}?versions=true`)
  await expect.element(dialog.getByText('No versions yet')).toBeVisible()
})
