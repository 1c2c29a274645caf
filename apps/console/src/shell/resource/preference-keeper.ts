import type { Keeper } from '@emma/ui/ui-settings.tsx'
import { showError } from '../i18n/error-text.ts'
import { sessionStore } from '../session/session-store.ts'

/**
 * Stores columns and saved views of lists in the user's settings (R142), shared by all their browsers. Values are JSON
 * text, since empty strings inside an object would be sent as null (R169).
 */
export const preferenceKeeper: Keeper = {
  read: key => {
    const kept = sessionStore.get().custom[key]
    return typeof kept === 'string' ? parsed(kept) : kept
  },
  write: (key, value) => void write(key, value === null ? null : JSON.stringify(value)),
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Imported on demand: the API code is not part of the first screen. */
async function write(key: string, value: string | null): Promise<void> {
  try {
    const { savePreference } = await import('./preferences.ts')
    await savePreference({ [key]: value })
  } catch (error) {
    showError(error)
  }
}
