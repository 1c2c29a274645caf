import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { common } from '../../../demo/seed/seeding.ts'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import type { DemoState } from '../../../demo/demo-call.ts'

const id = 9500
const path = `/campaigns/start/${id}`
const card = page.getByRole('region', { name: 'Comments' })
const item = (text: string) => card.getByRole('listitem').filter({ hasText: text })

async function addComment({ tables }: DemoState, comment_id: number, text: string): Promise<void> {
  await tables<object>('campaign_comment').put(comment_id, {
    ...common(new Date('2026-11-01T08:00:00Z'), 4711),
    comment_id,
    campagne_id: id,
    text,
    author: 'Ann Author',
    is_resolved: false,
    resolved_at: null,
    resolved_by: null,
  })
}

test('a comment is written, changed and deleted by keyboard; there is an empty state', async () => {
  const { tables } = await renderScreen(path, state => addDraft(state, id))
  await expect.element(card.getByText(/^No open comments\./)).toBeVisible()
  await expect.element(card.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled()
  await card.getByLabelText('New comment').fill('Is the price right?')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(item('Is the price right?').getByText('Dora Demo')).toBeVisible()
  await expect.element(card.getByLabelText('New comment')).toHaveValue('')

  await item('Is the price right?').getByRole('button', { name: 'Edit' }).click()
  const edit = card.getByLabelText('Edit')
  await expect.element(edit).toHaveFocus()
  await edit.fill('Never stored')
  await userEvent.keyboard('{Escape}')
  await expect.element(item('Is the price right?')).toBeVisible()
  await item('Is the price right?').getByRole('button', { name: 'Edit' }).click()
  await edit.fill('The price is right.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(item('The price is right.')).toBeVisible()

  await item('The price is right.').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(card.getByText(/^No open comments\./)).toBeVisible()
  expect(await tables('campaign_comment').all()).toEqual([])
})

test('a comment of another user can be resolved and reopened, but not changed', async () => {
  await renderScreen(path, async state => {
    await addDraft(state, id)
    await addComment(state, 1, 'First of Ann')
    await addComment(state, 2, 'Second of Ann')
  })
  await expect.element(item('First of Ann').getByText('Ann Author')).toBeVisible()
  await expect.element(item('First of Ann').getByRole('button', { name: 'Edit' })).not.toBeInTheDocument()
  await expect.element(item('First of Ann').getByRole('button', { name: 'Delete' })).not.toBeInTheDocument()
  await item('First of Ann').getByRole('button', { name: 'Resolve' }).click()
  await expect.element(item('First of Ann')).not.toBeInTheDocument()
  await expect.element(item('Second of Ann')).toBeVisible()
  const toggle = card.getByRole('button', { name: 'Show 1 resolved' })
  await toggle.click()
  await expect.element(toggle).toHaveAttribute('aria-pressed', 'true')
  await item('First of Ann').getByRole('button', { name: 'Reopen' }).click()
  await expect.element(toggle).not.toBeInTheDocument()
})

test('text is shown as text, with its line breaks', async () => {
  await renderScreen(path, async state => {
    await addDraft(state, id)
    await addComment(state, 1, '<b>One</b>\nTwo')
  })
  await expect.element(card.getByText('<b>One</b>')).toBeVisible()
})
