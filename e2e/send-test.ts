import { join } from 'node:path'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import PostalMime, { type Email } from 'postal-mime'
import type { Locator, Page } from 'playwright-core'
import type { RunningEmma } from './launch-emma.ts'

/**
 * Sends a test of the open template, and returns the mail as its recipient's server stored it.
 *
 * @param send enters the address into the field that it is called with, and sends
 */
export async function sendTest(
  { dataFolder }: RunningEmma,
  page: Page,
  address: string,
  send: (addresses: Locator) => Promise<void>,
): Promise<Email> {
  await send(page.getByRole('combobox', { name: 'Addresses' }))
  await page.getByText('Sent', { exact: true }).waitFor()
  const mailboxes = openMailboxes(join(dataFolder, 'testbed'))
  const [row] = mailboxes.listMessages({ search: address, limit: 1 }).rows
  const source = mailboxes.getSource(row?.id ?? 0) ?? Buffer.alloc(0)
  mailboxes.close()
  return PostalMime.parse(source)
}
