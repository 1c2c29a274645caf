import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoTemplate } from '../../../demo/demo-records.ts'
import type { DemoState } from '../../../demo/demo-call.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const card = (name: string) => page.getByRole('link', { name, exact: true })
const search = page.getByRole('textbox', { name: 'Search in names and contents' })

/** Two templates in different categories; campaigns of the demo send the first, one of them while a test runs. */
async function prepareTemplates({ tables }: DemoState): Promise<void> {
  const templates = tables<DemoTemplate>('template')
  const [first, second, ...others] = (await templates.all()).toSorted((a, b) => a.message_id - b.message_id)
  if (!first || !second) throw new Error('The demo has no templates.')
  for (const { message_id } of others) await templates.remove(message_id)
  const body = '<p>Quince jam</p>'
  await templates.put(first.message_id, { ...first, name: 'Harvest', body_long: body, category: 'Autumn' })
  await templates.put(second.message_id, { ...second, name: 'Market', category: 'Spring' })
}

test('R127 templates are found by their contents and by category', async () => {
  await renderScreen('/templates/archive', prepareTemplates)
  await expect.element(card('Market')).toBeVisible()
  await search.fill('QUINCE')
  await expect.element(card('Market')).not.toBeInTheDocument()
  await expect.element(card('Harvest')).toBeVisible()
  await search.fill('')
  await expect.element(card('Market')).toBeVisible()
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Spring' }).click()
  await expect.element(card('Harvest')).not.toBeInTheDocument()
  await expect.element(card('Market')).toBeVisible()
  await search.fill('quince')
  await expect.element(page.getByText('No template fits')).toBeVisible()
})

test('R127, R020 a template shows its picture, or itself if the picture cannot be loaded', async () => {
  const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  await renderScreen('/templates/archive', async state => {
    await prepareTemplates(state)
    const templates = state.tables<DemoTemplate>('template')
    for (const [at, row] of (await templates.all()).entries()) {
      const url_large = at === 0 ? pixel : 'data:image/gif;base64,AAAA'
      await templates.put(row.message_id, { ...row, screenshot: { url_large, url_small: pixel } })
    }
  })
  await expect.element(card('Harvest')).toBeVisible()
  await expect.poll(() => document.querySelectorAll('li img').length).toBe(1)
  await expect.poll(() => document.querySelectorAll('li iframe').length).toBe(1)
  expect(document.querySelector('li img')?.getAttribute('src')).toBe(pixel)
})

test('R127 the campaigns that send a template are listed with their results', async () => {
  await renderScreen('/templates/archive', prepareTemplates)
  await page.getByRole('button', { name: 'Actions for “Harvest”' }).click()
  await page.getByRole('menuitem', { name: 'Used in' }).click()
  await expect.element(page.getByText('Campaigns with “Harvest”')).toBeVisible()
  await expect.element(page.getByRole('cell', { name: /^1[5-8]\d,\d{3}$/ })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '28%' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Members’ weekend' }))
    .toHaveAttribute('href', expect.stringMatching(/\/campaigns\/reports\/\d+$/))
})

test('R127 a template without campaigns says so', async () => {
  await renderScreen('/templates/archive?view=table', async state => {
    await prepareTemplates(state)
    const templates = state.tables<DemoTemplate>('template')
    const [first] = await templates.all()
    if (first) await templates.put(990, { ...first, message_id: 990, name: 'Unused' })
  })
  await page
    .getByRole('button', { name: /Unused/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Used in' }).click()
  await expect.element(page.getByText('No campaign uses this template.')).toBeVisible()
})

test.each(['', '?view=table'])(
  'R127 templates show when they were sent last, and the result%s',
  async view => {
    await renderScreen(`/templates/archive${view}`, prepareTemplates)
    const result = page.getByRole('link', { name: /^Sent 3 hours ago to 1[5-8]\d,\d{3}/ })
    await expect.element(result).toBeVisible()
    expect(result.element().textContent).toContain('28% opened')
    expect(result.element().getAttribute('href')).toMatch(/^\/campaigns\/reports\/\d+$/)
  },
)
