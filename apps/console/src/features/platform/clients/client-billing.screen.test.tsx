import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sessionStore } from '../../../shell/session/session-store.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const section = page.getByRole('region', { name: 'Billing' })
const input = (name: string) => section.getByRole('textbox', { name })

test('R045 a superadmin sets the limit and graduated prices of a client, nobody else', async () => {
  await renderScreen('/system/clients/add')
  await input('Limit (emails a month)').fill('500,000')
  await section.getByRole('combobox', { name: 'Currency' }).selectOptions('CHF')
  const add = section.getByRole('button', { name: 'Add price' })
  await add.click()
  await expect.element(input('From (emails)')).toBeDisabled()
  await input('Price per 1,000').fill('1.5')
  await add.click()
  await expect.element(input('From (emails)').nth(1)).toHaveValue('100,000')
  await input('From (emails)').nth(1).fill('0')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Coffee')
  await page.getByRole('textbox', { name: 'Contact' }).fill('a@x.example')
  await page.getByRole('button', { name: /^(Save|Create)/ }).click()
  await expect.element(section.getByText(/The first price applies from 0 emails on/)).toBeVisible()
  await section.getByRole('button', { name: 'Remove the price from 0 emails on' }).nth(1).click()
  await expect.element(input('Price per 1,000')).toHaveValue('1.5 CHF')
  const { claims, ...session } = sessionStore.get()
  if (!claims) throw new Error('No session')
  sessionStore.set({ ...session, claims: { ...claims, sub: { ...claims.sub, superadmin: false } } })
  await expect.element(section).not.toBeInTheDocument()
})
