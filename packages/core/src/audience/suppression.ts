import type { Sql } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'

/** What a suppression list compares with: the address, its domain, or a digest of the address (lower-case). */
const subjects = {
  email: (email: RawBuilder<unknown>) => raw`lower(${email})`,
  domain: (email: RawBuilder<unknown>) => raw`split_part(lower(${email}), '@', 2)`,
  md5: (email: RawBuilder<unknown>) => raw`md5(lower(${email}))`,
  sha256: (email: RawBuilder<unknown>) => raw`encode(sha256(convert_to(lower(${email}), 'UTF8')), 'hex')`,
}
type Match = keyof typeof subjects

/**
 * An expression over an address (`m.email` when none is named): the `skip_reason` (`blacklist_internal`,
 * `blacklist_client`, `blacklist_campaign`) by which it is suppressed, or NULL. In the order of domain.md 2D: the
 * internal list with its exceptions, then the client's own lists, then the lists a campaign names. Expired entries do
 * not count; lists of other clients never do.
 *
 * Meant for one pass over many rows (`insert into delivery select …, ${await suppressedBy(…)}`): PostgreSQL hashes
 * each list once. Which lists exist is read now, so that a digest is only computed when some list needs it.
 */
export async function suppressedBy(
  sql: Sql,
  clientId: number,
  blacklistIds: readonly number[],
  email: RawBuilder<unknown> = raw.ref('m.email'),
): Promise<RawBuilder<unknown>> {
  const lists = await sql
    .selectFrom('blacklist')
    .select(['blacklist_id', 'kind', 'match'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .where(eb => eb.or([eb('kind', '=', 'client'), eb('blacklist_id', 'in', [...blacklistIds, -1])]))
    .orderBy('blacklist_id')
    .execute()
  const cases = [raw`when ${inInternal(clientId, email)} then 'blacklist_internal'`]
  for (const kind of ['client', 'campaign'] as const) {
    for (const match of ['email', 'domain', 'md5', 'sha256'] as const) {
      const ids = lists
        .filter(list => list.kind === kind && list.match === match)
        .map(list => list.blacklist_id)
      if (ids.length === 0) continue
      cases.push(
        raw`when ${inLists(clientId, ids, subjects[match](email))} then ${raw.lit(`blacklist_${kind}`)}`,
      )
    }
  }
  return raw`(case ${raw.join(cases, raw` `)} end)::skip_reason`
}

/** EXISTS, not IN: where a list does not fit into memory PostgreSQL falls back to the key instead of scanning it. */
function inLists(
  clientId: number,
  ids: readonly number[],
  subject: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return raw`exists (select from blacklist_entry as s where s.client_id = ${clientId}::int
    and s.blacklist_id = any(${ids}::bigint[]) and (s.expires_at is null or s.expires_at > now())
    and s.value = ${subject})`
}

function inInternal(clientId: number, email: RawBuilder<unknown>): RawBuilder<unknown> {
  const listed = (match: Match) => raw`exists (select from internal_blacklist_entry as i
    where i.match = ${raw.lit(match)} and i.value = ${subjects[match](email)})`
  const excepted = (match: Match) => raw`exists (select from internal_blacklist_exclude as x
    where (x.client_id is null or x.client_id = ${clientId}::int) and x.value = ${subjects[match](email)})`
  return raw`(${listed('email')} or ${listed('domain')}) and not (${excepted('email')} or ${excepted('domain')})`
}
