import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Unit tests and journeys that take a minute and more, the longest first. Vitest knows no durations in a fresh clone: a
 * long file that starts last leaves the other workers without work. Integration tests are left as they are: the long
 * ones start processes and would wait for each other.
 */
const longest = [
  'e2e/a11y.test.ts',
  'e2e/thorough/kill.test.ts',
  'e2e/working-week.test.ts',
  'e2e/accounts.test.ts',
  'e2e/thorough/demo.test.ts',
  'e2e/editor.test.ts',
  'e2e/acceptance.test.ts',
  'scripts/catalog-designs.thorough.test.ts',
  'http/hostile-fields.test.ts',
]

/** Order of test files: the longest first, all others as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex(name => moduleId.endsWith(name))
  return rank === -1 ? longest.length : rank
}
