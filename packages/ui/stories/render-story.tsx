import { modals } from '@mantine/modals'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { notify } from '../src/feedback/notify.tsx'
import { Book } from './book.tsx'
import { readSettings, type StorySettings } from './story-settings.ts'

/** Renders a page of the story book for a test. */
export async function renderStory(story: string, { lng = 'en' }: Partial<StorySettings> = {}): Promise<void> {
  localStorage.clear()
  // A late answer of the test before can have shown one, which would cover what this test clicks.
  notify.closeAll()
  await page.viewport(1280, 900)
  const root = document.createElement('div')
  document.body.append(root)
  const book = createRoot(root)
  onTestFinished(() => {
    notify.closeAll()
    modals.closeAll()
    book.unmount()
    root.remove()
  })
  book.render(<Book begin={{ ...readSettings(''), story, lng, view: 'page' }} />)
  await expect.element(page.css('[data-ready]')).toBeInTheDocument()
}

/** The story with this title. */
export function storyOf(title: string): Locator {
  return page.getByRole('region', { name: title, exact: true })
}
