import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderScreen } from '../../../test/render-screen.tsx'
import { allowFaults } from '../../../test/screen-faults.ts'

const source =
  '<!doctype html>\r\n<html><head><title>Gr\u00fc\u00dfe  aus \nUlm</title></head><body><p>A&nbsp;b</p></body></html>\r\n'

async function importFile(name: string, content: BlobPart): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no file input.')
  await userEvent.upload(input, new File([content], name))
}

async function openChooser(): Promise<void> {
  // Only the server renders the built-in MJML designs.
  allowFaults(/403 POST .*\/message\/0\/render\/0/)
  await renderScreen('/templates/edit/new')
  await expect.element(page.getByRole('button', { name: 'Import HTML, MJML or ZIP file' })).toBeVisible()
}

test('R129 an HTML file becomes a template with its title as subject, whatever its encoding', async () => {
  await openChooser()
  const latin = Uint8Array.from(source, character => character.charCodeAt(0))
  await importFile('page.html', latin)
  await expect.element(page.getByRole('textbox', { name: /^Subject/ })).toHaveValue('Grüße aus Ulm')
})

test('R129 files that are no templates are rejected', async () => {
  await openChooser()
  await importFile('image.html', new Uint8Array([137, 80, 78, 71, 0, 0, 60, 112, 62]))
  await expect.element(page.getByText('The file is neither HTML nor MJML.')).toBeVisible()
  await importFile('large.html', '<p>'.repeat(700_000))
  await expect.element(page.getByText(/at most 2 million characters/)).toBeVisible()
})
