import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoCampaign } from '../../../demo/demo-records.ts'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const id = 9503
const time = page.getByRole('region', { name: 'Time', exact: true })
const preview = page.getByRole('region', { name: 'Usual hours' })
const textOfPreview = () => preview.elements()[0]?.textContent ?? ''

test('the form says who has a usual hour, who explores and who is compared, before the start', async () => {
  const { saved } = await open({ learned_time: null })
  await expect.element(preview).not.toBeInTheDocument()
  await time.getByRole('switch', { name: 'Send at each subscriber’s usual hour' }).click()
  await expect.poll(textOfPreview).toMatch(/[\d,]+ of [\d,]+ subscribers in the segment have a usual hour/)
  await expect.poll(textOfPreview).toMatch(/Control group, at the send time≈ [\d,]+/)
  await expect.poll(textOfPreview).toContain('within 24 hours')
  await expect.element(preview.getByRole('img', { name: /Emails by hour/ }).first()).toBeVisible()
  const before = textOfPreview()
  await time.getByRole('textbox', { name: 'Control group' }).fill('50')
  await expect.poll(textOfPreview).not.toBe(before)
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect
    .poll(async () => (await saved())?.learned_time)
    .toEqual({ control_percent: 50, explore_percent: 10, min_observations: 5 })
})

test('what to do where the time has passed is asked for local time only', async () => {
  const { saved } = await open({ local_time: false, startdate: '2099-01-01T09:00:00.000Z' })
  const past = time.getByRole('combobox', { name: 'If the time has already passed there' })
  await expect.element(time.getByRole('switch', { name: 'Send in the recipient’s time zone' })).toBeVisible()
  await expect.element(past).not.toBeInTheDocument()
  await time.getByRole('switch', { name: 'Send in the recipient’s time zone' }).click()
  await past.selectOptions('Do not send')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect.poll(async () => (await saved())?.local_past).toBe('skip')
})

test('the most engaged come first, or the order is that of a column of the segment', async () => {
  const { saved } = await open({})
  await time.getByText('Delivery options').click()
  await time.getByRole('combobox', { name: 'Order of sending' }).selectOptions('Most engaged first')
  await expect.element(time.getByText(/Those who opened or clicked last get it first/)).toBeVisible()
  await time.getByRole('combobox', { name: 'Order of sending' }).selectOptions('By a column')
  await time.getByRole('combobox', { name: 'Sort by' }).selectOptions('First name')
  await time.getByRole('combobox', { name: 'Direction' }).selectOptions('Lowest or earliest first')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect
    .poll(saved)
    .toMatchObject({ send_order: 'column', order_column: 'firstname', order_descending: false })
})

test('a send-once key is counted with the audience, and emptied again', async () => {
  const { saved } = await open({ send_once_key: null })
  await time.getByText('Delivery options').click()
  const field = time.getByRole('combobox', { name: 'Send-once key' })
  await field.fill(' welcome-gift ')
  await expect.element(page.getByText('Already got a campaign with the same send-once key')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect.poll(async () => (await saved())?.send_once_key).toBe('welcome-gift')
  await field.fill('')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect.poll(async () => (await saved())?.send_once_key).toBeNull()
})

test('a send-once key is suggested by a part of it', async () => {
  const { tables } = await open({ send_once_key: null })
  const campaigns = tables<DemoCampaign>('campaign')
  const sent = (await campaigns.all()).filter(row => row.started_at !== null).slice(0, 3)
  const keys = ['Welcome-Gift', 'Welcome-Gift', 'summer']
  for (const [at, row] of sent.entries())
    await campaigns.put(row.campagne_id, { ...row, send_once_key: keys[at] ?? null })
  await time.getByText('Delivery options').click()
  const field = time.getByRole('combobox', { name: 'Send-once key' })
  await field.click()
  await expect.element(page.getByRole('option', { name: /^summer\s*1 campaign, last on/ })).toBeVisible()
  await field.fill('gift')
  await expect.element(page.getByRole('option', { name: /^summer/ })).not.toBeInTheDocument()
  await expect
    .element(page.getByRole('option', { name: /^Welcome-Gift\s*2 campaigns, last on/ }))
    .toBeVisible()
  // If something covers the option for a moment, a click scrolls; the list closes when its field is out of view.
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(field).toHaveValue('Welcome-Gift')
  await expect.element(page.getByText('Already got a campaign with the same send-once key')).toBeVisible()
})

async function open(fields: Partial<DemoCampaign>) {
  const { campaign, tables } = await renderScreen(`/campaigns/edit/${id}`, state =>
    addDraft(state, id, fields),
  )
  return { saved: () => campaign(id), tables }
}
