import { demoClientId } from '@emma/contract/session.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DemoApproval } from '../../../demo/approval-routes.ts'
import type { DemoState } from '../../../demo/demo-call.ts'
import type { DemoClient } from '../../../demo/demo-records.ts'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { allowFaults } from '../../../test/screen-faults.ts'

const id = 9500
const path = `/campaigns/start/${id}`
const key = `campaign-${id}`

const card = page.getByRole('region', { name: 'Approval' })

/** The client's campaigns need an approval; the campaign was changed last by user `updated_by`. */
async function needApproval(state: DemoState, updated_by = state.person.id): Promise<void> {
  const client = { client_id: demoClientId, name: 'Demo', campaign_approval: true }
  await state.tables<Partial<DemoClient>>('client').put(demoClientId, client)
  await addDraft(state, id, { updated_by })
}

/** Another user has asked for approval, as the next screen shows it. */
async function makeRequestOfAnother(tables: DemoState['tables']): Promise<void> {
  const approvals = tables<DemoApproval>('campaign_approval')
  const stored = await approvals.get(key)
  if (!stored?.request) throw new Error('Nobody has asked')
  const by = { id: 4711, name: 'Ann Author' }
  await approvals.put(key, { ...stored, request: { ...stored.request, by }, approved: null })
}

test('without the setting of the client there is no card', async () => {
  await renderScreen(path, state => addDraft(state, id))
  await expect.element(page.getByRole('region', { name: 'Comments' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Check again' })).toBeEnabled()
  await expect.element(card).not.toBeInTheDocument()
})

test('asking for approval shows who asked and who may approve, and offers no approval of the own request', async () => {
  const { tables } = await renderScreen(path, state => needApproval(state))
  await expect.element(card.getByText('Not approved')).toBeVisible()
  await expect.element(card.getByText(/^May approve: /)).toBeVisible()
  await card.getByLabelText('Note (optional)').fill('Is the price right?')
  await card.getByRole('button', { name: 'Ask for approval' }).click()
  await expect.element(card.getByText('Waiting for approval')).toBeVisible()
  await expect.element(card.getByText(/^Dora Demo asked for approval on /)).toBeVisible()
  await expect.element(card.getByText('Is the price right?')).toBeVisible()
  await expect.element(card.getByRole('button', { name: 'Approve' })).not.toBeInTheDocument()
  expect((await tables<DemoApproval>('campaign_approval').get(key))?.request?.note).toBe(
    'Is the price right?',
  )
})

test('a second person approves by keyboard; revoking it asks for a new approval', async () => {
  const { tables, go } = await renderScreen(path, state => needApproval(state, 4711))
  await card.getByRole('button', { name: 'Ask for approval' }).click()
  await expect.element(card.getByText('Waiting for approval')).toBeVisible()
  await makeRequestOfAnother(tables)
  await go('/campaigns/archive')
  await go(path)
  await expect.element(card.getByText(/^Ann Author asked for approval on /)).toBeVisible()
  const approve = card.getByRole('button', { name: 'Approve' })
  await expect.element(approve).toBeEnabled()
  approve.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(card.getByText(/^Dora Demo approved it on /)).toBeVisible()
  await card.getByRole('button', { name: 'Revoke' }).click()
  await expect.element(card.getByText('Not approved')).toBeVisible()
})

test('a start at another time than the approved one is disabled, with the reason', async () => {
  const { tables, campaign, go } = await renderScreen(path, async state => {
    await needApproval(state, 4711)
    const draft = await state.tables<object>('campaign').get(id)
    await state.tables<object>('campaign').put(id, { ...draft, startdate: '2099-01-01T08:00:00Z' })
  })
  const send = page.getByRole('button', { name: 'Send now' })
  await card.getByRole('button', { name: 'Ask for approval' }).click()
  await expect.element(card.getByText('Waiting for approval')).toBeVisible()
  await makeRequestOfAnother(tables)
  await go('/campaigns/archive')
  await go(path)
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect.element(card.getByText(/approved it on/)).toBeVisible()
  await expect.element(page.getByText(/^It was approved for another send time\./)).toBeVisible()
  await expect.element(send).toBeDisabled()
  await expect.element(send).toHaveAccessibleDescription(/^It was approved for another send time\./)
  expect((await campaign(id))?.startdate).toBe('2099-01-01T08:00:00Z')
})

test('a change after the approval is named by its part', async () => {
  const { tables, campaign, go } = await renderScreen(path, state => needApproval(state, 4711))
  await card.getByRole('button', { name: 'Ask for approval' }).click()
  await expect.element(card.getByText('Waiting for approval')).toBeVisible()
  await makeRequestOfAnother(tables)
  await go('/campaigns/archive')
  await go(path)
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect.element(card.getByText(/approved it on/)).toBeVisible()
  await tables<object>('campaign').put(id, { ...(await campaign(id)), subject: 'Changed', throttle: 77 })
  await go('/campaigns/archive')
  await go(path)
  await expect
    .element(
      card.getByText(
        'Changed since the approval: subject and preheader and delivery options. The approval is no longer valid.',
      ),
    )
    .toBeVisible()
  await expect.element(card.getByRole('button', { name: 'Ask for approval' })).toBeEnabled()
})

test('an approval of what was changed meanwhile is refused with the reason', async () => {
  allowFaults(/^409 POST .*\/approval\/approve$/)
  const { tables, campaign, go } = await renderScreen(path, state => needApproval(state, 4711))
  await card.getByRole('button', { name: 'Ask for approval' }).click()
  await expect.element(card.getByText('Waiting for approval')).toBeVisible()
  await makeRequestOfAnother(tables)
  await go('/campaigns/archive')
  await go(path)
  await expect.element(card.getByRole('button', { name: 'Approve' })).toBeEnabled()
  await tables<object>('campaign').put(id, { ...(await campaign(id)), subject: 'Changed behind' })
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect.element(page.getByText(/was changed after you opened it/)).toBeVisible()
  await expect.element(card.getByText('Changed since', { exact: true })).toBeVisible()
})

test('the form of a recurring campaign has the card too', async () => {
  const { tables, go } = await renderScreen('/recurring/archive', state => needApproval(state))
  const [first] = await tables<{ recurring_id: number }>('recurring').all()
  await go(`/recurring/edit/${first?.recurring_id}`)
  await card.getByRole('button', { name: 'Ask for approval' }).click()
  await expect.element(card.getByText('Waiting for approval')).toBeVisible()
})
