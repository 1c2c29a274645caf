import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoState } from '../../../demo/demo-call.ts'
import type { DemoSendVolume } from '../../../demo/demo-records.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const number = new Intl.NumberFormat('en')
const table = page.getByRole('group', { name: 'By month', exact: true })

async function monthsOf(tables: DemoState['tables']): Promise<DemoSendVolume[]> {
  const months = await tables<DemoSendVolume>('send_volume').all()
  return months.toSorted((one, other) => other.invoice_month.localeCompare(one.invoice_month))
}

/** Changes the current month before the screen loads it. */
function withCurrent(change: Partial<DemoSendVolume>) {
  return async ({ tables }: DemoState) => {
    const [current] = await monthsOf(tables)
    if (current)
      await tables<DemoSendVolume>('send_volume').put(current.invoice_month, { ...current, ...change })
  }
}

test('R045 shows the current month with its limit, a chart and all months', async () => {
  const { tables } = await renderScreen('/billing/sendvolume')
  const months = await monthsOf(tables)
  const [current] = months
  await expect.element(page.getByText('in the time zone Europe/Berlin')).toBeVisible()
  await expect
    .element(page.getByText(`${number.format(current?.total ?? 0)} of 400,000 emails`))
    .toBeVisible()
  await expect
    .element(page.getByRole('progressbar', { name: 'Share of the monthly limit used' }))
    .toBeVisible()
  await expect.element(page.getByRole('figure', { name: 'Billed emails by month' })).toBeVisible()
  await expect.element(table.getByRole('rowheader').nth(11)).toBeVisible()
  for (const { total } of months)
    await expect
      .element(table.getByRole('cell', { name: number.format(total), exact: true }).first())
      .toBeVisible()
  await expect.element(table.getByText('Open', { exact: true }).first()).toBeVisible()
  await expect.element(table.getByText('Closed', { exact: true }).first()).toBeVisible()
})

test('R045 the URL names the year', async () => {
  const { tables, go } = await renderScreen('/billing/sendvolume')
  const years = Map.groupBy(await monthsOf(tables), ({ invoice_month: month }) => month.slice(0, 4))
  const [year = ''] = years.keys()
  const period = page.getByRole('combobox', { name: 'Period' })
  await period.selectOptions(year)
  await expect.element(table.getByRole('rowheader')).toHaveLength(years.get(year)?.length ?? 0)
  await go('/billing/sendvolume?period=1999')
  await expect.element(period).toHaveValue('last')
  await expect.element(table.getByRole('rowheader')).toHaveLength(12)
})

test('R045 warns of a limit that is almost reached or exceeded', async () => {
  await renderScreen('/billing/sendvolume', withCurrent({ total: 95_000, limit: 100_000 }))
  await expect.element(page.getByText(/^The monthly limit is almost reached/)).toBeVisible()
})

test('R045 says by how much a limit is exceeded', async () => {
  await renderScreen('/billing/sendvolume', withCurrent({ total: 112_500, limit: 100_000 }))
  await expect.element(page.getByText(/exceeded by 12,500 emails/)).toBeVisible()
})

test('R045 a client without limit and prices has neither', async () => {
  const none = { limit: null, price: null, price_tiers: [] }
  await renderScreen('/billing/sendvolume', async ({ tables }) => {
    for (const month of await monthsOf(tables))
      await tables<DemoSendVolume>('send_volume').put(month.invoice_month, { ...month, ...none })
  })
  await expect.element(page.getByText('No monthly limit is agreed.')).toBeVisible()
  await expect.element(table.getByRole('columnheader', { name: 'Price' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Prices' })).not.toBeInTheDocument()
})

test('R045 a new client has sent nothing', async () => {
  await renderScreen('/billing/sendvolume', async ({ tables }) => {
    const [current] = await monthsOf(tables)
    await tables('send_volume').clear()
    const nothing = { campaign: 0, recurring: 0, transactional: 0, test: 0, total: 0, price: 0 }
    if (current)
      await tables<DemoSendVolume>('send_volume').put(current.invoice_month, { ...current, ...nothing })
  })
  await expect.element(page.getByText('No emails sent yet')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Download CSV' })).not.toBeInTheDocument()
})
