import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import LoginScreen from './features/account/login.tsx'
import { brand } from './shell/layout/brand.ts'

// Preloaded at the first input into the login form.
const fetchConsole = () => Promise.all([import('./console.tsx'), import('./shell/layout/app-layout.tsx')])

interface LoginEntryProps {
  /** Called after the URL has changed, so that the console replaces the login. */
  onLeave: () => Promise<void>
}

/** The login page without the router: usable before the console's routes are loaded. */
export default function LoginEntry({ onLeave }: LoginEntryProps): ReactNode {
  const { t } = useTranslation()
  const title = `${brand.shortName} · ${t('screens.login')}`
  useEffect(() => {
    document.title = title
  }, [title])

  useEffect(() => {
    // Back and forward leave the login page.
    const follow = () => void onLeave()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [onLeave])

  function goTo(address: string): void {
    history.replaceState(null, '', address)
    void onLeave()
  }
  return (
    <div onInput={() => void fetchConsole()}>
      <LoginScreen goTo={goTo} />
    </div>
  )
}
