import { ApiError } from '@emma/client/api-error.ts'
import { tokenKey } from '@emma/client/token-key.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import i18next, { t } from 'i18next'
import { errorText } from './shell/i18n/error-text.ts'
import { restartPath } from './shell/session/restart-path.ts'
import { onSessionEnd } from './shell/session/session-end.ts'
import { sessionStore } from './shell/session/session-store.ts'
import { hearTabs } from './shell/layout/tabs.ts'

const hour = 3_600_000
const minute = 60_000

/** Renews the token hourly while the console is open and applies logouts and restarts of other tabs (R139, R292). */
export function keepSession(): void {
  setInterval(() => void renew(), hour)
  onSessionEnd((error, token) => void endOnce(error, token))
  hearTabs({
    LOGOUT: () => {
      // During start-up the session ends by itself, and no texts are loaded yet.
      if (i18next.isInitialized) void end(new Error(t('shell.logged_out')), null)
    },
    RESTART: () => void restart(),
  })
}

async function renew(): Promise<void> {
  const token = storedToken()
  if (token === null) return
  const { session } = await import('./shell/session/api.ts')
  try {
    await session.renewWhenDue()
  } catch (error) {
    // An unreachable or failing server (status 0 or 5xx) has not refused the token.
    const isRefused = !(error instanceof ApiError) || (error.status > 0 && error.status < 500)
    if (isRefused) await end(error, token)
    else setTimeout(() => void renew(), minute)
  }
}

/** Ends the session after a refused call, unless it has already ended: late responses show no second warning. */
async function endOnce(error: unknown, token: string | null): Promise<void> {
  // Waits for a session change in progress.
  await import('./shell/session/change-session.ts')
  if (sessionStore.get().claims !== null) await end(error, token)
}

/** `token`: the one that the server refused. Does nothing if another tab has stored a newer token. */
async function end(error: unknown, token: string | null): Promise<void> {
  const { endHere } = await import('./shell/session/change-session.ts')
  const current = storedToken()
  if (current !== null && current !== token) return
  await endHere()
  notify.warning(errorText(error), { id: 'session-end' })
  // The router follows the history entry if it is loaded.
  if (location.pathname !== '/login') history.pushState(null, '', '/login')
}

/** Reloads the console after another tab changed the user, the client or the permissions. */
async function restart(): Promise<void> {
  const { pathname } = location
  if (pathname === '/login') return location.assign('/')
  const { router } = await import('./router.ts')
  location.assign(restartPath(pathname, path => router.getMatchedRoutes(path)[2] !== undefined))
}

function storedToken(): string | null {
  return localStorage.getItem(tokenKey)
}
