import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { transition } from './transition.ts'

/** Starts a draft without the check: the first campaign of an installation, which EMMA itself has created. */
export async function startUnchecked(db: Db, key: { clientId: number; campaignId: number }): Promise<void> {
  await transition(db, key, {
    from: [campaignState.draft],
    to: campaignState.preparing,
    set: { started_at: sql`now()`, startdate: sql`now()` },
  })
}
