import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { storeInitialPath } from './initial-path.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { sessionStore } from './session-store.ts'

export const rootRoute = createRootRoute({ notFoundComponent: NotFoundScreen })

/** The main shell: every screen in it needs a session. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./frame.tsx')),
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
