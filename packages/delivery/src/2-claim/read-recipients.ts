import { ineligibleReason } from '@emma/core/audience/eligibility.ts'
import type { MailProcess } from '@emma/core/content/queue-process-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import type { SkipReason } from '@emma/db/database-types.ts'
import { addressKey } from '@emma/mail/address.ts'
import { type RawBuilder, sql } from 'kysely'
import type { ClaimedRow } from '../model/outcome.ts'

/**
 * A claimed row with its template data, or the reason why it must not be sent now. `movedTo`: the member has another
 * address than the row.
 */
export type Recipient =
  | {
      row: ClaimedRow
      member: Record<string, unknown>
      language?: string
      /** Of the call of a transactional email. */
      data?: Record<string, unknown>
      subject?: string
      replyTo?: string
      hasAttachments?: boolean
    }
  | { row: ClaimedRow; skip: SkipReason }
  | { row: ClaimedRow; movedTo: string }

/**
 * Reads the members of claimed rows of one campaign as they are now: those who unsubscribed, bounced, complained,
 * were suppressed or lack the double opt-in since the expansion are skipped. Deleted members and deactivated seeds
 * count as unsubscribed.
 */
export async function readRecipients(
  db: Db,
  clientId: number,
  source: MemberSource,
  rows: readonly ClaimedRow[],
): Promise<Recipient[]> {
  const members = await readMembers(
    db,
    clientId,
    source,
    rows.filter(row => row.memberId > 0),
  )
  const seeds = await readSeeds(
    db,
    clientId,
    rows.filter(row => row.memberId < 0),
  )
  const languages = source.hasLanguages ? await readLanguages(db, clientId, rows) : null
  return rows.map(row => {
    const found = row.memberId > 0 ? members.get(row.memberId) : seeds.get(-row.memberId)
    if (found === undefined) return { row, skip: 'unsubscribed' }
    const { [SKIP]: skip, [MOVED_TO]: movedTo, ...member } = found
    if (skip) return { row, skip }
    if (movedTo) return { row, movedTo }
    const language = languages?.get(addressKey(row.email))
    return {
      row,
      member: source.process === undefined ? member : { ...member, email: row.email },
      ...(language && { language }),
    }
  })
}

/** Languages by address. */
export async function readLanguages(
  db: Db,
  clientId: number,
  rows: readonly ClaimedRow[],
): Promise<Map<string, string>> {
  const addresses = rows.map(({ email }) => addressKey(email))
  const found = await db
    .selectFrom('contact_language')
    .select(['address', 'lang'])
    .where('client_id', '=', clientId)
    .where('address', '=', sql<string>`any(${addresses}::text[])`)
    .execute()
  return new Map(found.map(({ address, lang }) => [address, lang]))
}

/** The datasource of the members, and the columns to read. */
export interface MemberSource {
  memberTableId: number | null
  /** Suppression lists of this campaign, besides the client's own. */
  blacklistIds: readonly number[]
  /** Null: all columns. */
  columns: readonly string[] | null
  /** Process mails go to members who get no other mail, and to addresses that are to be confirmed. */
  process?: MailProcess | undefined
  /** The campaign has several languages: the one that each address has chosen is read. */
  hasLanguages?: boolean
}

/** A name that no datasource column can have. */
const SKIP = 'skip reason'
const MOVED_TO = 'moved to'

interface Found extends Record<string, unknown> {
  [SKIP]: SkipReason | null
  [MOVED_TO]: string | null
}

async function readMembers(
  db: Db,
  clientId: number,
  { memberTableId, blacklistIds, columns, process }: MemberSource,
  rows: readonly ClaimedRow[],
): Promise<Map<number, Found>> {
  if (memberTableId === null || rows.length === 0) return new Map()
  const reason = await ineligibleReason(db, clientId, { memberTableId, blacklistIds, process })
  const isOwn = process === undefined ? sql`true` : isMembersAddress(clientId, rows[0]?.campaignId ?? 0)
  const read = async (selected: RawBuilder<unknown>) => {
    const found = await sql<Found & { member_id: number }>`
      select ${selected}, ${reason} as ${sql.id(SKIP)},
        case when ${isOwn} then ${movedTo(sql.ref('m.email'))} end as ${sql.id(MOVED_TO)}
      from ${claimed(rows)}
      join ${sql.id('members', `t${memberTableId}`)} as m on m.member_id = claimed.id
      where m.client_id = ${clientId}`.execute(db)
    return new Map(found.rows.map(row => [row.member_id, row]))
  }
  if (columns === null) return read(sql`m.*`)
  const needed = [...new Set(['member_id', ...columns])]
  try {
    return await read(sql.join(needed.map(name => sql.id('m', name))))
  } catch (error) {
    // A column was dropped since the campaign started: its placeholders are empty from now on.
    if (isUndefinedColumn(error)) return read(sql`m.*`)
    throw error
  }
}

/** Whether a process mail goes to the member's address, and not to one that is to be confirmed. */
function isMembersAddress(clientId: number, campaignId: number): RawBuilder<boolean> {
  return sql`not exists (
    select from process_mail as p
    where p.client_id = ${clientId}::bigint and p.campagne_id = ${campaignId}::bigint and p.member_id = m.member_id
      and p.email is not null)`
}

function isUndefinedColumn(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42703'
}

async function readSeeds(db: Db, clientId: number, rows: readonly ClaimedRow[]): Promise<Map<number, Found>> {
  if (rows.length === 0) return new Map()
  const found = await sql<{
    id: number
    email: string
    firstname: string | null
    lastname: string | null
    data: unknown
    moved_to: string | null
  }>`
    select t.testaddress_id as id, t.email, t.firstname, t.lastname, t.member_data as data,
      ${movedTo(sql.ref('t.email'))} as moved_to
    from ${claimed(rows)}
    join test_address as t on t.testaddress_id = -claimed.id
    where t.client_id = ${clientId} and t.active and t.deleted_at is null`.execute(db)
  return new Map(
    found.rows.map(({ id, email, firstname, lastname, data, moved_to }) => [
      id,
      { ...fieldsOf(data), email, firstname, lastname, member_id: -id, [SKIP]: null, [MOVED_TO]: moved_to },
    ]),
  )
}

function claimed(rows: readonly ClaimedRow[]): RawBuilder<unknown> {
  return sql`unnest(${rows.map(row => row.memberId)}::bigint[], ${rows.map(row => row.email)}::text[])
    as claimed (id, email)`
}

function movedTo(email: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when lower(${email}) <> lower(claimed.email) then ${email} end`
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
