import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoReport } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R025 the delivery of a campaign: queue, minutes, providers and reasons', async () => {
  let id = 0
  const { go } = await renderScreen('/campaigns/reports', async ({ tables }) => {
    const reports = await tables<DemoReport>('report').all()
    id = reports.find(({ nb_hardbounce }) => nb_hardbounce > 0)?.campagne_id ?? 0
  })
  await go(`/mtastats/${id}`)
  await expect.element(page.getByText('Being sent')).toBeVisible()
  await expect
    .element(page.getByRole('img', { name: /Replies of the last hour by minute/ }).first())
    .toBeVisible()
  const providers = page.getByRole('group', { name: 'Providers' })
  await expect.element(providers.getByRole('row').nth(1)).toBeVisible()
  const reasons = page.getByRole('group', { name: 'Reasons for deferred and rejected emails' })
  await expect.element(reasons.getByRole('row').nth(1)).toBeVisible()
  await page.getByRole('button', { name: 'Share' }).click()
  await expect.element(page.getByText(/No subscribers\.$/)).toBeVisible()
})
