import type { ContentTest, CountedSections } from './counted-sections.ts'

/** The condition to be shown a counted section, in each language of a message. Plain data: part of snapshots. */
export interface ContentTests {
  /** In the default language. */
  main: ContentTest
  /** By further language. */
  others: Readonly<Record<string, ContentTest>>
}

const always: ContentTest = { all: [] }

/**
 * The conditions of a message in all its languages; one without counted sections is always shown.
 * @returns null if no language has counted sections, or a condition is left to the delivery
 */
export function contentTests(
  main: CountedSections | null,
  others: ReadonlyMap<string, CountedSections | null> = new Map(),
): ContentTests | null {
  const all = [main, ...others.values()]
  if (all.every(counted => counted === null) || all.some(counted => counted?.test === null)) return null
  const testOf = (counted: CountedSections | null) => counted?.test ?? always
  return {
    main: testOf(main),
    others: Object.fromEntries([...others].map(([language, counted]) => [language, testOf(counted)])),
  }
}
