import type { Db } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { membersTable } from '../audience/datasources/datasource.ts'

/** What an email of a transactional email is rendered with. */
export interface MailValues {
  email: string
  /** Fields of the member with the address, if the call names it; with the address and the name of the call. */
  member: Record<string, unknown>
  data: Record<string, unknown>
  lang: string | null
  /** Replace those of the transactional email. */
  subject: string | null
  replyTo: string | null
  /** Number of its attachments. */
  attachments: number
}

interface Stored {
  mailId: number
  email: string
  name: string | null
  memberId: number | null
  data: Record<string, unknown> | null
  lang: string | null
  subject: string | null
  replyTo: string | null
  attachments: number
}

/** Reads the values of emails by their id; those whose data is deleted have none. */
export async function readMailValues(
  db: Db,
  clientId: number,
  memberTableId: number | null,
  mailIds: readonly number[],
): Promise<Map<number, MailValues>> {
  if (mailIds.length === 0) return new Map()
  const { rows } = await sql<Stored>`
    select mail_id as "mailId", email, name, member_id as "memberId", data, lang, subject, reply_to as "replyTo", attachments
    from transactional_mail
    where client_id = ${clientId} and mail_id = any(${mailIds}::bigint[]) and cancelled_at is null`.execute(
    db,
  )
  const members = await readMembers(db, clientId, memberTableId, rows)
  return new Map(
    rows.map(({ mailId, email, name, memberId, data, lang, subject, replyTo, attachments }) => {
      const named = memberId === null ? undefined : members.get(memberId)
      // A call must not send the data of one person to another.
      const fields = named && addressKey(String(named['email'])) === addressKey(email) ? named : {}
      const member = { ...fields, email, ...(name === null ? {} : { name }) }
      return [mailId, { email, member, data: data ?? {}, lang, subject, replyTo, attachments }]
    }),
  )
}

async function readMembers(
  db: Db,
  clientId: number,
  memberTableId: number | null,
  rows: readonly Stored[],
): Promise<Map<number, Record<string, unknown>>> {
  const ids = rows.flatMap(({ memberId }) => (memberId === null ? [] : [memberId]))
  if (memberTableId === null || ids.length === 0) return new Map()
  const found = await sql<Record<string, unknown> & { member_id: number }>`
    select m.* from ${membersTable(memberTableId)} as m
    where m.client_id = ${clientId} and m.member_id = any(${ids}::bigint[])`.execute(db)
  return new Map(found.rows.map(row => [row.member_id, row]))
}

/** Bytes of the attachments of an email. */
export async function sizeOfAttachments(db: Db, clientId: number, mailId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(length(content)), 0) as bytes from transactional_attachment
    where client_id = ${clientId} and mail_id = ${mailId}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Reads the attachments of an email. */
export async function readMailAttachments(
  db: Db,
  clientId: number,
  mailId: number,
): Promise<{ name: string; type: string; content: Buffer; contentId: string | null }[]> {
  return db
    .selectFrom('transactional_attachment')
    .select(['filename as name', 'content_type as type', 'content', 'content_id as contentId'])
    .where('client_id', '=', clientId)
    .where('mail_id', '=', mailId)
    .orderBy('place')
    .execute()
}
