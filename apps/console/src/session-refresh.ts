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

/** Keeps the login alive while the console is open, and follows what other tabs do with it (R139, R292). */
export function keepSession(): void {
  setInterval(() => void renew(), hour)
  onSessionEnd((error, token) => void endOnce(error, token))
  hearTabs({
    LOGOUT: () => {
      // A start under way finds out by itself, and there are no words yet.
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
    // A server that cannot be reached, or is not itself, has refused nothing.
    const isRefused = !(error instanceof ApiError) || (error.status > 0 && error.status < 500)
    if (isRefused) await end(error, token)
    else setTimeout(() => void renew(), minute)
  }
}

/** A call that was still on its way when the session ended hears of it late: why it ended was said then. */
async function endOnce(error: unknown, token: string | null): Promise<void> {
  // Whoever came before is through with it.
  await import('./shell/session/change-session.ts')
  if (sessionStore.get().claims !== null) await end(error, token)
}

/** `token`: the one that the server no longer takes. A session that began meanwhile, in another tab, goes on. */
async function end(error: unknown, token: string | null): Promise<void> {
  const { endHere } = await import('./shell/session/change-session.ts')
  const current = storedToken()
  if (current !== null && current !== token) return
  await endHere()
  notify.warning(errorText(error), { id: 'session-end' })
  // The router hears of it, if it is there yet.
  if (location.pathname !== '/login') history.pushState(null, '', '/login')
}

/** Everything anew: another tab changed the person, the client or the rights. */
async function restart(): Promise<void> {
  const { pathname } = location
  if (pathname === '/login') return location.assign('/')
  const { router } = await import('./router.ts')
  location.assign(restartPath(pathname, path => router.getMatchedRoutes(path)[2] !== undefined))
}

function storedToken(): string | null {
  return localStorage.getItem(tokenKey)
}
