import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderStory, storyOf } from './render-story.tsx'

interface Question {
  skip: number
  limit: number
  filters?: unknown[]
}

const options = page.getByRole('option')
const optionTexts = () => options.elements().map(option => option.textContent)

test('R267 R268 60 domains take three requests, option 57 has its label, the menu has the specified size', async () => {
  await renderStory('select')
  const domains = storyOf('Loaded page by page, 57 looked up')
  await expect.element(domains.getByText('mail57.example.com')).toBeVisible()
  const asked = (): Question[] => JSON.parse(domains.css('[data-questions]').element().textContent)
  expect(asked()).toEqual([
    expect.objectContaining({
      skip: 0,
      limit: 1,
      filters: [{ field: 'domain_id', operator: 'in', value: [57] }],
    }),
  ])

  await domains.getByRole('combobox').click()
  await expect.element(options.nth(24)).toBeInTheDocument()
  const list = page.getByRole('listbox').element()
  expect(list.getBoundingClientRect().height).toBeLessThanOrEqual(300)
  expect(getComputedStyle(list).maxHeight).toBe('300px')
  for (const count of [25, 50, 60]) {
    await expect.poll(() => options.elements().length).toBe(count)
    list.scrollTo(0, list.scrollHeight)
  }
  const pages = asked().filter(question => question.limit === 25)
  expect(pages.map(question => question.skip)).toEqual([0, 25, 50])

  const focused = () => page.getByRole('combobox').first().element().getAttribute('aria-activedescendant')
  await userEvent.keyboard('{Home}')
  const first = focused()
  await userEvent.keyboard('{PageDown}')
  expect(Number(focused()?.split('-').at(-1)) - Number(first?.split('-').at(-1))).toBe(5)
  await userEvent.keyboard('{PageUp}')
  expect(focused()).toBe(first)
})

test('R269 R270 Müller offers nothing new, muller finds it, Mueller can be created', async () => {
  await renderStory('select')
  const input = storyOf('Creatable').getByRole('combobox')
  await input.fill('Müller')
  await expect.element(page.getByRole('option', { name: 'Müller (3)' })).toBeVisible()
  expect(optionTexts()).toEqual(['Müller (3)'])
  await input.fill('muller ')
  await expect.poll(optionTexts).toEqual(['Müller (3)'])
  await input.fill('Mueller')
  await expect.poll(optionTexts).toEqual([expect.stringContaining('Mueller')])
  await userEvent.keyboard('{Enter}')
  await expect.element(storyOf('Creatable').getByText('Mueller', { exact: true })).toBeVisible()
})

test('R271 R272 a fixed option stays, a default one is removed after a confirmation', async () => {
  await renderStory('select')
  const several = storyOf('Several; Maria is fixed, Ana a default')
  const remove = several.getByRole('button', { name: /Ana/ })
  await expect.element(remove).toBeVisible()
  expect(several.getByRole('button', { name: /Maria/ }).elements()).toEqual([])
  await remove.click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(several.getByText('Ana', { exact: true })).toBeVisible()
  await remove.click()
  await question.getByRole('button', { name: 'OK' }).click()
  await expect.element(several.getByText('Ana', { exact: true })).not.toBeInTheDocument()
  await expect.element(several.getByText('Maria', { exact: true })).toBeVisible()
})

test('R020 options show their screenshot', async () => {
  await renderStory('select')
  await storyOf('With pictures').getByRole('combobox').click()
  const thumbnail = page.getByRole('option', { name: /Welcome/ }).css('img')
  await expect.element(thumbnail).toHaveAttribute('src', expect.stringContaining('data:image/svg'))
})
