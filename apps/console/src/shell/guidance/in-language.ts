import { asLang, type Lang } from '../i18n/i18n.ts'

/** Texts with one field per language: `title_en`, `title_de`, `title_es`. */
export type InLanguages<Field extends string> = { [K in `${Field}_${Lang}`]: string | null }

/** Returns the text in the given language, else the first existing one, English first. */
export function inLanguage<Field extends string>(
  words: InLanguages<Field>,
  field: Field,
  language: string | undefined,
): string {
  const order: Lang[] = [asLang(language), 'en', 'de', 'es']
  return order.map(lang => words[`${field}_${lang}`]).find(text => text?.trim()) ?? ''
}
