import { split } from '@emma/contract/split.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DemoCampaign, DemoRecurring } from '../../demo/demo-records.ts'
import { renderScreen } from '../../test/render-screen.tsx'

const edit = '/recurring/edit/9001'

test('R060 the list tells each schedule in words, pauses and runs it now', async () => {
  const { tables } = await renderScreen('/recurring/archive')
  const runs = async () =>
    (await tables<DemoCampaign>('campaign').all()).filter(row => row.recurring_id === 9001)
  const before = await runs()
  await expect.element(page.getByText('Every week on Monday at 09:00')).toBeVisible()
  await expect.element(page.getByText('Every year on “birthday” at 08:30')).toBeVisible()
  const rowMenu = page
    .getByRole('row', { name: /Monday newsletter/ })
    .getByRole('button', { name: /Actions/ })
  await rowMenu.click()
  await page.getByRole('menuitem', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await expect.element(page.getByText('A run of “Monday newsletter” has started')).toBeVisible()
  await expect.poll(async () => (await runs()).length).toBe(before.length + 1)
  await rowMenu.click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  const stored = () => tables<DemoRecurring>('recurring').get(9001)
  await expect.poll(async () => await stored()).toMatchObject({ active: false, next_run: null })
  await expect.element(page.getByText('Paused')).toBeVisible()
})

test('R061 a schedule is built in words, and its next ten runs follow while it is edited', async () => {
  const { tables } = await renderScreen(edit)
  const runs = page.getByRole('list', { name: 'Next runs' }).getByRole('listitem')
  await expect.poll(() => runs.elements().length).toBe(10)
  await page.getByRole('combobox', { name: 'Unit' }).selectOptions('month')
  await page.getByRole('combobox', { name: 'On', exact: true }).selectOptions('Second')
  await page.getByRole('combobox', { name: 'Weekday' }).selectOptions('Tuesday')
  await expect.element(page.getByText('Every month on the second Tuesday at 09:00')).toBeVisible()
  await expect
    .poll(() => runs.elements().every(item => /Tuesday,? (8|9|10|11|12|13|14) /.test(item.textContent ?? '')))
    .toBe(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const stored = () => tables<DemoRecurring>('recurring').get(9001)
  await expect.poll(async () => (await stored())?.schedule.rrule).toBe('FREQ=MONTHLY;BYDAY=2TU')
})

test('a trigger by date is daily, and takes a date column of the segment', async () => {
  const { tables } = await renderScreen(edit)
  await page.getByRole('radiogroup', { name: 'Trigger' }).getByText('Date of the subscriber').click()
  await expect.element(page.getByRole('combobox', { name: 'Unit' })).not.toBeInTheDocument()
  await page.getByRole('combobox', { name: 'Date', exact: true }).selectOptions('Birthday')
  await page.getByRole('textbox', { name: 'Days after the date' }).fill('-7')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const stored = () => tables<DemoRecurring>('recurring').get(9001)
  await expect
    .poll(async () => await stored())
    .toMatchObject({ trigger: 'date_field', offset_days: -7, schedule: { rrule: 'FREQ=DAILY' } })
})

test('R251 delivery options: quiet hours, batches, domain pool, unknown delivery status', async () => {
  const { tables } = await renderScreen(edit)
  const stored = () => tables<DemoRecurring>('recurring').get(9001)
  const schedule = page.getByRole('region', { name: 'Schedule' })
  await schedule.getByText('Delivery options').click()
  await page.getByRole('textbox', { name: 'Quiet hours from' }).fill('25:00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText(/Please write a time of day/).first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Quiet hours from' }).fill('21:30')
  await page.getByRole('textbox', { name: 'until' }).fill('07:00')
  await expect
    .element(page.getByRole('textbox', { name: 'Batch interval in minutes' }))
    .not.toBeInTheDocument()
  await page.getByRole('textbox', { name: 'Batch size' }).fill('500')
  await page.getByRole('textbox', { name: 'Batch interval in minutes' }).fill('15')
  await page.getByRole('combobox', { name: 'Send-once key' }).fill('monday')
  await page.getByRole('switch', { name: 'Domain pool' }).click()
  await page.getByRole('switch', { name: 'Check inbox placement at the start' }).click()
  await page.getByRole('radio', { name: 'Send again' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => await stored())
    .toMatchObject({
      quiet_from: '21:30',
      quiet_to: '07:00',
      window_mails: 500,
      window_minutes: 15,
      send_once_key: 'monday',
      use_domain_pool: true,
      check_placement: true,
      unknown_policy: 'resend',
    })
})

test('R034 R251 each run is an A/B test with the variants of the form', async () => {
  const { tables } = await renderScreen(edit)
  const section = page.getByRole('region', { name: 'A/B test' })
  await expect.element(section.getByText(/every run decides for itself/i)).toBeVisible()
  await section.getByRole('switch', { name: 'Run an A/B test' }).click()
  const second = section.getByRole('listitem', { name: 'Variant B' })
  await second.getByLabelText('Subject').fill('Another subject')
  await section.getByLabelText('Winner criterion').selectOptions('Unique opens')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await tables<DemoRecurring>('recurring').get(9001))?.split)
    .toMatchObject({ variants: [{ subject: 'Another subject' }], winner_by: 'opens', sample_percent: 20 })
})

test('R178 the audience is counted while it is chosen, with the reasons of those who are skipped', async () => {
  await renderScreen(edit)
  const audience = page.getByRole('region', { name: 'Audience' })
  await expect.element(audience.getByText(/of [\d,.]+ subscribers will get it/)).toBeVisible()
  await expect.element(audience.getByText('On your client suppression list')).toBeVisible()
  await expect.element(audience.getByText(/Counts the whole segment/)).not.toBeInTheDocument()
  await audience
    .getByRole('combobox', { name: 'To the same subscriber again' })
    .selectOptions('No, only once')
  await expect.element(audience.getByText(/Counts the whole segment/)).toBeVisible()
})

test('R282 a new one names everything that is missing', async () => {
  await renderScreen('/recurring/edit/new')
  await page.getByRole('button', { name: /^(Save|Create)/ }).click()
  const summary = page.getByRole('alert').first()
  for (const label of ['Name', 'Template', 'Segment', 'Sending domain', 'Sender address', 'Mail class'])
    await expect.element(summary.getByText(new RegExp(label)).first()).toBeVisible()
})

test('R061 the runs are listed with their campaigns, also one that is sent now', async () => {
  await renderScreen('/recurring/edit/9001?tab=runs')
  const reports = page.getByRole('table').getByRole('link', { name: 'Report' })
  await expect.poll(() => reports.elements().length).toBe(4)
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await expect.poll(() => reports.elements().length).toBe(5)
})

test('R062 R063 the report adds up the runs, and lists those of one', async () => {
  await renderScreen('/recurring/reports')
  await page.getByRole('link', { name: 'Birthday greeting' }).click()
  await expect.element(page.getByText('Runs', { exact: true }).first()).toBeVisible()
  await expect.element(page.getByText('Delivered', { exact: true }).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Period' }).selectOptions('Last 365 days')
  await expect.element(page.getByRole('link').last()).toBeVisible()
})

test('R034 R063 the report adds up the variants of an A/B test over the runs', async () => {
  await renderScreen('/recurring/reports/9001', async ({ tables }) => {
    const campaigns = tables<DemoCampaign>('campaign')
    const test = split.parse({ variants: [{ subject: 'Another subject' }], sample_percent: 100 })
    const other = split.parse({ variants: [{ subject: 'Earlier subject' }] })
    const runs = (await campaigns.all())
      .filter(row => row.recurring_id === 9001)
      .toSorted((a, b) => String(b.started_at).localeCompare(String(a.started_at)))
    for (const [at, run] of runs.entries())
      await campaigns.put(run.campagne_id, { ...run, split: [test, test, other][at] ?? null })
  })
  await expect.element(page.getByText(/Sums of 2 runs with these variants/)).toBeVisible()
  const sums = page.getByRole('group', { name: 'A/B test over the runs' })
  await expect.element(sums.getByRole('row', { name: /^B *Another subject/ })).toBeVisible()
  await expect.element(sums.getByText(/\+1\.0 points \(/)).toBeVisible()
})

test('a run that is sent now gets the settings of the recurring campaign, with its A/B test', async () => {
  const settings = {
    split: split.parse({ variants: [{ subject: 'Another subject' }] }),
    subject: 'Own subject',
    send_once_key: 'monday',
    category_value_ids: [9001],
  }
  const { tables, go } = await renderScreen('/recurring/edit/9001?tab=runs', async state => {
    const row = await state.tables<DemoRecurring>('recurring').get(9001)
    await state.tables<object>('recurring').put(9001, { ...row, ...settings })
  })
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  const newest = async () => {
    const runs = (await tables<DemoCampaign>('campaign').all()).filter(row => row.recurring_id === 9001)
    return runs.toSorted((a, b) => b.campagne_id - a.campagne_id)[0]
  }
  await expect.poll(newest).toMatchObject({ ...settings, split_winner: null })
  await go(`/campaigns/reports/${(await newest())?.campagne_id}`)
  await expect.element(page.getByText(/The test sample is being sent/)).toBeVisible()
  await expect.element(page.getByText('Another subject')).toBeVisible()
})
