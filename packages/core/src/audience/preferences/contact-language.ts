import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'

type Language = ProcessMailContent['lang']

/** Language that an address has chosen for pages and process mails; null without a choice. */
export async function readContactLanguage(db: Db, clientId: number, email: string): Promise<Language | null> {
  const found = await db
    .selectFrom('contact_language')
    .select(eb => eb.ref('lang').$castTo<Language>().as('lang'))
    .where('client_id', '=', clientId)
    .where('address', '=', addressKey(email))
    .executeTakeFirst()
  return found?.lang ?? null
}

export async function setContactLanguage(
  db: Db,
  clientId: number,
  email: string,
  lang: Language,
): Promise<void> {
  await db
    .insertInto('contact_language')
    .values({ client_id: clientId, address: addressKey(email), lang })
    .onConflict(conflict => conflict.columns(['client_id', 'address']).doUpdateSet({ lang }))
    .execute()
}
