import { expect, test } from 'vitest'
import { renderStory, storyOf } from './render-story.tsx'

test('R276 R282 an empty form lists all missing fields in one message, alternatives joined', async () => {
  await renderStory('form')
  const form = storyOf('A new record; the server refuses')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Please fill in: Name, Relay host or Copy from, Start' }).click()
  await expect.poll(() => document.activeElement?.id.endsWith('-name')).toBe(true)
})

test.each([
  ['en', '1.234,5', 1234.5],
  ['de', '1.234', 1234],
  ['en', '1.234', 1.23],
  ['de', 'abc', 0],
] as const)('R278 R280 numbers are parsed according to the language: %s, %s', async (lng, typed, amount) => {
  await renderStory('fields', { lng })
  const form = storyOf('Read as people write')
  const field = form.getByLabelText('Amount')
  await field.fill(typed)
  field.element().blur()
  const values = () => JSON.parse(form.css('[data-values]').element().textContent)
  await expect.poll(values).toMatchObject({ amount })
})
