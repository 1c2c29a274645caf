import { sql } from 'kysely'

/** Joins of a row with the column `domain`: the mailbox provider of its domain, or of the domain's mail exchangers. */
export const providerJoins = sql`
  left join (
    select lower(written) as domain, min(provider_id) as provider_id
    from provider, unnest(domains) as written
    where deleted_at is null
    group by 1
  ) provider using (domain)
  left join receiving_domain received using (domain)`

/** The provider found by `providerJoins`; 0: other. */
export const joinedProvider = sql`coalesce(provider.provider_id, received.provider_id, 0)`
