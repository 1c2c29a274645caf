import { tokenKey } from '@emma/client/token-key.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { retryImport } from '@emma/ui/retry-import.ts'
import { t } from 'i18next'
import { createRoot, type Root } from 'react-dom/client'
import { App } from './app.tsx'
import { watchEggs } from './eggs/watch-eggs.ts'
import { keepSession } from './session-refresh.ts'
import { applyBrand, brand } from './shell/layout/brand.ts'
import { watchConnectivity } from './shell/notifications/connectivity.ts'
import { errorText } from './shell/i18n/error-text.ts'
import { fetchLiveTexts, startTranslations } from './shell/i18n/i18n.ts'
import { storeInitialPath } from './shell/layout/initial-path.ts'
import { keepFocus } from './shell/layout/keep-focus.ts'
import { responseCache } from './shell/resource/response-cache.ts'
import { watchErrors } from './shell/states/report-error.ts'
import type { StartUpFailure } from './shell/session/start-up.ts'

watchErrors()
keepFocus()
applyBrand(document, brand)
watchEggs()

// Retried until they load: without them there is nothing to render.
const fetchLogin = () => retryImport(() => import('./login-entry.tsx'))
const fetchConsole = () => retryImport(() => import('./console.tsx'))

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')

void open(createRoot(root))

/**
 * A function instead of top-level await: the chunks of the texts and of the start-up import this module, which would
 * wait for them while they wait for it.
 */
async function open(page: Root): Promise<void> {
  // First, so that messages of other tabs during start-up are received.
  keepSession()
  const [fetchFirst, showFirst] = isLoginPage() ? [fetchLogin, showLogin] : [fetchConsole, showConsole]
  const [failure] = await Promise.all([startUp(), startTranslations(), fetchFirst()])
  await showFirst(page)

  void fetchLiveTexts()
  watchConnectivity()
  if (failure?.kind === 'expired') notify.warning(errorText(failure.error))
  if (failure?.kind === 'initialization') {
    notify.danger(t('errors.initialization', { message: errorText(failure.error) }))
  }
}

/** True if there is no token and the URL is `/` or `/login`: the login then renders without the router. */
function isLoginPage(): boolean {
  return localStorage.getItem(tokenKey) === null && ['/', '/login'].includes(location.pathname)
}

async function showLogin(page: Root): Promise<void> {
  const { default: LoginEntry } = await fetchLogin()
  if (location.pathname === '/') history.replaceState(null, '', '/login')
  page.render(
    <App>
      <LoginEntry onLeave={() => showConsole(page)} />
    </App>,
  )
}

async function showConsole(page: Root): Promise<void> {
  const { default: Console, prepare } = await fetchConsole()
  await prepare()
  page.render(
    <App>
      <Console />
    </App>,
  )
}

/**
 * Runs the start-up (R135). Clears the response cache first. Without a token it requests no data and does not load the
 * API code.
 */
async function startUp(): Promise<StartUpFailure | null> {
  storeInitialPath(location.pathname + location.search)
  await responseCache.clear()
  if (localStorage.getItem(tokenKey) === null) return null
  const { resumeSession } = await retryImport(() => import('./shell/session/start-up.ts'))
  return resumeSession()
}
