import { asLang, type Lang } from '../i18n/i18n.ts'

/** Words kept in the three languages, each in a field of its own: `title_en`, `title_de`, `title_es`. */
export type InLanguages<Field extends string> = { [K in `${Field}_${Lang}`]: string | null }

/** The words in the person's language; where they are missing in another one, English first. */
export function inLanguage<Field extends string>(
  words: InLanguages<Field>,
  field: Field,
  language: string | undefined,
): string {
  const order: Lang[] = [asLang(language), 'en', 'de', 'es']
  return order.map(lang => words[`${field}_${lang}`]).find(text => text?.trim()) ?? ''
}
