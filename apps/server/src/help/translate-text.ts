/** Where a translation comes from: said before as it stands, pieced together from words, a service, or nowhere. */
export type TranslationOrigin = 'memory' | 'glossary' | 'service' | 'none'

export interface Translation {
  translatedText: string
  origin: TranslationOrigin
}

/** Pairs of texts that say the same, in the source and in the target language. */
export type TextPairs = readonly (readonly [source: string, target: string])[]

/** Terms of more words than this are no terms but sentences. */
const longestTerm = 4

/**
 * Translates by what has been said before: the text as a whole, else line by line and sentence by sentence, else the
 * terms in it. What nobody has said yet stays as it is, so that the result is a suggestion to go on with.
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

/** Sentences with the spaces around them, so that joined they are the text again. */
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

/** The longest term that begins at a part: words are at odd places, what is between them at even ones. */
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

/** Small as in the source where it was small there: German nouns are the exception, which the target knows. */
function inCaseOf(source: string, target: string): string {
  const isSmall = source.charAt(0) === source.charAt(0).toLowerCase()
  const isPlainWord = target.charAt(1) === target.charAt(1).toLowerCase()
  return isSmall && isPlainWord ? target.charAt(0).toLowerCase() + target.slice(1) : target
}

/** The found text with the spaces and the last mark of the one asked for. */
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
