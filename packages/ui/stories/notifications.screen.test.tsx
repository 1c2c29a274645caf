import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderStory } from './render-story.tsx'

test('R013 clicks pass through a toast with an action, except on its buttons', async () => {
  await renderStory('notifications')
  await page.getByRole('button', { name: 'With undo' }).click()
  const toast = page.getByRole('status').filter({ hasText: '“Autumn” deleted' })
  await expect.element(toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  const isHit = (part: Element) => {
    const { x, y, width, height } = part.getBoundingClientRect()
    return toast.element().contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }
  await expect.poll(() => isHit(toast.getByRole('button', { name: 'Undo' }).element())).toBe(true)
  expect(isHit(toast.getByText('“Autumn” deleted').element())).toBe(false)
})
