import type { Sql } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'

/** Joins to the suppression lists, and the cases that name a reason, in the order they are checked. */
export interface Checks {
  joins: RawBuilder<unknown>[]
  cases: RawBuilder<unknown>[]
}

type Match = 'email' | 'domain' | 'md5' | 'sha256'

/** How each kind of list sees a recipient with the columns `address` and `domain`. */
const seen: Record<Match, RawBuilder<unknown>> = {
  email: raw`numbered.address`,
  domain: raw`numbered.domain`,
  md5: raw`md5(numbered.address)`,
  sha256: raw`encode(sha256(convert_to(numbered.address, 'UTF8')), 'hex')`,
}

/**
 * The suppression of a campaign: the platform's list (but for its exceptions), the client's lists, the lists attached to
 * the campaign (domain.md 2D). Only kinds of lists that have entries take part: digests of a million addresses cost
 * a second.
 */
export async function blacklistChecks(
  tx: Sql,
  clientId: number,
  attached: readonly number[],
): Promise<Checks> {
  const lists = await tx
    .selectFrom('blacklist')
    .select(['blacklist_id', 'kind', 'match'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .execute()
  const idsOf = (kind: string, match: string) =>
    lists
      .filter(list => list.kind === kind && list.match === match)
      .filter(list => kind === 'client' || attached.includes(list.blacklist_id))
      .map(list => list.blacklist_id)
  const joins: RawBuilder<unknown>[] = []
  const cases: RawBuilder<unknown>[] = []
  for (const match of ['email', 'domain'] as const) {
    const name = raw.ref(`internal_${match}`)
    joins.push(raw`left join (
        select value from internal_blacklist_entry
        where match = ${match}
      ) ${name} on ${name}.value = ${seen[match]}`)
    cases.push(raw`when ${name}.value is not null and ${notExcluded(clientId)} then 'blacklist_internal'`)
  }
  for (const kind of ['client', 'campaign'] as const) {
    for (const match of ['email', 'domain', 'md5', 'sha256'] as const) {
      const ids = idsOf(kind, match)
      if (ids.length === 0) continue
      const name = raw.ref(`${kind}_${match}`)
      joins.push(raw`left join (
          select distinct value from blacklist_entry
          where client_id = ${clientId} and blacklist_id = any(${ids}::bigint[])
            and (expires_at is null or expires_at > now())
        ) ${name} on ${name}.value = ${seen[match]}`)
      cases.push(raw`when ${name}.value is not null then ${raw.lit(`blacklist_${kind}`)}`)
    }
  }
  return { joins, cases }
}

/** An exception for an address or a whole domain, for this client or for all. Only looked at for what is listed. */
function notExcluded(clientId: number): RawBuilder<unknown> {
  return raw`not exists (
      select from internal_blacklist_exclude
      where value in (numbered.address, numbered.domain) and (client_id is null or client_id = ${clientId}))`
}
