import { type RawBuilder, sql } from 'kysely'

/** Expiry of a suppression entry that is added again: the later one; NULL never expires. */
export function laterEnd(before: RawBuilder<unknown>, added: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${before} is null or ${added} is null then null else greatest(${before}, ${added}) end`
}

/** Whether an entry has not expired. */
export function isInForce(expiresAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${expiresAt} is null or ${expiresAt} > now())`
}

/**
 * ON CONFLICT clause of every INSERT into blacklist_entry. Renews an entry that has expired or expires earlier with the
 * expiry, reason and source of the new one; leaves others unchanged. RETURNING gives only added and renewed entries:
 * `xmax = 0` for added ones.
 */
export const renewEntry = sql`on conflict (client_id, blacklist_id, value) do update set
    expires_at = ${laterEnd(sql.ref('blacklist_entry.expires_at'), sql.ref('excluded.expires_at'))},
    reason = coalesce(excluded.reason, blacklist_entry.reason),
    source = coalesce(excluded.source, blacklist_entry.source),
    added_by = coalesce(excluded.added_by, blacklist_entry.added_by)
  where blacklist_entry.expires_at < coalesce(excluded.expires_at, 'infinity')`

/** `renewEntry` for internal_blacklist_entry. */
export const renewInternalEntry = sql`on conflict (value) do update set
    expires_at = ${laterEnd(sql.ref('internal_blacklist_entry.expires_at'), sql.ref('excluded.expires_at'))},
    reason = coalesce(excluded.reason, internal_blacklist_entry.reason),
    added_by = coalesce(excluded.added_by, internal_blacklist_entry.added_by)
  where internal_blacklist_entry.expires_at < coalesce(excluded.expires_at, 'infinity')`
