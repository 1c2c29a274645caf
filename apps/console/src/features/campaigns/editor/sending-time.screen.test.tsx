import { queryKeys } from '@emma/client/query-keys.ts'
import { calculateVolume } from '@emma/contract/actions/volume.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const id = 9502
const panel = page.getByRole('region', { name: 'Sending time' })
const text = () => panel.elements()[0]?.textContent ?? ''
const plain = { throttle: 0, window_mails: 0, quiet_from: null, quiet_to: null, local_time: false }

test('R248 the campaign form says how long the sending takes, again with each change, and what limits it', async () => {
  await renderScreen(`/campaigns/edit/${id}`, state => addDraft(state, id, plain))
  await expect.poll(text).toMatch(/About .+ends/)
  await expect.poll(text).toContain('Slowest: Gmail (50,000 per hour, mail class Newsletter)')
  await expect.poll(text).toMatch(/Othersends .+Gmailends/)
  const time = page.getByRole('region', { name: 'Time', exact: true })
  await time.getByText('Delivery options').click()
  await time.getByRole('textbox', { name: 'Speed' }).fill('10')
  await expect.poll(text).toContain('Limit: 10 per hour, speed of the campaign')
  expect(text()).not.toContain('Slowest')
  // What cannot be calculated yet is not asked for.
  await time.getByRole('textbox', { name: 'Quiet hours from' }).fill('22')
  await expect.element(panel).not.toBeInTheDocument()
})

test('R248 the form says nothing while audience or mail class are missing', async () => {
  const { go } = await renderScreen(`/campaigns/edit/${id}`, async state => {
    await addDraft(state, id, { ...plain, list_id: null })
    await addDraft(state, id + 1, { ...plain, mailclass_id: null, esp_id: null })
  })
  for (const one of [id, id + 1]) {
    await go(`/campaigns/edit/${one}`)
    await expect.element(page.getByRole('region', { name: 'Time', exact: true })).toBeVisible()
    await expect.element(panel).not.toBeInTheDocument()
  }
})

test('R248 the check shows it too, with warnings in the words of the user', async () => {
  await renderScreen(`/campaigns/start/${id}`, state => addDraft(state, id, plain))
  await expect.poll(text).toMatch(/About .+ends/)
  const values = { mailclass: 'Newsletter', left: 1500, date: '2026-12-01', overflow: 'Warm' }
  queryClient.setQueriesData<object>(
    { queryKey: queryKeys.action(calculateVolume).slice(0, -1) },
    former => ({
      ...former,
      duration_s: null,
      enddate: null,
      bottleneck: { provider_id: 0, name: 'other', limit: waiting },
      warnings: [{ code: 'volume.warmup_overflow', values, message: 'English' }],
    }),
  )
  await expect.poll(text).toContain('More than a year')
  await expect.poll(text).toContain('Limit: quarantine of the mail class Newsletter')
  await expect
    .poll(text)
    .toContain(
      'The warm-up of the mail class Newsletter allows 1,500 more emails on 1 Dec 2026. The rest is sent with the mail class Warm.',
    )
})

const waiting = { kind: 'quarantine', mails: null, seconds: null, mailclass: 'Newsletter' }
