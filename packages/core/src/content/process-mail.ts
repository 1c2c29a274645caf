import {
  type ProcessMailContent,
  shippedProcessMail,
} from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { pmt, Process } from '@emma/contract/resources/pmt.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

type Record = Row<typeof pmt>
type Language = Record['lang']

/** The text of a process, and where it comes from. */
export type ProcessMail = ProcessMailContent &
  Pick<Record, 'domain_id'> & {
    /** Null: shipped. */
    pmt_id: number | null
  }

/**
 * Returns the text of a process for a recipient: the client's own, else the shipped one in the language.
 * @param formId the form that a person used; null: none
 */
export async function findProcessMail(
  db: Db,
  clientId: number,
  process: Process,
  lang: Language,
  formId: number | null = null,
): Promise<ProcessMail> {
  const own = await findOwnProcessMail(db, clientId, process, lang, formId)
  return own ?? { ...shippedProcessMail(process, lang), pmt_id: null, domain_id: null }
}

/**
 * The client's own text of a process, active, in the language, else in the client's language: the one that the form
 * chooses, else the default. Null without one. Confirmations of an unsubscription are sent only if there is one.
 */
export async function findOwnProcessMail(
  db: Db,
  clientId: number,
  process: Process,
  lang: Language,
  formId: number | null = null,
): Promise<ProcessMail | null> {
  const isOfForm = sql<boolean>`exists (
    select from webform as f
    where f.client_id = pmt.client_id and f.webform_id = ${formId}::bigint and pmt.pmt_id = any(f.pmt_ids))`
  const found = await db
    .selectFrom('pmt')
    .innerJoin('client', 'client.client_id', 'pmt.client_id')
    .select(['pmt_id', 'subject', 'body_long', 'body_text', 'domain_id'])
    .select(eb => eb.ref('pmt.lang').$castTo<Language>().as('lang'))
    .where('pmt.client_id', '=', clientId)
    .where('pmt.process', '=', process)
    .where(eb => eb.or([eb('pmt.is_default', '=', true), isOfForm]))
    .where('pmt.active', '=', true)
    .where('pmt.deleted_at', 'is', null)
    .where(eb => eb.or([eb('pmt.lang', '=', lang), eb('pmt.lang', '=', eb.ref('client.language'))]))
    .orderBy(eb => eb('pmt.lang', '=', lang), 'desc')
    .orderBy(isOfForm, 'desc')
    .orderBy('pmt_id')
    .limit(1)
    .executeTakeFirst()
  return found ? { ...found, process } : null
}
