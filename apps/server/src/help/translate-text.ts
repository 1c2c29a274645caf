/** Origin of a translation: the whole text from the memory, terms from the glossary, a service, or none. */
export type TranslationOrigin = 'memory' | 'glossary' | 'service' | 'none'

export interface Translation {
  translatedText: string
  origin: TranslationOrigin
}

/** Equivalent texts in source and target language. */
export type TextPairs = readonly (readonly [source: string, target: string])[]

/** Texts with more words are sentences, not terms. */
const longestTerm = 4

/**
 * Translates from the memory: the whole text, otherwise by line and sentence, otherwise single terms. Unknown text
 * stays unchanged, so the result is a suggestion.
 */
export function translateText(text: string, pairs: TextPairs): Translation {
  const memory = new Map(pairs.map(([source, target]) => [normal(source), target]))
  const whole = memory.get(normal(text))
  if (whole !== undefined) return { translatedText: like(text, whole), origin: 'memory' }
  const terms = termFinder(pairs)
  const origins = new Set<TranslationOrigin>()
  const translatedText = sentencesOf(text)
    .map(sentence => {
      const known = memory.get(normal(sentence))
      if (known !== undefined && /\p{L}/u.test(sentence)) {
        origins.add('memory')
        return like(sentence, known)
      }
      const pieced = terms(sentence)
      if (pieced !== sentence) origins.add('glossary')
      else if (/\p{L}/u.test(sentence)) origins.add('none')
      return pieced
    })
    .join('')
  return { translatedText, origin: leastSure(origins) }
}

function leastSure(origins: ReadonlySet<TranslationOrigin>): TranslationOrigin {
  if (origins.has('glossary')) return 'glossary'
  if (origins.has('none')) return origins.has('memory') ? 'glossary' : 'none'
  return origins.has('memory') ? 'memory' : 'none'
}

/** Splits into sentences with their surrounding spaces, so that joining restores the text. */
function sentencesOf(text: string): string[] {
  return text.match(/\s*[^.!?\n]+[.!?]*|\s*[.!?\n]+/g) ?? [text]
}

function termFinder(pairs: TextPairs): (sentence: string) => string {
  const terms = new Map(
    pairs
      .filter(
        ([source]) => /^\p{L}[\p{L}\p{N} -]{2,}$/u.test(source) && source.split(' ').length <= longestTerm,
      )
      .map(([source, target]) => [source.toLowerCase(), target] as const),
  )
  return sentence => {
    const parts = sentence.split(/([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)/u)
    const out: string[] = []
    for (let at = 0; at < parts.length; ) {
      const found = longestAt(parts, at, terms)
      out.push(found?.target ?? parts[at] ?? '')
      at += found?.length ?? 1
    }
    return out.join('')
  }
}

/** The longest term that begins at a part: words at odd indexes, separators at even ones. */
function longestAt(parts: readonly string[], at: number, terms: ReadonlyMap<string, string>) {
  if (at % 2 === 0) return null
  for (let words = longestTerm; words > 0; words--) {
    const length = words * 2 - 1
    const source = parts.slice(at, at + length).join('')
    const target = at + length <= parts.length ? terms.get(source.toLowerCase()) : undefined
    if (target !== undefined) return { target: inCaseOf(source, target), length }
  }
  return null
}

/** Lower case if the source is, except for German nouns, which the target text capitalizes. */
function inCaseOf(source: string, target: string): string {
  const isSmall = source.charAt(0) === source.charAt(0).toLowerCase()
  const isPlainWord = target.charAt(1) === target.charAt(1).toLowerCase()
  return isSmall && isPlainWord ? target.charAt(0).toLowerCase() + target.slice(1) : target
}

/** The translation with the spaces and final punctuation of the source. */
function like(asked: string, found: string): string {
  const [lead = ''] = /^\s*/.exec(asked) ?? []
  const [trail = ''] = /\s*$/.exec(asked) ?? []
  const mark = /[.!?:…]+$/.exec(asked.trim())?.[0] ?? ''
  return lead + found.trim().replace(/[.!?:…]+$/, '') + mark + trail
}

function normal(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/[.!?:…]+$/, '')
    .toLowerCase()
}
