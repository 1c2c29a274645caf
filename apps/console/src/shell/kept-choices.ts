import type { Keeper } from '@emma/ui/ui-settings.tsx'
import { showError } from './error-text.ts'
import { sessionStore } from './session-store.ts'

/** Columns and saved views of lists among the person's settings (R142): they are there in every browser. */
export const keptChoices: Keeper = {
  read: key => sessionStore.get().custom[key],
  write: (key, value) => void write(key, value),
}

/** What talks to the server is not part of the first screen. */
async function write(key: string, value: unknown): Promise<void> {
  try {
    const { savePreference } = await import('./preferences.ts')
    await savePreference({ [key]: value })
  } catch (error) {
    showError(error)
  }
}
