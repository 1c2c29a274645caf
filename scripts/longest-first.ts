import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longer than a minute, the longest first. Vitest knows no durations in a fresh clone: a long file that
 * starts last leaves the other workers without work.
 */
const longest = [
  'e2e/a11y.test.ts',
  'e2e/thorough/kill.test.ts',
  'e2e/working-week.test.ts',
  'e2e/accounts.test.ts',
  'e2e/demo.test.ts',
  'e2e/editor.test.ts',
  'e2e/acceptance.test.ts',
  'engine/kill-conditions.thorough.it.test.ts',
  'http/conformance.it.test.ts',
  'engine/engine-kill.thorough.it.test.ts',
  'src/embedded-server.it.test.ts',
  'cli/start.it.test.ts',
  'engine/kill-rounds.it.test.ts',
  'http/hostile-input.thorough.it.test.ts',
  'engine/engine-limits.it.test.ts',
  'roles/tracking.it.test.ts',
  '4-deliver/real-mta.it.test.ts',
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
