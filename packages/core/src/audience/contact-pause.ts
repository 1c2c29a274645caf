import { type Db, transaction } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'
import { type RawBuilder, sql } from 'kysely'
import { addressKeyOf } from './address.ts'
import type { EmailRecipient } from './members/email-recipient.ts'
import { logMemberEvent } from './members/member-event.ts'

/** Weeks for which subscribers can pause campaigns; 0 ends a pause. */
export const pauseWeeks = [0, 2, 4, 8] as const

export type PauseWeeks = (typeof pauseWeeks)[number]

/** End of the pause chosen on the preference page; null without one. */
export async function readPause(db: Db, clientId: number, email: string): Promise<Date | null> {
  const found = await db
    .selectFrom('contact_pause')
    .select('paused_until')
    .where('client_id', '=', clientId)
    .where('address', '=', addressKey(email))
    .where('paused_until', '>', sql<string>`now()`)
    .executeTakeFirst()
  return found ? new Date(found.paused_until) : null
}

/** Pauses campaigns of the client to an address from now on, or ends the pause; stored in the member's activity. */
export async function setPause(
  db: Db,
  { table, memberId, email }: Pick<EmailRecipient, 'table' | 'memberId' | 'email'>,
  weeks: PauseWeeks,
): Promise<void> {
  const address = addressKey(email)
  await transaction(db, async tx => {
    const ended = await tx
      .deleteFrom('contact_pause')
      .where('client_id', '=', table.client_id)
      .where('address', '=', address)
      .returning('paused_until')
      .executeTakeFirst()
    if (weeks === 0 && !ended) return
    if (weeks > 0)
      await sql`
        insert into contact_pause (client_id, address, paused_until)
        values (${table.client_id}, ${address}, now() + make_interval(weeks => ${weeks}))
        on conflict (client_id, address) do update set paused_until = excluded.paused_until`.execute(tx)
    await logMemberEvent(tx, table, memberId, { type: 'edit', source: 'preferences', pause_weeks: weeks })
  })
}

/** SELECT of `address` (lower case) that have paused campaigns of a client. */
export function pausedAddresses(clientId: number): RawBuilder<unknown> {
  return sql`
    select address from contact_pause where client_id = ${clientId}::bigint and paused_until > now()`
}

/** Skip reason of a member (alias m) who has paused campaigns, or NULL. */
export function pauseReason(clientId: number): RawBuilder<unknown> {
  const address = addressKeyOf(sql.ref('m.email'))
  return sql`(case when ${address} in (${pausedAddresses(clientId)}) then 'capping' end)::skip_reason`
}

/** Deletes pauses that are over. */
export async function deleteEndedPauses(db: Db): Promise<void> {
  await sql`delete from contact_pause where paused_until <= now()`.execute(db)
}
