import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

/** Texts of system emails, by email. */
export type MailTexts = typeof en
/** Texts of an email with one link. */
export type LinkMailTexts = MailTexts['password_reset']

/** @param language of the account; English if EMMA has no texts in it */
export function mailLanguage(language: string | null): 'en' | 'de' | 'es' {
  return language === 'de' || language === 'es' ? language : 'en'
}

export const mailTexts: Readonly<Record<'en' | 'de' | 'es', MailTexts>> = { en, de, es }
