import { ApiError } from '@emma/client/api-error.ts'
import { tokenKey } from '@emma/client/token-key.ts'
import i18next from 'i18next'
import { endAfterLogout, endRefused } from './shell/session/end-session.ts'
import { restartPath } from './shell/session/restart-path.ts'
import { onSessionEnd } from './shell/session/session-end.ts'
import { hearTabs } from './shell/layout/tabs.ts'

const hour = 3_600_000
const minute = 60_000

/** Renews the token hourly while the console is open and applies logouts and restarts of other tabs (R139, R292). */
export function keepSession(): void {
  setInterval(() => void renew(), hour)
  onSessionEnd((error, token) => void endRefused(error, token))
  hearTabs({
    LOGOUT: () => {
      // During start-up the session ends by itself, and no texts are loaded yet.
      if (i18next.isInitialized) void endAfterLogout()
    },
    RESTART: () => void restart(),
  })
}

async function renew(): Promise<void> {
  const token = localStorage.getItem(tokenKey)
  if (token === null) return
  const { session } = await import('./shell/session/api.ts')
  try {
    await session.renewWhenDue()
  } catch (error) {
    // An unreachable or failing server (status 0 or 5xx) has not refused the token.
    const isRefused = !(error instanceof ApiError) || (error.status > 0 && error.status < 500)
    if (isRefused) await endRefused(error, token)
    else setTimeout(() => void renew(), minute)
  }
}

/** Reloads the console after another tab changed the user, the client or the permissions. */
async function restart(): Promise<void> {
  const { pathname } = location
  if (pathname === '/login') return location.assign('/')
  const { router } = await import('./router.ts')
  location.assign(restartPath(pathname, path => router.getMatchedRoutes(path)[2] !== undefined))
}
