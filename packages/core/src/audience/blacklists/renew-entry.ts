import { type RawBuilder, sql } from 'kysely'

/** The end of a suppression entry that is added again: the later of the two; NULL is no end. */
export function laterEnd(before: RawBuilder<unknown>, added: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${before} is null or ${added} is null then null else greatest(${before}, ${added}) end`
}

/** Whether an entry suppresses now. */
export function isInForce(expiresAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${expiresAt} is null or ${expiresAt} > now())`
}

/**
 * Ends every INSERT into blacklist_entry. An entry that has expired, or would end earlier, is renewed with the end,
 * reason and source of the new one; one that holds at least as long stays as it is. RETURNING answers added and renewed
 * entries alone: `xmax = 0` tells the added ones.
 */
export const renewEntry = sql`on conflict (client_id, blacklist_id, value) do update set
    expires_at = ${laterEnd(sql.ref('blacklist_entry.expires_at'), sql.ref('excluded.expires_at'))},
    reason = coalesce(excluded.reason, blacklist_entry.reason),
    source = coalesce(excluded.source, blacklist_entry.source),
    added_by = coalesce(excluded.added_by, blacklist_entry.added_by)
  where blacklist_entry.expires_at < coalesce(excluded.expires_at, 'infinity')`
