import { z } from 'zod'
import { readStored, removeStored, writeStored } from '../storage.ts'

/** Unsaved changes stored on this device. */
export interface Draft {
  changed: Record<string, unknown>
  /** Revision of the record that was edited; null for a new one. */
  revision: number | null
  /** ISO 8601. */
  at: string
}

const draft: z.ZodType<Draft> = z.object({
  changed: z.record(z.string(), z.unknown()),
  revision: z.number().nullable(),
  at: z.string(),
})

/** Maximum age of a draft in ms; older ones are discarded. */
const maximumAge = 14 * 86_400_000

/** Storage key of a record's draft, separate per user and client (`storageScope`). */
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
