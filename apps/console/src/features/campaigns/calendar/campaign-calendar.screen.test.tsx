import { campaignState } from '@emma/contract/campaign-states.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const id = 9500

afterEach(() => {
  vi.useRealTimers()
})

test('calendar: a scheduled campaign cannot be put on a past day, and a move can be undone', async () => {
  const [yesterday, today, tomorrow, dayAfter] = ['2027-03-09', '2027-03-10', '2027-03-11', '2027-03-12']
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T12:00:00.000Z`) })
  const { campaign } = await renderScreen(`/campaigns/calendar?day=${tomorrow}`, state =>
    addDraft(state, id, {
      name: 'Calendar safety',
      valid: campaignState.scheduled,
      startdate: `${tomorrow}T09:30:00.000Z`,
    }),
  )
  const startdate = async () => (await campaign(id))?.startdate
  const item = page.getByRole('button', { name: /Calendar safety/ })
  const cell = (day: string) => page.css(`td[data-day="${day}"]`)
  await item.dropTo(cell(dayAfter))
  const moved = page.getByRole('status').filter({ hasText: 'Calendar safety moved to' })
  await moved.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(startdate).toContain(tomorrow)
  await expect.element(cell(tomorrow).getByRole('button', { name: /Calendar safety/ })).toBeVisible()

  await item.dropTo(cell(yesterday))
  item.element().focus()
  await userEvent.keyboard('m{ArrowLeft}{ArrowLeft}{Enter}')
  await expect.element(page.getByText('The start has to be in the future.')).toBeVisible()
  expect(await startdate()).toContain(tomorrow)
  expect((await campaign(id))?.started_at).toBeNull()
})
