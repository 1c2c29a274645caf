import { type ReactNode, createContext, use, useMemo } from 'react'
import { type Format, createFormat } from './format.ts'
import type en from './texts/en.json'

export type Language = 'en' | 'de' | 'es'
/** Path of a text in `kit` of `texts/{language}.json`, joined by dots: `list.search`. */
export type MessageKey = KeyOf<(typeof en)['kit']>
export type Messages = Readonly<Record<MessageKey, string>>

/** A text that depends on a count: `list.total` stands for `list.total.one` and `list.total.other`. */
export type CountedKey = MessageKey extends infer K ? (K extends `${infer Stem}.one` ? Stem : never) : never

export type MessageValues = Record<string, string | number>

/** A text of the kit in the user's language; `{name}` in it is filled in. */
export interface Translate {
  (key: MessageKey, values?: MessageValues): string
  /** The plural form for `count`, which is also filled in as `{count}` by the language's number format. */
  count(key: CountedKey, count: number, values?: MessageValues): string
}

type KeyOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${KeyOf<Tree[Key]>}`
}[keyof Tree & string]

interface I18n {
  language: Language
  timeZone: string | undefined
  t: Translate
  format: Format
}

const Context = createContext<I18n>({
  language: 'en',
  timeZone: undefined,
  t: createTranslate('en', {}),
  format: createFormat('en', undefined),
})

export interface I18nProviderProps {
  language: Language
  /** IANA name of the zone times are shown in; the browser's own when left out. */
  timeZone?: string
  /** The kit's texts in the language, by `flattenMessages`. */
  messages: Partial<Messages>
  children: ReactNode
}

/** Texts, numbers and dates of the kit in one language. The application owns the texts and passes them in. */
export function I18nProvider({ language, timeZone, messages, children }: I18nProviderProps): ReactNode {
  const value = useMemo<I18n>(
    () => ({
      language,
      timeZone,
      t: createTranslate(language, messages),
      format: createFormat(language, timeZone),
    }),
    [language, timeZone, messages],
  )
  return <Context value={value}>{children}</Context>
}

/** The kit's texts in the user's language: `t('action.save')`, `t.count('list.total', 12)`. */
export function useTranslate(): Translate {
  return use(Context).t
}

/** Numbers, dates and durations in the user's language and time zone. */
export function useFormat(): Format {
  return use(Context).format
}

export function useLanguage(): Language {
  return use(Context).language
}

/** IANA name of the zone in which times are shown; undefined: the browser's own. */
export function useTimeZone(): string | undefined {
  return use(Context).timeZone
}

/** The `kit` branch of a text file by key: `{ list: { search } }` becomes `{ 'list.search' }`. */
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

/** `useTranslate` as a plain function, for pure code and tests. A key without a text is shown as it is. */
export function createTranslate(language: Language, messages: Partial<Messages>): Translate {
  const plural = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const t = (key: MessageKey, values?: MessageValues) => fill(messages[key] ?? key, values)
  const count = (key: CountedKey, amount: number, values?: MessageValues) => {
    const form = plural.select(amount) === 'one' ? 'one' : 'other'
    return t(`${key}.${form}`, { count: numbers.format(amount), ...values })
  }
  return Object.assign(t, { count })
}

function fill(text: string, values: MessageValues | undefined): string {
  if (!values) return text
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}
