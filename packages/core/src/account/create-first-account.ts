import { sql } from 'kysely'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type CreatedAccount, createAccount } from './create-account.ts'

/**
 * The superadmin `admin` of a fresh installation; null when there are accounts already. Of several programs starting
 * at once, one makes it.
 *
 * @param password made up when not given
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
