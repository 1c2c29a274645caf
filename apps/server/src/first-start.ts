import { createFirstAccount } from '@emma/core/account/create-first-account.ts'
import { ensureDemoClient } from '@emma/core/account/demo-account.ts'
import { createFirstContent } from './seed/create-demo-content.ts'
import type { RoleContext } from './role.ts'

/** What the operator has to be told at the end of start-up. */
export type FirstStart = {
  /** The first account, when its password was made up: shown once, stored nowhere in clear. */
  madeUpAccount?: { username: string; password: string }
}

/**
 * Fills a fresh database before the roles start: the first account, and whatever a new installation should not lack. Does
 * nothing where that is there already; every start calls it.
 */
export async function prepareFirstStart(context: RoleContext): Promise<FirstStart> {
  const { config, db } = context
  const account = await createFirstAccount(db, config.adminPassword)
  await createFirstContent(context)
  await ensureDemoClient(db)
  if (!account || config.adminPassword) return {}
  return { madeUpAccount: { username: account.username, password: account.password } }
}
