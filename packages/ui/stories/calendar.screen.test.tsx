import { afterEach, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { renderStory, storyOf } from './render-story.tsx'

afterEach(() => {
  vi.useRealTimers()
})

test('a calendar moves items by mouse and keyboard, and reverts rejected moves', async () => {
  // The campaigns of the story are in November 2026, and items cannot be moved into the past.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-04T06:00:00Z') })
  await renderStory('calendar')
  const month = storyOf('Month; what is scheduled can be moved')
  const cell = (day: string) => month.css(`td[data-day="2026-11-${day}"]`)
  const itemOn = async (day: string, item = '[data-item="1"]') => {
    await expect.element(cell(day).css(item)).toBeVisible()
  }
  await expect.element(month.css('td[data-day="2026-11-03"][data-past]')).toBeVisible()
  const item = month.css('[data-item="1"]')
  await item.dropTo(cell('05'))
  await itemOn('05')
  await pressOn(item, 'm{ArrowDown}{ArrowRight}')
  await itemOn('13', '[data-item="1"][data-carried]')
  await userEvent.keyboard('{Escape}')
  await itemOn('05')
  await pressOn(item, 'm{ArrowRight}{Enter}')
  await itemOn('06', '[data-item="1"]:not([data-carried])')
  await pressOn(month.css('[data-item="11"]'), 'm{ArrowRight}{Enter}')
  await expect.element(page.getByText('This campaign starts within the minute')).toBeVisible()
  await itemOn('24', '[data-item="11"]')

  // Items cannot be moved to a past day, by mouse or by keyboard.
  await item.dropTo(cell('03'))
  await itemOn('06')
  await pressOn(item, 'm{ArrowLeft}{ArrowLeft}{ArrowLeft}{Enter}')
  await expect.element(page.getByText('The start has to be in the future.').first()).toBeVisible()
  await itemOn('06', '[data-item="1"]:not([data-carried])')

  // Each move can be undone.
  await item.dropTo(cell('12'))
  await itemOn('12')
  const moved = page.getByRole('status').filter({ hasText: 'moved to 12 Nov 2026' })
  await moved.getByRole('button', { name: 'Undo' }).click()
  await itemOn('06')
  expect(item.elements()).toHaveLength(1)
})

async function pressOn(item: Locator, keys: string): Promise<void> {
  item.element().focus()
  await userEvent.keyboard(keys)
}
