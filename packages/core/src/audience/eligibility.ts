import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { suppressedBy } from './blacklists/suppression.ts'

/**
 * The `skip_reason` that lies in a member (alias m) itself, or NULL: what it decided, and what is known of its address.
 *
 * @param doiRequired a boolean expression: the datasource asks for a confirmed double opt-in
 */
export function memberReason(doiRequired: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when m.dateunjoin is not null then 'unsubscribed'
    when m.hardbounced_at is not null then 'hardbounce'
    when m.complained_at is not null then 'complaint'
    when m.doi_state = 'pending' or ${doiRequired} and m.doi_state <> 'confirmed' then 'doi_missing'
  end)::skip_reason`
}

/**
 * The `skip_reason` for which a member (alias m) must not be mailed at this moment, or NULL: its own state, then the
 * suppression of its present address. The count before the start and the expansion use the same two parts; this is
 * what holds when a mail is about to leave, hours or days later.
 */
export async function ineligibleReason(
  db: Db,
  clientId: number,
  { memberTableId, blacklistIds }: { memberTableId: number; blacklistIds: readonly number[] },
): Promise<RawBuilder<unknown>> {
  const suppressed = await suppressedBy(db, clientId, blacklistIds)
  const doiRequired = sql`(select doi_required from member_table
    where client_id = ${clientId}::int and member_table_id = ${memberTableId}::bigint)`
  return sql`coalesce(${memberReason(doiRequired)}, ${pendingReason(clientId, memberTableId)}, ${suppressed})`
}

/** What happened to a member (alias m) and is not applied to its row yet, because an import holds that. */
function pendingReason(clientId: number, memberTableId: number): RawBuilder<unknown> {
  return sql`(
    select case when min(p.unsubscribed_at) is not null then 'unsubscribed'
      when min(p.hardbounced_at) filter (where p.address = lower(m.email)) is not null then 'hardbounce'
      when min(p.complained_at) is not null then 'complaint' end::skip_reason
    from member_pending_state as p
    where p.client_id = ${clientId}::int and p.member_table_id = ${memberTableId}::bigint
      and p.member_id = m.member_id)`
}

/**
 * Which of some addresses are suppressed for a client, members or not: for mail that goes to no members.
 *
 * @returns the reason by address, as it was given
 */
export async function findSuppressed(
  db: Db,
  clientId: number,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const reason = await suppressedBy(db, clientId, [], sql.ref('a.email'))
  const { rows } = await sql<{ email: string; reason: string | null }>`
    select a.email, ${reason} as reason from unnest(${emails}::text[]) as a (email)`.execute(db)
  return new Map(rows.flatMap(row => (row.reason === null ? [] : [[row.email, row.reason]])))
}
