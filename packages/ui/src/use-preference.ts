import { useState } from 'react'
import type { z } from 'zod'
import { readStored, removeStored, writeStored } from './storage.ts'
import { useUiSettings } from './ui-settings.tsx'

/**
 * A persistent preference: stored by the keeper for the user, or on this device if there is no keeper or it has no
 * value.
 *
 * @param key e.g. `columns.campaigns`; stored per user and client
 */
export function usePreference<T>(key: string, schema: z.ZodType<T>): [T | null, (next: T | null) => void] {
  const { storageScope, keeper } = useUiSettings()
  const deviceKey = `${key}.${storageScope}`
  const [value, setValue] = useState(() => {
    const kept = keeper?.read(key)
    return kept === undefined ? readStored(deviceKey, schema) : (schema.safeParse(kept).data ?? null)
  })
  function keep(next: T | null): void {
    setValue(next)
    if (next === null) removeStored(deviceKey)
    else writeStored(deviceKey, next)
    keeper?.write(key, next)
  }
  return [value, keep]
}
