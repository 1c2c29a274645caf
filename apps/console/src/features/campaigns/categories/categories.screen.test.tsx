import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoCategory } from '../../../demo/demo-records.ts'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R032 R033 values of a category are added and ordered; none is there twice', async () => {
  const { tables } = await renderScreen('/campaigns/categories')
  await page.getByRole('link', { name: 'Occasion', exact: true }).click()
  await page.getByRole('button', { name: 'Add value' }).click()
  await page.getByRole('textbox', { name: 'Value 4' }).fill('promotion')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('A value is there twice.').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Value 4' }).fill('Survey')
  await page.getByRole('button', { name: 'Move Survey up' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const labels = async () =>
    (await tables<DemoCategory>('category').all())[0]?.values.map(({ label }) => label)
  await expect.poll(labels).toEqual(['Newsletter', 'Promotion', 'Survey', 'Event'])
})

test('a campaign takes a value of a category', async () => {
  const id = 9500
  const { campaign } = await renderScreen(`/campaigns/edit/${id}`, state =>
    addDraft(state, id, { category_value_ids: [] }),
  )
  await page.getByLabelText('Occasion').first().click()
  await page.getByRole('option', { name: 'Event' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await campaign(id))?.category_value_ids).toEqual([9003])
})

test('the check names a category of which a campaign needs a value', async () => {
  const id = 9501
  await renderScreen(`/campaigns/start/${id}`, async state => {
    const categories = state.tables<DemoCategory>('category')
    for (const category of await categories.all())
      await categories.put(category.category_id, { ...category, is_required: true })
    await addDraft(state, id, { category_value_ids: [] })
  })
  await expect.element(page.getByText('The campaign needs a value of the category Occasion.')).toBeVisible()
})

test('campaigns are found by a value', async () => {
  await renderScreen('/campaigns/archive?category=9002')
  await expect.element(page.getByText('Promotion').first()).toBeVisible()
})
