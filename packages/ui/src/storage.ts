import { z } from 'zod'

/**
 * Reads the kit's data from localStorage: JSON under `emma.`, validated by a schema because it can be edited. Errors of
 * a full or blocked storage are ignored.
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
    // Private windows and full storages throw: the value is then lost on reload.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(prefix + key)
  } catch {
    // Private windows and full storages throw, as above.
  }
}

const prefix = 'emma.'
