import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderScreen } from '../../../../test/render-screen.tsx'

const subject = page.getByRole('textbox', { name: /^Subject/ })
const inbox = page.getByRole('region', { name: 'In the inbox of a phone' })

test('R183 the length of the subject is told as inboxes cut it', async () => {
  await renderScreen('/templates/edit/9001')
  await subject.fill('Größe 👩‍👩‍👧')
  await expect.element(page.getByText('7 characters · shown in full on phones and desktops')).toBeVisible()
  await subject.fill('a'.repeat(42))
  await expect.element(page.getByText('42 characters · phones show about 41')).toBeVisible()
  await subject.fill('a'.repeat(71))
  await expect
    .element(page.getByText(/^71 characters · phones show about 41, desktops about 70/))
    .toBeVisible()
})

test('R183 the inbox of a phone shows subject and preheader, with placeholders filled', async () => {
  await renderScreen('/templates/edit/9001')
  await subject.fill('For {{ member.firstname | default: "you" }}')
  await page.getByRole('textbox', { name: /^Preheader/ }).fill('Read on')
  await expect.element(inbox.getByText(/^For [^{]+$/)).toBeVisible()
  await expect.element(inbox.getByText('Read on')).toBeVisible()
  await subject.fill('')
  await expect.element(inbox.getByText('(No subject)')).toBeVisible()
})

test('R183 an emoji is found by its name and inserted by keyboard where the cursor was', async () => {
  await renderScreen('/templates/edit/9001')
  await subject.fill('Tea  now')
  const input = subject.element()
  if (input instanceof HTMLInputElement) input.setSelectionRange(4, 4)
  await page.getByRole('button', { name: 'Emoji: Subject' }).click()
  await page.getByRole('searchbox', { name: 'Search emojis' }).fill('teacup')
  await expect.element(page.getByRole('button', { name: 'teacup without handle' })).toBeVisible()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(subject).toHaveValue('Tea 🍵 now')
})
