import { createFirstAccount } from '@emma/core/account/create-first-account.ts'
import { ensureDemoClient } from '@emma/core/account/demo-account.ts'
import { hasClients } from '@emma/core/platform/first-client.ts'
import type { RoleContext } from './role.ts'

/** Result for the operator at the end of start-up. */
export type FirstStart = {
  /** The first account, if its password was generated: printed once, never stored in plain text. */
  madeUpAccount?: { username: string; password: string }
}

/**
 * Prepares a new database before the roles start: the first account and the initial content. Idempotent; every start
 * calls it.
 */
export async function prepareFirstStart(context: RoleContext): Promise<FirstStart> {
  const { config, db } = context
  const account = await createFirstAccount(db, config.adminPassword)
  if (!(await hasClients(db))) {
    // Loaded on a first start alone, which has no other use for half of the program's code.
    const { createFirstContent } = await import('./seed/create-demo-content.ts')
    await createFirstContent(context)
  }
  await ensureDemoClient(db)
  if (!account || config.adminPassword) return {}
  return { madeUpAccount: { username: account.username, password: account.password } }
}
