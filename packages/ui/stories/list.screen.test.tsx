import { expect, onTestFinished, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { renderStory, storyOf } from './render-story.tsx'

test('a list is navigated and its columns are arranged by keyboard, and it is exported', async () => {
  await renderStory('list')
  const list = storyOf('A list')
  await expect.element(list.getByRole('link', { name: 'Newsletter 1', exact: true })).toBeVisible()
  await userEvent.keyboard('jjx')
  await expect.element(list.getByText('1 selected').first()).toBeVisible()
  await userEvent.keyboard('/')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Search')

  await list.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  // A dialog takes the focus shortly after it is visible.
  await expect.poll(() => columns.query()?.contains(document.activeElement)).toBe(true)
  columns.getByRole('button', { name: 'Move Changed up' }).element().focus()
  await userEvent.keyboard('{Enter}')
  const headers = () =>
    list
      .getByRole('columnheader')
      .elements()
      .map(header => header.textContent)
  await expect.poll(() => headers().slice(3, 5)).toEqual(['Active', 'Changed'])
  columns.getByRole('checkbox', { name: 'Type' }).element().focus()
  await userEvent.keyboard('[Space]{Escape}')
  await expect.poll(headers).toEqual(['', 'Name', 'Active', 'Changed', 'Sent in 30 days', 'More actions'])

  for (const [item, ending] of [
    ['CSV file', '.csv'],
    ['Excel workbook', '.xlsx'],
  ] as const) {
    await list.getByRole('button', { name: 'Export' }).click()
    const downloaded = commands.nameOfDownload()
    await page.getByRole('menuitem', { name: item }).click()
    expect(await downloaded).toContain(ending)
  }
})

test('a list loads by itself once the server that restarted is there again', async () => {
  await renderStory('list')
  const list = storyOf('Unreachable at first')
  await expect.element(list.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect.element(list.getByRole('link', { name: 'Newsletter 1', exact: true })).toBeVisible()
})

test('a list of 10,000 rows only renders visible rows', async () => {
  const mostRows = countMostRows()
  await renderStory('list')
  const list = storyOf('10,000 rows at once')
  const rows = list.getByRole('row')
  await expect.element(rows.nth(3)).toBeInTheDocument()
  // Not even before the list had a height. The page has other lists, too.
  expect(mostRows()).toBeLessThan(600)
  expect(rows.elements().length).toBeLessThan(80)
  await expect.element(list.getByRole('table')).toHaveAttribute('aria-rowcount', '10001')
})

/** Returns the largest number of rows in the page so far. */
function countMostRows(): () => number {
  let most = 0
  const count = () => (most = Math.max(most, document.querySelectorAll('tr').length))
  const observer = new MutationObserver(count)
  observer.observe(document, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return () => most
}
