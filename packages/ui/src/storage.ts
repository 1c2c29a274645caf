import { z } from 'zod'

/**
 * What the kit keeps on this device: JSON in localStorage under `emma.`, read through a schema because
 * anything may have been written there. A full or forbidden storage is no reason to fail.
 */
export function readStored<T>(key: string, schema: z.ZodType<T>): T | null {
  try {
    const text = localStorage.getItem(prefix + key)
    if (text === null) return null
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value))
  } catch {
    // Private windows and full storages refuse: the choice then lives until the page is left.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(prefix + key)
  } catch {
    // See above.
  }
}

const prefix = 'emma.'
