import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { addressDomainOf, addressKeyOf } from '../address.ts'
import { isInForce } from './renew-entry.ts'

type Match = 'email' | 'domain' | 'md5' | 'sha256'

/** Expressions for the lower-case address and its domain, which suppression lists compare with. */
export interface SuppressionSubject {
  address: RawBuilder<unknown>
  domain: RawBuilder<unknown>
}

/** Builds the subject from an expression for an address as written. */
export function subjectOf(email: RawBuilder<unknown>): SuppressionSubject {
  return { address: addressKeyOf(email), domain: addressDomainOf(email) }
}

/** SQL of the part of an address that a list compares: address, domain or hash. */
export const matchedValue: Record<Match, (subject: SuppressionSubject) => RawBuilder<unknown>> = {
  email: ({ address }) => address,
  domain: ({ domain }) => domain,
  md5: ({ address }) => sql`md5(${address})`,
  sha256: ({ address }) => sql`encode(sha256(convert_to(${address}, 'UTF8')), 'hex')`,
}

/** Entries of one kind of list, and the `skip_reason` they give. */
interface EntrySource {
  name: string
  reason: 'blacklist_internal' | 'blacklist_client' | 'blacklist_campaign'
  match: Match
  /** `table as s where …` of the unexpired entries. */
  entries: RawBuilder<unknown>
  /** Whether each value occurs only once. */
  isUnique: boolean
}

/**
 * Lists that suppress addresses for a client, in the order of domain.md 2D: the internal list, the client's own lists,
 * the campaign's lists. Expired entries and other clients' lists do not count. Reads which lists exist, so that digests
 * are only computed when a list needs them.
 */
async function readSources(
  db: Db,
  clientId: number,
  blacklistIds: readonly number[],
): Promise<EntrySource[]> {
  const lists = await db
    .selectFrom('blacklist')
    .select(['blacklist_id', 'kind', 'match'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .where(eb => eb.or([eb('kind', '=', 'client'), eb('blacklist_id', 'in', [...blacklistIds, -1])]))
    .orderBy('blacklist_id')
    .execute()
  const own = (['client', 'campaign'] as const).flatMap(kind =>
    (['email', 'domain', 'md5', 'sha256'] as const).flatMap((match): EntrySource[] => {
      const ids = lists
        .filter(list => list.kind === kind && list.match === match)
        .map(list => list.blacklist_id)
      if (ids.length === 0) return []
      return [
        {
          name: `${kind}_${match}`,
          reason: `blacklist_${kind}`,
          match,
          entries: sql`blacklist_entry as s where s.client_id = ${clientId}::bigint
            and s.blacklist_id = any(${ids}::bigint[]) and ${isInForce(sql.ref('s.expires_at'))}`,
          isUnique: false,
        },
      ]
    }),
  )
  return [...(await internalSources(db)), ...own]
}

/** The internal list, which holds for all clients. */
async function internalSources(db: Db): Promise<EntrySource[]> {
  const matches = [
    'email',
    'domain',
    ...((await internalHasDigests(db)) ? (['sha256'] as const) : []),
  ] as const
  return matches.map(
    (match): EntrySource => ({
      name: `internal_${match}`,
      reason: 'blacklist_internal',
      match,
      entries: sql`internal_blacklist_entry as s
        where s.match = ${sql.lit(match)} and ${isInForce(sql.ref('s.expires_at'))}`,
      isUnique: true,
    }),
  )
}

/** Whether the internal list has erased addresses, of which only digests are left. */
async function internalHasDigests(db: Db): Promise<boolean> {
  const entry = await db
    .selectFrom('internal_blacklist_entry')
    .select('match')
    .where('match', '=', 'sha256')
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

/**
 * SQL expression over an address (default `m.email`): the `skip_reason` (`blacklist_internal`, `blacklist_client`,
 * `blacklist_campaign`) by which it is suppressed, or NULL.
 *
 * EXISTS instead of IN: for lists that do not fit into memory PostgreSQL uses the index instead of a scan; over many
 * rows it hashes each list once.
 */
export async function suppressedBy(
  db: Db,
  clientId: number,
  blacklistIds: readonly number[],
  email: RawBuilder<unknown> = sql.ref('m.email'),
): Promise<RawBuilder<unknown>> {
  return suppressionLookup(db, clientId, blacklistIds, subjectOf(email))
}

/** `suppressedBy` for a prepared subject. */
export async function suppressionLookup(
  db: Db,
  clientId: number,
  blacklistIds: readonly number[],
  subject: SuppressionSubject,
): Promise<RawBuilder<unknown>> {
  return firstReason(clientId, await readSources(db, clientId, blacklistIds), subject)
}

/** SQL expression: `blacklist_internal` if an address is on the internal list without an exception, or NULL. */
export async function internallySuppressed(
  db: Db,
  clientId: number,
  email: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  return firstReason(clientId, await internalSources(db), subjectOf(email))
}

function firstReason(
  clientId: number,
  sources: readonly EntrySource[],
  subject: SuppressionSubject,
): RawBuilder<unknown> {
  const cases = sources.map(source => {
    const isListed = sql`exists (select from ${source.entries} and s.value = ${matchedValue[source.match](subject)})`
    return when(clientId, source, subject, isListed)
  })
  return sql`(case ${sql.join(cases, sql` `)} end)::skip_reason`
}

/**
 * `suppressedBy` as joins, and CASE branches over them, for statements over a million rows: hash joins take a third of
 * the time of lookups.
 */
export async function suppressionJoins(
  db: Db,
  clientId: number,
  blacklistIds: readonly number[],
  subject: SuppressionSubject,
): Promise<{ joins: RawBuilder<unknown>[]; cases: RawBuilder<unknown>[] }> {
  const sources = await readSources(db, clientId, blacklistIds)
  return {
    joins: sources.map(({ name, match, entries, isUnique }) => {
      const values = isUnique ? sql`s.value` : sql`distinct s.value`
      return sql`left join (select ${values} from ${entries}) ${sql.ref(name)}
        on ${sql.ref(name)}.value = ${matchedValue[match](subject)}`
    }),
    cases: sources.map(source =>
      when(clientId, source, subject, sql`${sql.ref(source.name)}.value is not null`),
    ),
  }
}

function when(
  clientId: number,
  { reason }: EntrySource,
  { address, domain }: SuppressionSubject,
  isListed: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (reason !== 'blacklist_internal') return sql`when ${isListed} then ${sql.lit(reason)}`
  // Exceptions for an address or a whole domain, for this client or all; only evaluated for listed addresses.
  return sql`when ${isListed} and not exists (
      select from internal_blacklist_exclude as x
      where x.value in (${address}, ${domain}) and (x.client_id is null or x.client_id = ${clientId}::bigint))
    then ${sql.lit(reason)}`
}
