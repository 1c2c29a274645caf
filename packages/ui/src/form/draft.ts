import { z } from 'zod'
import { readStored, removeStored, writeStored } from '../storage.ts'

/** Changes that were never saved, kept on this device. */
export interface Draft {
  changed: Record<string, unknown>
  /** Of the record that was being changed; null for a new one. */
  revision: number | null
  /** ISO 8601. */
  at: string
}

const draft: z.ZodType<Draft> = z.object({
  changed: z.record(z.string(), z.unknown()),
  revision: z.number().nullable(),
  at: z.string(),
})

/** Older drafts have been forgotten by their writers too. */
const maximumAge = 14 * 86_400_000

/** Under which a record's draft is kept: one for each person and client (`storageScope`). */
export function draftKey(resource: string, recordKey: number | string | null, storageScope: string): string {
  return `draft.${resource}.${recordKey ?? 'new'}.${storageScope}`
}

export function readDraft(key: string, now = Date.now()): Draft | null {
  const found = readStored(key, draft)
  if (!found) return null
  const isUsable = now - Date.parse(found.at) < maximumAge && Object.keys(found.changed).length > 0
  if (isUsable) return found
  removeStored(key)
  return null
}

export function writeDraft(key: string, changed: Record<string, unknown>, revision: number | null): void {
  writeStored(key, { changed, revision, at: new Date().toISOString() } satisfies Draft)
}

export function removeDraft(key: string): void {
  removeStored(key)
}
