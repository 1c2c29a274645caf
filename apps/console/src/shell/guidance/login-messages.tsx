import { lazyComponent } from '@emma/ui/lazy-component.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { apiHost } from '../session/api-host.ts'

const LoginBanners = lazyComponent(async () => (await import('./login-banners.tsx')).LoginBanners)

/** Messages of the day on the login page (R024). The code that renders them is only loaded if there are any. */
export function LoginMessages(): ReactNode {
  const [answer, setAnswer] = useState<string | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    fetch(`${apiHost()}/motd:login`, { signal: stop.signal })
      .then(response => (response.ok ? response.text() : ''))
      .then(text => text.includes('"id"') && setAnswer(text))
      // The login works without them.
      .catch(() => {})
    return () => stop.abort()
  }, [])
  return answer !== null && <LoginBanners answer={answer} />
}
