import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { renewInternalEntry } from './renew-entry.ts'

interface PlatformSuppression {
  /** Lower case. */
  email: string
  reason: string
}

/**
 * Adds addresses to the internal blacklist, which clients can neither read nor change. Entries that expire are
 * renewed without an end; others stay unchanged.
 */
export async function suppressForPlatform(tx: Db, entries: readonly PlatformSuppression[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into internal_blacklist_entry (value, match, reason)
    select value, 'email', reason
    from unnest(${entries.map(({ email }) => email)}::text[], ${entries.map(({ reason }) => reason)}::text[])
      as added (value, reason)
    order by value
    ${renewInternalEntry}`.execute(tx)
}
