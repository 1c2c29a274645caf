import { sql } from 'kysely'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type CreatedAccount, createAccount } from './create-account.ts'

/**
 * Creates the superadmin `admin` of a new installation; returns null when accounts exist. Of several processes that
 * start at once, one creates it.
 *
 * @param password generated when omitted
 */
export function createFirstAccount(db: Db, password?: string): Promise<CreatedAccount | null> {
  return transaction(db, async tx => {
    await sql`lock table app_user in share row exclusive mode`.execute(tx)
    const existing = await tx.selectFrom('app_user').select('id').limit(1).executeTakeFirst()
    if (existing) return null
    return createAccount(tx, {
      username: 'admin',
      email: 'admin@localhost',
      firstname: 'Admin',
      superadmin: true,
      ...(password && { password }),
    })
  })
}
