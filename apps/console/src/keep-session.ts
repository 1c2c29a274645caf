import { tokenKey } from '@emma/client/token-key.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { t } from 'i18next'
import { errorText } from './shell/error-text.ts'
import { restartPath } from './shell/restart-path.ts'
import { onSessionEnd } from './shell/session-end.ts'
import { hearTabs } from './shell/tabs.ts'

const hour = 3_600_000

/** Keeps the login alive while the console is open, and follows what other tabs do with it (R139, R292). */
export function keepSession(): void {
  setInterval(() => void renew(), hour)
  onSessionEnd((error, token) => void end(error, token))
  hearTabs({
    LOGOUT: () => void end(new Error(t('shell.logged_out')), null),
    RESTART: () => void restart(),
  })
}

async function renew(): Promise<void> {
  if (storedToken() === null) return
  const { session } = await import('./shell/api.ts')
  try {
    await session.renewWhenDue()
  } catch (error) {
    await end(error)
  }
}

/** `token`: the one that the server no longer takes. A session that began meanwhile, in another tab, goes on. */
async function end(error: unknown, token = storedToken()): Promise<void> {
  const { endHere } = await import('./shell/change-session.ts')
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
