import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderStory } from './render-story.tsx'

test('an unsaved form asks before it is left', async () => {
  await renderStory('router')
  await page.getByRole('link', { name: 'Form', exact: true }).click()
  await page.getByLabelText('Name').fill('Changed')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(page.getByLabelText('Name')).toHaveValue('Changed')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect.element(page.getByRole('table', { name: 'Rows' })).toBeVisible()
})
