import { createFirstAccount } from '@emma/core/account/create-first-account.ts'
import { ensureDemoClient } from '@emma/core/account/demo-account.ts'
import { createFirstContent } from './seed/create-demo-content.ts'
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
  await createFirstContent(context)
  await ensureDemoClient(db)
  if (!account || config.adminPassword) return {}
  return { madeUpAccount: { username: account.username, password: account.password } }
}
