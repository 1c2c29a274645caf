import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { renderStory, storyOf } from './render-story.tsx'

test('charts export figures and image, and show a table', async () => {
  await renderStory('charts')
  const chart = storyOf('Over time')
  await expect.element(chart.css('svg').first()).toBeVisible()
  for (const [item, ending] of [
    ['Figures as CSV', '.csv'],
    ['Picture as PNG', '.png'],
  ] as const) {
    await chart.getByRole('button', { name: /^Download/ }).click()
    const downloaded = commands.nameOfDownload()
    await page.getByRole('menuitem', { name: item }).click()
    expect(await downloaded).toContain(ending)
  }
  await chart.getByRole('button', { name: 'Show as table' }).click()
  await expect.poll(() => chart.getByRole('row').elements().length).toBe(49)
})
