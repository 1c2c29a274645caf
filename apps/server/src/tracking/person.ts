import { type EmailRecipient, findRecipient } from '@emma/core/audience/members/email-recipient.ts'
import { findBrand } from '@emma/core/content/find-brand.ts'
import { readContactLanguage } from '@emma/core/audience/preferences/contact-language.ts'
import type { Db } from '@emma/db/connection.ts'
import type { CampaignSnapshot } from '@emma/delivery/model/campaign-snapshot.ts'
import type { Token } from '@emma/mail/token.ts'
import type { Person } from './page.ts'
import { languageOf } from './send-page.ts'

/** The recipient of a message: what the pages show, and whose subscription they change. */
export interface PersonOfMail extends Person {
  recipient: EmailRecipient
}

/** Null if the campaign has no datasource, or the member is unknown or was erased. */
export async function findPerson(
  db: Db,
  { memberTableId, client, message }: CampaignSnapshot,
  token: Token,
  text: string,
): Promise<PersonOfMail | null> {
  if (memberTableId === null) return null
  const recipient = await findRecipient(db, { ...token, memberTableId })
  if (!recipient) return null
  const { email, isSubscribed } = recipient
  const language = languageOf(message.language)
  return { email, isSubscribed, client: client.name, language, path: `/u/${text}`, recipient }
}

/** Adds what the pages show of the client, in the language that the person has chosen. */
export async function withChoices(db: Db, person: PersonOfMail): Promise<PersonOfMail> {
  const { client_id: clientId } = person.recipient.table
  const [brand, language] = await Promise.all([
    findBrand(db, clientId),
    readContactLanguage(db, clientId, person.email),
  ])
  return { ...person, brand, language: language ?? person.language }
}
