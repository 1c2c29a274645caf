import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChangelogVersion, readChangelog } from '@emma/contract/actions/guidance.ts'

const file = join(import.meta.dirname, 'changelog.json')

/** Versions of the product, latest first, with their changes (R305). */
export const changelog: readonly ChangelogVersion[] = readChangelog.response.shape.versions.parse(
  JSON.parse(readFileSync(file, 'utf8')),
)

/** Latest version that the user has seen. */
export function latestSeen(seen: ReadonlySet<string>): string | null {
  return changelog.find(({ version }) => seen.has(version))?.version ?? null
}

/** Number of versions after it. */
export function newsSince(seen: ReadonlySet<string>): number {
  const index = changelog.findIndex(({ version }) => seen.has(version))
  return index === -1 ? changelog.length : index
}
