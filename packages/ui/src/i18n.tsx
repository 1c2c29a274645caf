import { type ReactNode, createContext, use, useMemo } from 'react'
import { type Format, createFormat } from './format.ts'
import { localeOf } from './locale.ts'
import { once } from './once.ts'
import type en from './texts/en.json'

export type Language = 'en' | 'de' | 'es'
/** Path of a text in `kit` of `texts/{language}.json`, joined by dots: `list.search`. */
export type MessageKey = KeyOf<(typeof en)['kit']>
export type Messages = Readonly<Record<MessageKey, string>>

/** A text with plural forms: `list.total` stands for `list.total.one` and `list.total.other`. */
export type CountedKey = MessageKey extends infer K ? (K extends `${infer Stem}.one` ? Stem : never) : never

export type MessageValues = Record<string, string | number>

/** Translates a key of the kit; `{name}` is replaced by the value. */
export interface Translate {
  (key: MessageKey, values?: MessageValues): string
  /** Selects the plural form for `count` and replaces `{count}` by the formatted number. */
  count(key: CountedKey, count: number, values?: MessageValues): string
}

type KeyOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${KeyOf<Tree[Key]>}`
}[keyof Tree & string]

interface I18n {
  language: Language
  locale: string
  timeZone: string | undefined
  t: Translate
  format: Format
}

const Context = createContext<I18n>({
  language: 'en',
  locale: 'en',
  timeZone: undefined,
  t: createTranslate('en', {}),
  format: createFormat('en', undefined),
})

export interface I18nProviderProps {
  language: Language
  /** IANA name of the time zone for displayed times; the browser's by default. */
  timeZone?: string
  /** The kit's texts in the language, from `flattenMessages`. */
  messages: Partial<Messages>
  children: ReactNode
}

/** Provides texts and formats of the kit in one language. The application passes the texts. */
export function I18nProvider({ language, timeZone, messages, children }: I18nProviderProps): ReactNode {
  const value = useMemo<I18n>(() => {
    const locale = localeOf(language)
    return {
      language,
      locale,
      timeZone,
      t: createTranslate(language, messages, locale),
      format: createFormat(locale, timeZone),
    }
  }, [language, timeZone, messages])
  return <Context value={value}>{children}</Context>
}

/** Translate function of the kit: `t('action.save')`, `t.count('list.total', 12)`. */
export function useTranslate(): Translate {
  return use(Context).t
}

/** Formats numbers, dates and durations in the user's locale and time zone. */
export function useFormat(): Format {
  return use(Context).format
}

export function useLanguage(): Language {
  return use(Context).language
}

/** Language and region for numbers and dates, such as `en-GB`. */
export function useLocale(): string {
  return use(Context).locale
}

/** IANA name of the time zone for displayed times; undefined: the browser's. */
export function useTimeZone(): string | undefined {
  return use(Context).timeZone
}

/** Flattens the `kit` branch of a text file: `{ list: { search } }` becomes `{ 'list.search' }`. */
export function flattenMessages(tree: unknown, prefix = ''): Partial<Messages> {
  if (typeof tree !== 'object' || tree === null) return {}
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[prefix + key, value]]
        : Object.entries(flattenMessages(value, `${prefix}${key}.`)),
    ),
  )
}

/** `useTranslate` as a plain function, for pure code and tests. A missing text is shown as its key. */
export function createTranslate(
  language: Language,
  messages: Partial<Messages>,
  locale: string = language,
): Translate {
  const plural = once(() => new Intl.PluralRules(language))
  const numbers = once(() => new Intl.NumberFormat(locale))
  const t = (key: MessageKey, values?: MessageValues) => fill(messages[key] ?? key, values)
  const count = (key: CountedKey, amount: number, values?: MessageValues) => {
    const form = plural().select(amount) === 'one' ? 'one' : 'other'
    return t(`${key}.${form}`, { count: numbers().format(amount), ...values })
  }
  return Object.assign(t, { count })
}

function fill(text: string, values: MessageValues | undefined): string {
  if (!values) return text
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}
