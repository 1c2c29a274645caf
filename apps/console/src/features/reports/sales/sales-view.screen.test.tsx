import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoReport } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R027 the sales view shows results and links, without what its link hides', async () => {
  let id = 0
  const { go } = await renderScreen('/campaigns/reports', async ({ tables }) => {
    const reports = await tables<DemoReport>('report').all()
    id = reports.find(({ nb_delivered }) => nb_delivered > 1000)?.campagne_id ?? 0
  })
  await go(`/salesview/${id}`)
  await expect.element(page.getByRole('list', { name: 'What happened' })).toBeVisible()
  await expect.element(page.getByText('Complaints')).toBeVisible()
  await expect.element(page.getByText('Skipped')).toBeVisible()
  await expect.element(page.getByRole('group', { name: 'Links' })).toBeVisible()
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument()

  await go(`/salesview/${id}?shows_complaints=false&shows_preblocks=false`)
  await expect.element(page.getByText('Unsubscribed')).toBeVisible()
  await expect.element(page.getByText('Complaints')).not.toBeInTheDocument()
  await expect.element(page.getByText('Skipped')).not.toBeInTheDocument()
})

test('R026 the comparison of a report group is shown as its customers see it', async () => {
  let group = 0
  let ids: number[] = []
  const { go } = await renderScreen('/campaigns/reports', async ({ tables }) => {
    const reports = await tables<DemoReport>('report').all()
    const groups = tables<{ reportinggroup_id: number; campaign_ids: number[] }>('reporting_group')
    const [first] = await groups.all()
    if (!first) throw new Error('The demo has no report group')
    group = first.reportinggroup_id
    ids = reports.slice(0, 3).map(row => row.campagne_id)
    await groups.put(group, { ...first, campaign_ids: ids })
  })
  await go(`/compare-reports/${group}`)
  const table = page.getByRole('group', { name: 'Figures' })
  await expect.poll(() => table.getByRole('row').elements().length).toBe(5)
  await expect.element(table.getByRole('link').first()).not.toBeInTheDocument()

  await go(`/compare-reports/${ids.slice(0, 2).join(',')}`)
  await expect.element(page.getByRole('heading', { name: 'Comparison', level: 1 })).toBeVisible()
  await expect.poll(() => table.getByRole('row').elements().length).toBe(4)
})
