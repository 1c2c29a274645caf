import { mailSkipReason } from '@emma/core/transactional/mail-skip-reason.ts'
import { readMailValues } from '@emma/core/transactional/read-mail-values.ts'
import type { Db } from '@emma/db/connection.ts'
import type { SkipReason } from '@emma/db/database-types.ts'
import { addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import type { ClaimedRow } from '../model/outcome.ts'
import { readLanguages, type Recipient } from './read-recipients.ts'

/** Emails go to the address of their call, wherever its member has moved. */
type MailRecipient = Exclude<Recipient, { movedTo: string }>

/**
 * Reads the emails of claimed rows of a transactional email, each with the data of its call. Those to addresses that
 * bounced or were suppressed since the call are skipped; those that were cancelled or erased count as unsubscribed.
 */
export async function readMailRecipients(
  db: Db,
  clientId: number,
  { memberTableId, hasLanguages }: { memberTableId: number | null; hasLanguages: boolean },
  rows: readonly ClaimedRow[],
): Promise<MailRecipient[]> {
  const ids = rows.map(row => row.memberId)
  const [values, reasons, languages] = await Promise.all([
    readMailValues(db, clientId, memberTableId, ids),
    readSkipReasons(db, clientId, ids),
    hasLanguages ? readLanguages(db, clientId, rows) : null,
  ])
  return rows.map((row): MailRecipient => {
    const found = values.get(row.memberId)
    if (!found) return { row, skip: 'unsubscribed' }
    const skip = reasons.get(row.memberId)
    if (skip) return { row, skip }
    const { member, data, subject, replyTo, attachments } = found
    const language = found.lang ?? languages?.get(addressKey(row.email))
    return {
      row,
      member,
      data,
      hasAttachments: attachments > 0,
      ...(language && { language }),
      ...(subject !== null && { subject }),
      ...(replyTo !== null && { replyTo }),
    }
  })
}

async function readSkipReasons(
  db: Db,
  clientId: number,
  ids: readonly number[],
): Promise<Map<number, SkipReason>> {
  const reason = await mailSkipReason(db, clientId)
  const { rows } = await sql<{ mailId: number; reason: SkipReason | null }>`
    select m.mail_id as "mailId", ${reason} as reason from transactional_mail as m
    where m.client_id = ${clientId} and m.mail_id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.flatMap(row => (row.reason === null ? [] : [[row.mailId, row.reason]])))
}
