import type { DemoImapLogin } from '../../../demo/demo-records.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderScreen } from '../../../test/render-screen.tsx'

test('R077 the list shows whether each mailbox can be read, and why not', async () => {
  const { tables } = await renderScreen('/settings/testmailboxes')
  const mailboxes = tables<DemoImapLogin>('imap_login')
  const [first, second] = await mailboxes.all()
  if (!first || !second) throw new Error('The demo has no test mailboxes')
  const row = (email: string) => page.getByRole('row').filter({ hasText: email })
  await expect.element(row(second.email).getByText('Readable', { exact: true })).toBeVisible()
  const last_error = { code: 'imap.login', values: { host: 'imap.gmx.net', reply: 'No' }, message: 'No' }
  await mailboxes.put(second.login_id, { ...second, last_error })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.element(row(first.email).getByText('Readable', { exact: true })).toBeVisible()
  await expect.element(row(second.email).getByText('Not readable')).toBeVisible()
  await expect.element(row(second.email).getByText('imap.gmx.net rejected the login: No')).toBeVisible()
})

test('R078 an empty form names what is missing', async () => {
  await renderScreen('/settings/testmailboxes/edit/new')
  await page.getByRole('button', { name: 'Save' }).click()
  const summary = page.getByRole('alert')
  for (const label of ['Email address', 'Mail server', 'User name', 'Password'])
    await expect.element(summary.getByText(label).first()).toBeVisible()
})

test('R213 a known provider fills in its server', async () => {
  await renderScreen('/settings/testmailboxes/edit/new')
  await page.getByRole('button', { name: 'Add a mail server' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Microsoft' }).click()
  await expect.element(dialog.getByRole('textbox', { name: 'Server' })).toHaveValue('outlook.office365.com')
  await expect
    .element(dialog.getByRole('textbox', { name: 'Token URL' }))
    .toHaveValue('https://login.microsoftonline.com/common/oauth2/v2.0/token')
  await dialog.getByRole('button', { name: 'GMX' }).click()
  await expect.element(dialog.getByRole('textbox', { name: 'Server' })).toHaveValue('imap.gmx.net')
  await expect.element(dialog.getByRole('textbox', { name: 'Token URL' })).not.toBeInTheDocument()
})
