/** What MJML makes of a section, with its numbered words taken out (see `numbered-words.ts`). */
export interface RenderedSection {
  html: WordText
  mediaQueries: readonly MediaQuery[]
  /** Rules in the head, by component. */
  headStyles: readonly (readonly [component: string, css: string])[]
  /** Names of the imported fonts that occur in it. */
  fonts: readonly string[]
}

/** Arguments of MJML's `addMediaQuery`. */
export type MediaQuery = readonly [className: string, query: unknown]

/** Text between words: `parts[0]`, the word with the number `words[0]`, `parts[1]` … */
export interface WordText {
  parts: readonly string[]
  words: readonly number[]
}

/** Sections that were rendered before, by everything that their HTML depends on. */
export interface SectionCache {
  get(key: string): RenderedSection | undefined
  set(key: string, section: RenderedSection): void
}

/** Characters of keys and HTML: a template of 100 kB takes 0.6 million, and 0.6 million with marks. */
const MAX_CACHED_LENGTH = 8_000_000

/** Keeps the sections that were used last. */
export function createSectionCache(maxLength = MAX_CACHED_LENGTH): SectionCache {
  const sections = new Map<string, RenderedSection>()
  let length = 0
  const remove = (key: string) => {
    const section = sections.get(key)
    if (!section) return
    sections.delete(key)
    length -= lengthOf(key, section)
  }
  return {
    get(key) {
      const section = sections.get(key)
      if (!section) return undefined
      // Inserted again at the end: the first entry is the one whose last use is longest ago.
      sections.delete(key)
      sections.set(key, section)
      return section
    },
    set(key, section) {
      remove(key)
      sections.set(key, section)
      length += lengthOf(key, section)
      for (const oldest of sections.keys()) {
        if (length <= maxLength) break
        remove(oldest)
      }
    },
  }
}

/** An entry without text takes memory too. */
const ENTRY_LENGTH = 500

function lengthOf(key: string, { html }: RenderedSection): number {
  return html.parts.reduce((sum, part) => sum + part.length + 20, key.length + ENTRY_LENGTH)
}
