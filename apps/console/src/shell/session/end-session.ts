import { tokenKey } from '@emma/client/token-key.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { t } from 'i18next'
import { errorText } from '../i18n/error-text.ts'
import { sessionStore } from './session-store.ts'

/**
 * Ends the session of this tab after another tab logged out. Its message replaces that of a call which the server
 * refused meanwhile.
 */
export async function endAfterLogout(): Promise<void> {
  const { endHere } = await import('./change-session.ts')
  // Browsers deliver the message and the removed token in any order.
  if (localStorage.getItem(tokenKey) !== null) await tokenChange()
  // Another tab has logged in again.
  if (localStorage.getItem(tokenKey) !== null) return
  await leave(endHere, t('shell.logged_out'))
}

/**
 * Ends the session after the server refused `token`, unless it has already ended (late responses show no second warning)
 * or another tab has stored a newer token.
 */
export async function endRefused(error: unknown, token: string | null): Promise<void> {
  // Waits for a session change in progress.
  const { endHere } = await import('./change-session.ts')
  const current = localStorage.getItem(tokenKey)
  if (sessionStore.get().claims === null || (current !== null && current !== token)) return
  await leave(endHere, errorText(error))
}

async function leave(endHere: () => Promise<void>, message: string): Promise<void> {
  const ended = endHere()
  // Before any waiting: of two endings, the message of the later stays.
  notify.warning(message, { id: 'session-end' })
  await ended
  // The router follows the history entry if it is loaded.
  if (location.pathname !== '/login') history.pushState(null, '', '/login')
}

/** Waits until another tab's change of the token arrives, at most a second. */
function tokenChange(): Promise<void> {
  return new Promise(resolve => {
    const signal = AbortSignal.timeout(1_000)
    signal.addEventListener('abort', () => resolve())
    // Other values change at any time; without a key, all have been removed.
    const hear = ({ key }: StorageEvent) => {
      if (key === tokenKey || key === null) resolve()
    }
    addEventListener('storage', hear, { signal })
  })
}
