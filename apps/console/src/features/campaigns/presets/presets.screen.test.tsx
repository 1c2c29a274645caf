import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoCampaign, DemoPreset } from '../../../demo/demo-records.ts'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const id = 9500

test('R260 a preset fills in what is empty, says what, and can be undone; typed values stay', async () => {
  await renderScreen(`/campaigns/edit/${id}`, state =>
    addDraft(state, id, { throttle: 0, quiet_from: '23:00', quiet_to: '06:00' }),
  )
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: 'Newsletter, by day' }).click()
  const speed = page.getByRole('textbox', { name: 'Speed' })
  await expect.element(speed).toHaveValue('20,000')
  await expect.element(page.getByRole('textbox', { name: 'Quiet hours from' })).toHaveValue('23:00')
  await expect.element(page.getByText('“Newsletter, by day” filled in: Speed')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(speed).toHaveValue('0')
})

test('R260 settings are saved as a preset, and new campaigns start with it and the last sender', async () => {
  const { go, tables } = await renderScreen(`/campaigns/edit/${id}`, state =>
    addDraft(state, id, {
      window_mails: 700,
      fromadr: 'spring@birchwood.example',
      created_at: new Date(Date.now() + 1000).toISOString(),
    }),
  )
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: /^Save these settings/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('In batches')
  await dialog.getByRole('checkbox').click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await tables<DemoPreset>('campaign_preset').all()).find(row => row.is_default)?.name)
    .toBe('In batches')
  // Until the answer is there, the console does not know the preset.
  await expect.element(dialog).not.toBeInTheDocument()

  await go('/campaigns/edit/new')
  await expect
    .element(page.getByRole('textbox', { name: 'Sender address' }))
    .toHaveValue('spring@birchwood.example')
  await page.getByRole('textbox', { name: 'Name' }).first().fill('The next one')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  const created = async () =>
    (await tables<DemoCampaign>('campaign').all()).find(row => row.name === 'The next one')
  await expect.poll(async () => (await created())?.window_mails).toBe(700)
  expect((await created())?.fromadr).toBe('spring@birchwood.example')
})
