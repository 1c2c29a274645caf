import {
  type ProcessMailContent,
  shippedProcessMail,
} from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { pmt, Process } from '@emma/contract/resources/pmt.ts'
import type { Db } from '@emma/db/connection.ts'

type Record = Row<typeof pmt>
type Language = Record['lang']

/** The text of a process, and where it comes from. */
export type ProcessMail = ProcessMailContent &
  Pick<Record, 'domain_id'> & {
    /** Null: shipped. */
    pmt_id: number | null
  }

/**
 * Returns the text of a process for a recipient: the client's default in the language, else in the client's language,
 * else the shipped one in the language.
 */
export async function findProcessMail(
  db: Db,
  clientId: number,
  process: Process,
  lang: Language,
): Promise<ProcessMail> {
  const own = await findOwnProcessMail(db, clientId, process, lang)
  return own ?? { ...shippedProcessMail(process, lang), pmt_id: null, domain_id: null }
}

/**
 * The client's own text of a process: its active default in the language, else in the client's language; null without
 * one. Confirmations of an unsubscription are sent only if there is one.
 */
export async function findOwnProcessMail(
  db: Db,
  clientId: number,
  process: Process,
  lang: Language,
): Promise<ProcessMail | null> {
  const found = await db
    .selectFrom('pmt')
    .innerJoin('client', 'client.client_id', 'pmt.client_id')
    .select(['pmt_id', 'subject', 'body_long', 'body_text', 'domain_id'])
    .select(eb => eb.ref('pmt.lang').$castTo<Language>().as('lang'))
    .where('pmt.client_id', '=', clientId)
    .where('pmt.process', '=', process)
    .where('pmt.is_default', '=', true)
    .where('pmt.active', '=', true)
    .where('pmt.deleted_at', 'is', null)
    .where(eb => eb.or([eb('pmt.lang', '=', lang), eb('pmt.lang', '=', eb.ref('client.language'))]))
    .orderBy(eb => eb('pmt.lang', '=', lang), 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ? { ...found, process } : null
}
