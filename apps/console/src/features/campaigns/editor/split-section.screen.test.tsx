import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const id = 9501

test('R034 an A/B test is saved with its variants, and what was written is kept when it is switched off', async () => {
  const { campaign } = await renderScreen(`/campaigns/edit/${id}`, state => addDraft(state, id))
  const section = page.getByRole('region', { name: 'A/B test' })
  const isOn = section.getByRole('switch', { name: 'Run an A/B test' })
  await isOn.click()
  const second = section.getByRole('listitem', { name: 'Variant B' })
  await second.getByLabelText('Subject').fill('Another subject')
  await section.getByRole('button', { name: 'Add variant' }).click()
  await expect
    .element(section.getByRole('listitem', { name: 'Variant C' }).getByLabelText('Subject'))
    .toHaveFocus()
  await section.getByRole('button', { name: 'Remove variant C' }).click()
  await isOn.click()
  await expect.element(second).not.toBeInTheDocument()
  await isOn.click()
  await expect.element(second.getByLabelText('Subject')).toHaveValue('Another subject')
  await section.getByLabelText('Winner criterion').selectOptions('Conversions (goal segment)')
  await expect.element(section.getByRole('combobox', { name: 'Goal segment' })).toBeVisible()
  await section.getByLabelText('Winner criterion').selectOptions('I choose')
  await expect.element(section.getByLabelText('Decide after')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await campaign(id))?.split)
    .toMatchObject({
      variants: [{ subject: 'Another subject', message_id: null }],
      winner_by: 'person',
      sample_percent: 20,
    })
})

test('R034 a holdout group needs no A/B test, and is gone with its share', async () => {
  const { campaign } = await renderScreen(`/campaigns/edit/${id}`, state => addDraft(state, id))
  const share = page.getByRole('region', { name: 'A/B test' }).getByLabelText('Holdout group')
  await share.fill('5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await campaign(id))?.split)
    .toMatchObject({ holdout_percent: 5, variants: [] })
  await share.fill('0')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await campaign(id))?.split).toBeNull()
})
