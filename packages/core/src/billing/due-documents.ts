import { fault, type Fault } from '@emma/contract/faults.ts'
import { type DueDocument, GRACE_DAYS, type LegalKind, legalKinds } from '@emma/contract/legal-document.ts'
import { demoClientId } from '@emma/contract/session.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { isInForce } from './legal-document-operations.ts'

type Due = DueDocument & {
  /** `until` as a day of the client's time zone. */
  until_day: string
  is_overdue: boolean
}

/**
 * The documents that a client has not confirmed in their newest version. The days of grace begin with the first version
 * that came after the last confirmed one: when it was published, came into force, or the client was created, whichever
 * is last. Nothing is due in the demo (T12).
 */
export async function findDueDocuments(db: Db, clientId: number): Promise<DueDocument[]> {
  const due = await readDue(db, clientId)
  return due.map(({ until_day: _day, is_overdue: _overdue, ...document }) => document)
}

/** What the check of a campaign says about documents that are due. It blocks the start after the days of grace. */
export async function findDocumentFaults(
  db: Db,
  clientId: number,
): Promise<{ kind: LegalKind; fault: Fault; blocks: boolean }[]> {
  const due = await readDue(db, clientId)
  return due.map(({ kind, version, until_day: until, is_overdue: blocks }) => ({
    kind,
    fault: fault(blocks ? `campaign.${kind}_overdue` : `campaign.${kind}_due`, { version, until }),
    blocks,
  }))
}

/** Why no campaign of the client may be started now; null if they may be. */
export async function findOverdueFault(db: Db, clientId: number): Promise<Fault | null> {
  const faults = await findDocumentFaults(db, clientId)
  return faults.find(({ blocks }) => blocks)?.fault ?? null
}

async function readDue(db: Db, clientId: number): Promise<Due[]> {
  if (clientId === demoClientId) return []
  const { rows } = await sql<Due>`${sql.join(
    legalKinds.map(kind => dueOf(kind, clientId)),
    sql` union all `,
  )} order by kind`.execute(db)
  return rows
}

function dueOf(kind: LegalKind, clientId: number): RawBuilder<unknown> {
  const documents = sql.table(kind)
  const confirms = sql.table(`${kind}_confirm`)
  return sql`(
    select ${kind}::text as kind, newest.id as doc_id, newest.version, first.since, until,
      to_char(wall_clock(until, c.timezone), 'YYYY-MM-DD') as until_day, until <= now() as is_overdue
    from client c
    cross join lateral (
      select id, version from ${documents} where ${isInForce} order by valid_from desc, id desc limit 1) newest
    left join lateral (
      select d.valid_from, d.id from ${confirms} f join ${documents} d on d.id = f.doc_id
      where f.client_id = c.client_id order by d.valid_from desc, d.id desc limit 1) confirmed on true
    cross join lateral (
      select min(greatest(d.valid_from::timestamp at time zone 'UTC', d.published_at, c.created_at)) as since
      from ${documents} d
      where ${isInForce} and (confirmed.id is null or (d.valid_from, d.id) > (confirmed.valid_from, confirmed.id))
    ) first
    cross join lateral (select first.since + make_interval(days => ${GRACE_DAYS}) as until) grace
    where c.client_id = ${clientId} and first.since is not null)`
}
