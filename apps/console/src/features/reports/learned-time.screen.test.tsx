import { learnedTime } from '@emma/contract/learned-time.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoCampaign, DemoReport } from '../../demo/demo-records.ts'
import { renderScreen } from '../../test/render-screen.tsx'

test('the report says what each group of learned send times got, and whether it helped', async () => {
  let id = 0
  const { go } = await renderScreen('/campaigns/reports', async ({ tables }) => {
    const reports = tables<DemoReport>('report')
    const report = (await reports.all()).find(({ nb_delivered }) => nb_delivered > 1000)
    if (!report) throw new Error('The demo has no report')
    id = report.campagne_id
    await reports.put(id, { ...report, has_learned_time: true })
    const campaigns = tables<DemoCampaign>('campaign')
    const campaign = await campaigns.get(id)
    if (campaign) await campaigns.put(id, { ...campaign, learned_time: learnedTime.parse({}) })
  })
  await go(`/campaigns/reports/${id}`)
  const table = page.getByRole('group', { name: 'Learned send time' })
  await expect.element(table.getByRole('row', { name: /^Usual hour/ })).toBeVisible()
  await expect.element(table.getByRole('row', { name: /^Control group, with a usual hour/ })).toBeVisible()
  await expect.element(page.getByText(/clicked .+% against .+% in the control group/).first()).toBeVisible()
  await expect.element(page.getByText(/Opens and clicks count for 24 hours after each email/)).toBeVisible()
  await expect.element(page.getByRole('img', { name: /Emails by hour/ }).first()).toBeVisible()
})
