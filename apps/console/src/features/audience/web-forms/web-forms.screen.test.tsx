import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoPmt, DemoWebform } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R087 the list shows type, figures and the copy button of the script', async () => {
  await renderScreen('/subscribers/web-forms')
  await expect.element(page.getByRole('link', { name: 'Newsletter', exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Copy the script of “Newsletter”' })).toBeVisible()
})

test('R088 fields are added, ordered by keyboard and shown in the preview', async () => {
  const { tables } = await renderScreen('/subscribers/web-forms')
  await page.getByRole('link', { name: 'Newsletter', exact: true }).click()
  const preview = page.getByTitle('Preview of the form')
  const html = () => preview.element().getAttribute('srcdoc') ?? ''
  await expect.poll(html).toContain('for="f-firstname"')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByRole('menuitem', { name: 'Last name' }).click()
  await expect.poll(html).toContain('name="lastname"')
  const up = page.getByRole('button', { name: 'Move “Last name” up' })
  up.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => html().indexOf('name="lastname"') < html().indexOf('name="firstname"')).toBe(true)
  await page.getByRole('textbox', { name: 'Label' }).first().fill('Your address')
  await expect.poll(html).toContain('Your address')
  await page.getByRole('tab', { name: 'Texts' }).click()
  await page
    .getByRole('textbox', { name: /^Consent text/ })
    .fill('I agree to the [terms](https://shop.example/)')
  await expect.poll(html).toContain('<a href="https://shop.example/"')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = async () =>
    (await tables<DemoWebform>('webform').all())[0]?.fields.map(({ column }) => column)
  await expect.poll(saved).toEqual(['email', 'lastname', 'firstname'])
})

test('R088 the codes for websites and the figures by day are shown', async () => {
  await renderScreen('/subscribers/web-forms')
  await page.getByRole('link', { name: 'Newsletter', exact: true }).click()
  await page.getByRole('tab', { name: 'Embed' }).click()
  await expect.element(page.getByText(/<script src="https:\/\/forms.example.*\.js" async>/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Copy: Frame' })).toBeVisible()
  await page.getByRole('tab', { name: 'Figures' }).click()
  await expect.element(page.getByText('Subscribed', { exact: true })).toBeVisible()
})

test('R088 R190 a form uses the process mail that is chosen for a language', async () => {
  const { tables } = await renderScreen('/subscribers/web-forms')
  await page.getByRole('link', { name: 'Newsletter', exact: true }).click()
  await page.getByRole('tab', { name: 'Emails' }).click()
  const welcome = page.getByRole('combobox', { name: 'Welcome' })
  await welcome.selectOptions('Welcome')
  await page.getByRole('textbox', { name: 'Redirect after confirmation' }).fill('https://shop.example/done')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = async () => (await tables<DemoWebform>('webform').all())[0]
  const [text] = await tables<DemoPmt>('pmt').all()
  await expect
    .poll(saved)
    .toMatchObject({ pmt_ids: [text?.pmt_id], confirmed_url: 'https://shop.example/done' })
  await page.getByText('German', { exact: true }).click()
  await expect.element(welcome).toHaveValue('')
})

test('R088 R237 the frequency, the pause of a pop-up and the versions of the consent', async () => {
  const { tables } = await renderScreen('/subscribers/web-forms')
  await page.getByRole('link', { name: 'Newsletter', exact: true }).click()
  await page.getByRole('switch', { name: /^Ask for the email frequency/ }).click()
  const preview = page.getByTitle('Preview of the form')
  await expect.poll(() => preview.element().getAttribute('srcdoc') ?? '').toContain('At most one a week')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('combobox', { name: 'Type' }).selectOptions('Pop-up')
  await page.getByRole('textbox', { name: /^Show again after closing/ }).fill('7')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = async () => (await tables<DemoWebform>('webform').all())[0]
  await expect.poll(saved).toMatchObject({ frequency: true, type: 'popup', popup_again: 7 })
  await page.getByRole('tab', { name: 'Consent' }).click()
  const version = page.getByRole('region', { name: 'Version 1' })
  await expect.element(version.getByText('I would like to receive the newsletter')).toBeVisible()
  await expect.element(version.getByText(/\d+ submitted, \d+ subscribed/)).toBeVisible()
})
