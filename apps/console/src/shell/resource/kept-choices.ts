import type { Keeper } from '@emma/ui/ui-settings.tsx'
import { showError } from '../i18n/error-text.ts'
import { sessionStore } from '../session/session-store.ts'

/**
 * Columns and saved views of lists among the person's settings (R142): they are there in every browser. As text, since
 * empty strings inside would travel as null (R169).
 */
export const keptChoices: Keeper = {
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

/** What talks to the server is not part of the first screen. */
async function write(key: string, value: string | null): Promise<void> {
  try {
    const { savePreference } = await import('./preferences.ts')
    await savePreference({ [key]: value })
  } catch (error) {
    showError(error)
  }
}
