import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'

export interface MemberKey {
  clientId: number
  memberTableId: number
  memberId: number
  /** The campaign whose mail brought the person here. */
  campaignId: number | null
}

/** By which way: the page, the one-click POST of a mail program (RFC 8058), an unsubscribe mail. */
export type UnsubscribeSource = 'page' | 'one-click' | 'mail' | 'preferences' | 'esp'

/**
 * Takes a member off, at once, and writes the event; a second time changes nothing. Answers false when there is no such
 * member (any more).
 */
export function unsubscribeMember(
  sql: Sql,
  key: MemberKey,
  source: UnsubscribeSource,
  ip: string | null,
): Promise<boolean> {
  return transaction(sql, async tx => {
    const table = raw.table(`members.t${key.memberTableId}`)
    const found = await raw<{ email: string; changed: boolean }>`
      with before as (
        select member_id, email, dateunjoin from ${table}
        where client_id = ${key.clientId} and member_id = ${key.memberId} for update
      ), changed as (
        update ${table} as m set dateunjoin = now(), updated_at = now(), revision = revision + 1
        from before where m.client_id = ${key.clientId} and m.member_id = before.member_id and m.dateunjoin is null
        returning m.member_id
      )
      select email, exists (select from changed) as changed from before`.execute(tx)
    const member = found.rows[0]
    if (!member) return false
    if (member.changed)
      await raw`
        insert into event (client_id, type, campagne_id, member_table_id, member_id, email, source, ip)
        values (${key.clientId}, 'unsubscribe', ${key.campaignId}, ${key.memberTableId}, ${key.memberId},
          ${member.email}, ${source}, ${ip}::inet)`.execute(tx)
    return true
  })
}

/** Takes a member on again, on the person's own wish; the history stays in the log. */
export async function resubscribeMember(sql: Sql, key: MemberKey, ip: string | null): Promise<void> {
  await transaction(sql, async tx => {
    const changed = await raw<{ email: string }>`
      update ${raw.table(`members.t${key.memberTableId}`)}
      set dateunjoin = null, updated_at = now(), revision = revision + 1
      where client_id = ${key.clientId} and member_id = ${key.memberId} and dateunjoin is not null
      returning email`.execute(tx)
    const email = changed.rows[0]?.email
    if (email === undefined) return
    await raw`
      insert into event (client_id, type, campagne_id, member_table_id, member_id, email, source, ip)
      values (${key.clientId}, 'join', ${key.campaignId}, ${key.memberTableId}, ${key.memberId}, ${email},
        'preferences', ${ip}::inet)`.execute(tx)
  })
}
