import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChangelogVersion, readChangelog } from '@emma/contract/actions/guidance.ts'

const file = join(import.meta.dirname, 'changelog.json')

/** The versions of the product, the latest first, with what each brought (R305). */
export const changelog: readonly ChangelogVersion[] = readChangelog.response.shape.versions.parse(
  JSON.parse(readFileSync(file, 'utf8')),
)

/** The latest version that the person has looked at, of the versions they have. */
export function latestSeen(seen: ReadonlySet<string>): string | null {
  return changelog.find(({ version }) => seen.has(version))?.version ?? null
}

/** Versions that came after it. */
export function newsSince(seen: ReadonlySet<string>): number {
  const index = changelog.findIndex(({ version }) => seen.has(version))
  return index === -1 ? changelog.length : index
}
