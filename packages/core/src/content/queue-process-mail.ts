import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { isOptional, type Process } from '@emma/contract/resources/pmt.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Datasource } from '../audience/datasources/datasource.ts'
import { findOwnProcessMail } from './process-mail.ts'

type Language = ProcessMailContent['lang']
export type MailProcess = Exclude<Process, `page_${string}`>

/** A process mail to a member. */
export interface QueuedProcessMail {
  table: Pick<Datasource, 'client_id' | 'member_table_id'>
  memberId: number
  process: MailProcess
  lang: Language
  /** What it is sent for: one mail per member, process and cause. At most 200 characters. */
  cause: string
  /** Replaces the member's address: a new one, to be confirmed. */
  email?: string | undefined
  /** The request that the link confirms. */
  doiRequestId?: number | undefined
  /** The form that the person used, which may choose the text. */
  formId?: number | null | undefined
}

/**
 * Queues a process mail in the caller's transaction; the engine sends it once that is committed. Confirmation requests
 * are always sent, with the shipped text if the client has none; optional mails only if the client has an active default.
 *
 * @returns false if the process is off, or the mail was queued before
 */
export async function queueProcessMail(tx: Db, mail: QueuedProcessMail): Promise<boolean> {
  const { table, memberId, process, lang, cause, email, doiRequestId, formId = null } = mail
  if (isOptional(process) && !(await findOwnProcessMail(tx, table.client_id, process, lang, formId)))
    return false
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('process_mail')
    .values({
      client_id: table.client_id,
      member_table_id: table.member_table_id,
      member_id: memberId,
      process,
      lang,
      cause,
      email: email ?? null,
      doi_request_id: doiRequestId ?? null,
      webform_id: formId,
    })
    .onConflict(conflict =>
      conflict.columns(['client_id', 'member_table_id', 'member_id', 'process', 'cause']).doNothing(),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Language of process mails to members whose own is unknown. */
export async function clientLanguage(db: Db, clientId: number): Promise<Language> {
  const client = await db
    .selectFrom('client')
    .select(eb => eb.ref('language').$castTo<Language>().as('language'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
  return client.language
}
