import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Split, split } from '@emma/contract/split.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoCampaign } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const card = page.getByRole('region', { name: 'A/B test' })

/** Opens the report of a running campaign whose sample has been sent. */
async function open(fields: Partial<Split>): Promise<void> {
  let id = 0
  const { go } = await renderScreen('/campaigns/reports', async ({ tables }) => {
    const campaigns = tables<DemoCampaign>('campaign')
    const running = (await campaigns.all()).find(row => row.valid === campaignState.running)
    if (!running) throw new Error('No campaign of the demo is running')
    id = running.campagne_id
    const test = split.parse({ variants: [{ subject: 'Another subject' }], ...fields })
    await campaigns.put(id, {
      ...running,
      split: test,
      progress_cur: Math.floor((running.estimated_volume * test.sample_percent) / 100),
    })
  })
  await go(`/campaigns/reports/${id}`)
}

async function choose(button: string): Promise<void> {
  await card.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
}

test('a winner that a person chose is said to be theirs, not that of the rule', async () => {
  await open({})
  await expect.element(card.getByText('Decided by: unique clicks.')).toBeVisible()
  await choose('Send variant B')
  await expect.element(card.getByText(/^Dora Demo chose variant B on .+\.$/)).toBeVisible()
  await expect
    .element(card.getByText('Decided by hand, not by the rule of this test (unique clicks).'))
    .toBeVisible()
  await expect.element(card.getByText(/Decided by:/)).not.toBeInTheDocument()
  await expect.element(card.getByText('Winner', { exact: true })).toBeVisible()
})

test('a person decides that nobody else gets the campaign', async () => {
  await open({ winner_by: 'person' })
  await expect.element(card.getByText('A user chooses the winner.')).toBeVisible()
  await choose('Send to nobody else')
  await expect
    .element(card.getByText(/^Dora Demo decided on .+: nobody else gets the campaign\.$/))
    .toBeVisible()
  await expect.element(card.getByText('A user chooses the winner.')).not.toBeInTheDocument()
})
