import { type ReactNode, createContext, use, useEffect, useMemo, useState } from 'react'
import { type Format, createFormat } from './format.ts'
import { retryImport } from './retry-import.ts'
import { en } from './words.en.ts'

export type Language = 'en' | 'de' | 'es'
export type Word = keyof typeof en
export type Words = Readonly<Record<Word, string>>

/** A word that depends on a count: `list.total` stands for `list.total.one` and `list.total.other`. */
export type CountedWord = Word extends infer W ? (W extends `${infer Stem}.one` ? Stem : never) : never

export type WordValues = Record<string, string | number>

/** Says a word of the kit in the person's language. */
export interface Translate {
  (word: Word, values?: WordValues): string
  /** The form for `count`, which is also filled in as `{count}` by the language's number format. */
  count(word: CountedWord, count: number, values?: WordValues): string
}

/** The languages' dictionaries that have arrived; English comes with the kit. */
const arrived = new Map<Language, Words>([['en', en]])

/** Fetches the words of a language, once. Call it before the first render to spare a flash of English. */
export async function loadWords(language: Language): Promise<Words> {
  const known = arrived.get(language)
  if (known) return known
  const words = language === 'de' ? (await import('./words.de.ts')).de : (await import('./words.es.ts')).es
  arrived.set(language, words)
  return words
}

interface WordsContext {
  language: Language
  timeZone: string | undefined
  say: Translate
  format: Format
}

const Context = createContext<WordsContext>({
  language: 'en',
  timeZone: undefined,
  say: createSay('en', en),
  format: createFormat('en', undefined),
})

export interface WordsProviderProps {
  language: Language
  /** IANA name of the zone times are shown in; the browser's own when left out. */
  timeZone?: string
  /** Words in the person's language that were edited since the kit was built. */
  edited?: Partial<Words>
  children: ReactNode
}

/** Gives the kit its language: words, numbers and dates. */
export function WordsProvider({ language, timeZone, edited, children }: WordsProviderProps): ReactNode {
  const [words, setWords] = useState<{ language: Language; words: Words }>({
    language,
    words: arrived.get(language) ?? en,
  })

  useEffect(() => {
    const gone = new AbortController()
    retryImport(() => loadWords(language), { signal: gone.signal }).then(
      loaded => gone.signal.aborted || setWords({ language, words: loaded }),
      // Another language was chosen meanwhile.
      () => {},
    )
    return () => gone.abort()
  }, [language])

  const value = useMemo<WordsContext>(
    () => ({
      language,
      timeZone,
      say: createSay(language, { ...(arrived.get(language) ?? words.words), ...edited }),
      format: createFormat(language, timeZone),
    }),
    [language, timeZone, words, edited],
  )
  return <Context value={value}>{children}</Context>
}

/** The kit's words in the person's language: `say('action.save')`, `say.count('list.total', 12)`. */
export function useTranslate(): Translate {
  return use(Context).say
}

/** Numbers, dates and durations in the person's language and time zone. */
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

/** Words as a plain function, for pure code and tests. */
export function createSay(language: Language, words: Words): Translate {
  const plural = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const say = (word: Word, values?: WordValues) => fill(words[word], values)
  const count = (word: CountedWord, amount: number, values?: WordValues) => {
    const form = plural.select(amount) === 'one' ? 'one' : 'other'
    return fill(words[`${word}.${form}`], { count: numbers.format(amount), ...values })
  }
  return Object.assign(say, { count })
}

function fill(text: string, values: WordValues | undefined): string {
  if (!values) return text
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}
