import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderScreen } from '../../../test/render-screen.tsx'

test('a new client has a brand: colors, font and social links, shown in a sample', async () => {
  await renderScreen('/system/clients/add')
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('Brand color').fill('#7c2d12')
  await page.getByRole('combobox', { name: 'Font', exact: true }).selectOptions('Georgia')
  const sample = page.getByRole('img', { name: 'Sample of the brand' })
  await expect.element(sample).toHaveStyle({ fontFamily: 'Georgia, Times, serif' })
  await page.getByRole('button', { name: 'Add social link' }).click()
  await page.getByRole('combobox', { name: 'Network', exact: true }).selectOptions('Instagram')
  await page.getByRole('textbox', { name: 'Address (Instagram)' }).fill('https://instagram.com/coffee')
  await page.getByRole('button', { name: 'Add social link' }).click()
  await page.getByRole('button', { name: 'Remove Facebook' }).click()
  await expect
    .element(page.getByRole('textbox', { name: /^Address \(/ }))
    .toHaveValue('https://instagram.com/coffee')
})
