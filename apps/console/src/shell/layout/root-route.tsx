import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { storeInitialPath } from './initial-path.ts'
import { NotFoundScreen } from '../states/not-found-screen.tsx'
import { sessionStore } from '../session/session-store.ts'
import { useSession } from '../session/use-session.ts'

const Frame = lazyRouteComponent(() => import('./app-layout.tsx'))

export const rootRoute = createRootRoute({ notFoundComponent: NotFoundPage })

/** The main shell: every screen in it needs a session. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: requireSession,
  component: Frame,
})

export const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true })
  },
})

/** Sends people without a session to the login; they come back to where they wanted to go (R012). */
export function requireSession({ location }: { location: { href: string } }): void {
  if (sessionStore.get().claims !== null) return
  storeInitialPath(location.href)
  throw redirect({ to: '/login', replace: true })
}

/** An address that leads nowhere: within the shell for those who are logged in, on a page of its own otherwise. */
function NotFoundPage(): ReactNode {
  const { claims } = useSession()
  if (claims === null)
    return (
      <main>
        <NotFoundScreen />
      </main>
    )
  return (
    <Suspense>
      <Frame>
        <NotFoundScreen />
      </Frame>
    </Suspense>
  )
}
