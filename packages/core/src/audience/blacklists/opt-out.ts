import { type RawBuilder, sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/** SHA-256 of the lower-case address, as bytea. */
export function addressHash(email: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`sha256(convert_to(lower(${email}), 'UTF8'))`
}

/**
 * INSERT to run before deleting members: stores their opt-outs and bounces for the address, so that adding it again
 * does not make it mailable. `chosen`: condition over the member (alias m), with further tables in `using`.
 */
export function keepOptOuts(
  { client_id, member_table_id }: Table,
  chosen: RawBuilder<unknown>,
  using: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    insert into member_opt_out
      (client_id, member_table_id, address_hash, unsubscribed_at, complained_at, hardbounced_at, doi_pending)
    select m.client_id, ${member_table_id}::bigint, ${addressHash(sql.ref('m.email'))},
      coalesce(m.dateunjoin, p.unsubscribed_at), coalesce(m.complained_at, p.complained_at),
      coalesce(m.hardbounced_at, p.hardbounced_at), m.doi_state = 'pending'
    from ${membersTable(member_table_id)} as m ${using}
    cross join lateral (
      select min(unsubscribed_at) as unsubscribed_at, min(complained_at) as complained_at,
        min(hardbounced_at) filter (where address = lower(m.email)) as hardbounced_at
      from member_pending_state
      where client_id = m.client_id and member_table_id = ${member_table_id}::bigint and member_id = m.member_id
    ) as p
    where m.client_id = ${client_id} and ${chosen}
      and (coalesce(m.dateunjoin, m.complained_at, m.hardbounced_at) is not null or m.doi_state = 'pending'
        or coalesce(p.unsubscribed_at, p.complained_at, p.hardbounced_at) is not null)
    ${mergeOptOut}`
}

/** INSERT that unsubscribes all addresses of a SELECT of `email`, whether they are members or will be added later. */
export function addOptOuts(
  { client_id, member_table_id }: Table,
  emails: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into member_opt_out (client_id, member_table_id, address_hash, unsubscribed_at)
    select distinct ${client_id}::bigint, ${member_table_id}::bigint, ${addressHash(sql.ref('added.email'))}, now()
    from (${emails}) as added
    ${mergeOptOut}
    where member_opt_out.unsubscribed_at is null`
}

/** ON CONFLICT clause of every INSERT into member_opt_out: earlier values stay. */
export const mergeOptOut = sql`on conflict (client_id, member_table_id, address_hash) do update set
  unsubscribed_at = coalesce(member_opt_out.unsubscribed_at, excluded.unsubscribed_at),
  complained_at = coalesce(member_opt_out.complained_at, excluded.complained_at),
  hardbounced_at = coalesce(member_opt_out.hardbounced_at, excluded.hardbounced_at),
  doi_pending = member_opt_out.doi_pending or excluded.doi_pending`

/**
 * UPDATE to run after members were added or changed their address: restores the state stored for the address. `emails`:
 * SELECT of `email` of those members. Hashes are only computed when the datasource has stored states.
 */
export function restoreOptOuts(
  { client_id, member_table_id }: Table,
  emails: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const kept = sql`select from member_opt_out
    where client_id = ${client_id} and member_table_id = ${member_table_id}::bigint`
  return sql`
    update ${membersTable(member_table_id)} as m set
      dateunjoin = coalesce(m.dateunjoin, o.unsubscribed_at),
      complained_at = coalesce(m.complained_at, o.complained_at),
      hardbounced_at = coalesce(m.hardbounced_at, o.hardbounced_at),
      doi_state = case when o.doi_pending then 'pending' else m.doi_state end
    from (${emails}) as added
    join member_opt_out as o on o.client_id = ${client_id} and o.member_table_id = ${member_table_id}::bigint
      and o.address_hash = case when exists (${kept}) then ${addressHash(sql.ref('added.email'))} end
    where m.client_id = ${client_id} and lower(m.email) = lower(added.email)`
}

/**
 * UPDATE that removes the unsubscription stored for an address, when a person subscribes again. Affects no row when
 * none is stored.
 */
export function forgetUnsubscription(
  { client_id, member_table_id }: Table,
  email: string,
): RawBuilder<unknown> {
  return sql`
    update member_opt_out set unsubscribed_at = null
    where client_id = ${client_id} and member_table_id = ${member_table_id}::bigint
      and address_hash = ${addressHash(sql`${email}::text`)} and unsubscribed_at is not null`
}
