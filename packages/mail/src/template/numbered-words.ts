import type { WordText } from './section-cache.ts'

/**
 * Words with numbers that change with every insertion before them: placeholder words of Liquid (see `protectLiquid`) and
 * marks of the canvas. MJML copies them unchanged. Numbered anew within a section, equal sections have equal texts.
 */
const numbered = /liqz+\d+x|emmax*-\d+/g

/** Character around the new numbers; a text that contains it is not changed. */
const separator = '\ue001'

/**
 * Numbers the words of a text in the order in which they occur.
 * @param known words that have the first numbers: a name in the head can be used in a section
 * @returns all words, and the text with their numbers; null if it contains the separator
 */
export function takeWords(
  text: string,
  known: readonly string[] = [],
): { text: string; words: readonly string[] } | null {
  if (text.includes(separator)) return null
  const numbers = new Map(known.map((word, number) => [word, number]))
  const changed = text.replaceAll(numbered, word => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return `${separator}${number}${separator}`
  })
  return { text: changed, words: [...numbers.keys()] }
}

/** Splits a text at words. @returns null if it has others, or changed ones */
export function splitAtWords(text: string, words: readonly string[]): WordText | null {
  const numbers = new Map(words.map((word, number) => [word, number]))
  const parts: string[] = []
  const found: number[] = []
  let at = 0
  for (const { 0: word, index } of text.matchAll(new RegExp(numbered.source, 'gi'))) {
    const number = numbers.get(word)
    if (number === undefined) return null
    parts.push(text.slice(at, index))
    found.push(number)
    at = index + word.length
  }
  return { parts: [...parts, text.slice(at)], words: found }
}

export function joinWords({ parts, words: numbers }: WordText, words: readonly string[]): string {
  let text = parts[0] ?? ''
  for (const [index, number] of numbers.entries()) text += (words[number] ?? '') + (parts[index + 1] ?? '')
  return text
}

/** True if a text contains a word. */
export function hasWords(text: string): boolean {
  return text.search(numbered) !== -1
}
