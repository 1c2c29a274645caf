import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoPlaceholder, DemoTemplate } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { allowFaults } from '../../../test/screen-faults.ts'

const id = 9001
const save = () => userEvent.keyboard('{Control>}s{/Control}')

test('R129 a designed section is inserted into an HTML template by keyboard, and nothing else changes', async () => {
  // The brand of the demo's client.
  allowFaults(/^404 GET \/emma\/client\/\d+$/)
  const { tables } = await renderScreen(`/templates/edit/${id}`)
  const stored = async () => (await tables<DemoTemplate>('template').get(id))?.body_long ?? ''
  const before = await stored()
  await page.getByRole('button', { name: 'Sections', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('Search sections').fill('figures')
  dialog.getByRole('button', { name: 'Figures', exact: true }).element().focus()
  await userEvent.keyboard('{Enter}')
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  await expect.element(blocks.getByText('85 %')).toBeVisible()
  await save()
  await expect.poll(stored).not.toBe(before)
  const after = await stored()
  const section = /\s*<table class="emma-section"[\s\S]*<!\[endif\]-->\s*<\/td>\s*<\/tr>\s*<\/table>/
  expect(after.replace(section, '').replace(/\s*<style>@media[^<]*emma-column[^<]*<\/style>/, '')).toBe(
    before,
  )
})

test('R129 a synced block is selected, moved, opened and removed in the outline by keyboard', async () => {
  allowFaults(/^404 GET \/emma\/client\/\d+$/)
  const source = '<p>First</p>\n{{ module.footer }}\n<p>Last</p>\n'
  const { tables } = await renderScreen(`/templates/edit/${id}`, async state => {
    const template = await state.tables<DemoTemplate>('template').get(id)
    const [placeholder] = await state.tables<DemoPlaceholder>('placeholder').all()
    if (!template || !placeholder) throw new Error('The demo has no template or placeholder')
    await state.tables<DemoTemplate>('template').put(id, { ...template, body_long: source })
    const footer = { ...placeholder, module_id: 9900, type: 'html', token: 'footer', name: 'Our footer' }
    await state
      .tables<DemoPlaceholder>('placeholder')
      .put(9900, { ...footer, body: { en: '<p>Imprint</p>' } } as DemoPlaceholder)
  })
  const stored = async () => (await tables<DemoTemplate>('template').get(id))?.body_long
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  const block = blocks.getByRole('treeitem', { name: 'Synced block Our footer' })
  await expect.element(block).toBeVisible()
  blocks.element().focus()
  await userEvent.keyboard('{Home}{ArrowDown}')
  await expect.element(block).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Edit “Our footer”' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  blocks.element().focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await save()
  await expect.poll(stored).toBe('{{ module.footer }}\n<p>First</p>\n<p>Last</p>\n')
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
  blocks.element().focus()
  await userEvent.keyboard('{Delete}')
  await save()
  await expect.poll(stored).toBe('<p>First</p>\n<p>Last</p>\n')
})

test('R129 what was not saved is offered when the template is opened again', async () => {
  const { go, tables } = await renderScreen(`/templates/edit/${id}`)
  const before = await tables<DemoTemplate>('template').get(id)
  const subject = page.getByRole('textbox', { name: /^Subject/ })
  await subject.fill('Never saved')
  await page.getByRole('link', { name: 'Templates', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect.element(subject).not.toBeInTheDocument()
  await go(`/templates/edit/${id}`)
  await page.getByRole('button', { name: 'Continue with the draft' }).click()
  await expect.element(subject).toHaveValue('Never saved')
  expect((await tables<DemoTemplate>('template').get(id))?.subject).toBe(before?.subject)
})

test('R129 the code of a block is changed, and kept in its input while a tag of it is open', async () => {
  allowFaults(/^404 GET \/emma\/client\/\d+$/)
  const source = '<div><p>First</p></div>\n<p>Last</p>\n'
  const { tables } = await renderScreen(`/templates/edit/${id}`, async state => {
    const template = await state.tables<DemoTemplate>('template').get(id)
    if (!template) throw new Error('The demo has no template')
    await state.tables<DemoTemplate>('template').put(id, { ...template, body_long: source })
  })
  const stored = async () => (await tables<DemoTemplate>('template').get(id))?.body_long
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  await blocks.getByText('First').first().click()
  const code = page.getByLabelText('Code', { exact: true })
  await expect.element(code).toHaveValue('First')
  await code.fill('First <a href="')
  await expect.element(page.getByText('does not end inside its block')).toBeVisible()
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
  await code.fill('First <a href="https://example.com/">link</a>')
  await expect.element(page.getByText('does not end inside its block')).not.toBeInTheDocument()
  await save()
  await expect
    .poll(stored)
    .toBe('<div><p>First <a href="https://example.com/">link</a></p></div>\n<p>Last</p>\n')
})
