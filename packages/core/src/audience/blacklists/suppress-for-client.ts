import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { renewEntry } from './renew-entry.ts'

/** A suppression list that EMMA maintains for a client. Applies to all of its campaigns; created on demand. */
export interface OwnList {
  name: string
  match: 'email' | 'sha256'
}

export interface NewSuppression {
  clientId: number
  /** In the form of the list's `match`: a lower-case address, or its SHA-256 in hex. */
  value: string
  reason: string | null
  source: string
}

/**
 * Adds values to the client's list of that name. Expired entries are renewed.
 *
 * @param tx a transaction; its lock prevents concurrent creation of lists with the name
 * @returns added and renewed entries as `client/value`; omits values that were suppressed already
 */
export async function suppressForClient(
  tx: Db,
  { name, match }: OwnList,
  entries: readonly NewSuppression[],
  addedBy: number | null = null,
): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`own list ${name}`}, 0))`.execute(tx)
  const clients = sql`unnest(${[...new Set(entries.map(({ clientId }) => clientId))]}::bigint[]) as client_id`
  const { rows } = await sql<{ client_id: number; blacklist_id: number; value: string; is_new: boolean }>`
    with existing as (
      select client_id, min(blacklist_id) as blacklist_id
      from blacklist join ${clients} using (client_id)
      where name = ${name} and kind = 'client' and match = ${match} and deleted_at is null
      group by client_id
    ), created as (
      insert into blacklist (client_id, name, kind, match)
      select client_id, ${name}, 'client', ${match} from ${clients}
      where client_id not in (select client_id from existing)
      returning client_id, blacklist_id
    )
    insert into blacklist_entry (client_id, blacklist_id, value, reason, source, added_by)
    select distinct on (client_id, value) client_id, blacklist_id, value, reason, source, ${addedBy}::bigint
    from (select * from existing union all select * from created) list join unnest(
      ${entries.map(({ clientId }) => clientId)}::bigint[], ${entries.map(({ value }) => value)}::text[],
      ${entries.map(({ reason }) => reason)}::text[], ${entries.map(({ source }) => source)}::text[]
    ) as added (client_id, value, reason, source) using (client_id)
    order by client_id, value
    ${renewEntry}
    returning client_id, blacklist_id, value, xmax = 0 as is_new`.execute(tx)
  const inserted = rows.filter(row => row.is_new)
  await sql`
    update blacklist b set count = b.count + added.count, updated_at = now()
    from (
      select client_id, blacklist_id, count(*) as count
      from unnest(${inserted.map(row => row.client_id)}::bigint[], ${inserted.map(row => row.blacklist_id)}::bigint[])
        as entry (client_id, blacklist_id)
      group by 1, 2
    ) added
    where b.client_id = added.client_id and b.blacklist_id = added.blacklist_id`.execute(tx)
  return new Set(rows.map(row => `${row.client_id}/${row.value}`))
}
