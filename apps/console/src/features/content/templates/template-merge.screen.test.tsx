import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoTemplate } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { allowFaults } from '../../../test/screen-faults.ts'

const id = 9001
const field = (name: RegExp) => page.getByRole('textbox', { name })

async function openTemplate() {
  allowFaults(/409 PATCH .*message/)
  const { tables } = await renderScreen(`/templates/edit/${id}`)
  const templates = tables<DemoTemplate>('template')
  await expect.element(field(/^Subject/)).toBeVisible()
  return {
    stored: () => templates.get(id),
    saveElsewhere: async (changed: Partial<DemoTemplate>) => {
      const found = await templates.get(id)
      if (found) await templates.put(id, { ...found, ...changed, revision: found.revision + 1 })
    },
  }
}

test('R129 fields that two users changed are merged, and the own version can be used alone', async () => {
  const { stored, saveElsewhere } = await openTemplate()
  const before = await stored()
  await field(/^Subject/).fill('Mine')
  await saveElsewhere({ preheader: 'Theirs' })
  await userEvent.keyboard('{Control>}s{/Control}')
  await expect.element(page.getByText(/They were merged with yours/)).toBeVisible()
  await expect.element(field(/^Preheader/)).toHaveValue('Theirs')
  expect(await stored()).toMatchObject({ subject: 'Mine', preheader: 'Theirs' })
  await page.getByRole('button', { name: 'Use only my version' }).click()
  await expect.element(field(/^Preheader/)).toHaveValue(before?.preheader ?? '')
  await expect.element(page.getByText('Unsaved changes')).toBeVisible()
})

test('R129 a field that both changed is chosen; cancelling keeps what was typed', async () => {
  const { stored, saveElsewhere } = await openTemplate()
  await field(/^Subject/).fill('Mine')
  await saveElsewhere({ subject: 'Theirs', preheader: 'Theirs' })
  await userEvent.keyboard('{Control>}s{/Control}')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(field(/^Subject/)).toHaveValue('Mine')
  await userEvent.keyboard('{Control>}s{/Control}')
  await page.getByRole('radio', { name: 'Keep your version of Subject' }).click()
  await page.getByRole('button', { name: 'Save this version' }).click()
  await expect.element(field(/^Preheader/)).toHaveValue('Theirs')
  expect(await stored()).toMatchObject({ subject: 'Mine', preheader: 'Theirs' })
})

test('R129 lines that two users changed in a further language are merged', async () => {
  allowFaults(/409 PATCH .*message/)
  const lines = (first: string, last: string) => `<p>${first}</p>\n<p>Mitte</p>\n<p>${last}</p>`
  const german = { lang: 'de', subject: 'Neues', preheader: null, body_mjml: null, body_text: null } as const
  const { tables } = await renderScreen(`/templates/edit/${id}`, async state => {
    const found = await state.tables<DemoTemplate>('template').get(id)
    if (!found) throw new Error('The demo has no template')
    const languages = [{ ...german, body_long: lines('Anfang', 'Ende') }]
    await state.tables<DemoTemplate>('template').put(id, { ...found, languages })
  })
  const templates = tables<DemoTemplate>('template')
  await page.getByText('German', { exact: true }).click()
  await expect.element(field(/^Subject/)).toHaveValue('Neues')
  await field(/^Subject/).fill('Mein Betreff')
  const found = await templates.get(id)
  if (!found) throw new Error('The template is gone')
  const theirs = [{ ...german, preheader: 'Ihre', body_long: lines('Anfang', 'Ihr Ende') }]
  await templates.put(id, { ...found, languages: theirs, revision: found.revision + 1 })
  await userEvent.keyboard('{Control>}s{/Control}')
  const saved = async () => (await templates.get(id))?.languages[0]
  await expect.poll(saved).toEqual({ ...theirs[0], subject: 'Mein Betreff' })
})
