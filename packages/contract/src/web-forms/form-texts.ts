import type { languages } from '../resources/client.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }

export type FormLanguage = (typeof languages)[number]
export type FormText = keyof typeof en

/** Texts that visitors of web forms read, by language. */
export const formTexts: Record<FormLanguage, Record<FormText, string>> = { en, de, es }

/** The value in a language, else the English or the first one; null without any. */
export function inLanguage<T>(values: Partial<Record<FormLanguage, T>>, lang: FormLanguage): T | null {
  const [value = null] = [values[lang], values.en, ...Object.values(values)].filter(Boolean)
  return value
}
