import { createFormat } from '@emma/ui/format.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoReport } from '../../demo/demo-records.ts'
import { renderScreen } from '../../test/render-screen.tsx'

test('sent campaigns show how many were opened and clicked, as their reports count', async () => {
  const { tables } = await renderScreen('/campaigns/archive')
  const reports = await tables<DemoReport>('report').all()
  const { percent } = createFormat('en', 'UTC')
  const finished = reports.findLast(report => report.valid === 3 && report.nb_open > 0)
  if (!finished) throw new Error('The demo has no finished campaign')
  const row = page.getByRole('row').filter({ hasText: finished.name }).first()
  for (const count of [finished.nb_open, finished.nb_click])
    await expect.element(row.getByText(percent(count / finished.nb_delivered)).first()).toBeVisible()
})
