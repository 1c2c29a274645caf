import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { storeInitialPath } from './initial-path.ts'
import { NotFoundScreen } from '../states/not-found-screen.tsx'
import { acceptPath } from '../session/due-documents.ts'
import { sessionStore } from '../session/session-store.ts'
import { useSession } from '../session/use-session.ts'

const Frame = lazyRouteComponent(() => import('./app-layout.tsx'))

export const rootRoute = createRootRoute({ notFoundComponent: NotFoundPage })

/** Route of the main shell: all its screens require a session. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: context => {
    requireSession(context)
    requireConfirmations(context)
  },
  component: Frame,
})

export const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true })
  },
})

/** Redirects users without a session to the login, which returns to the requested path (R012). */
export function requireSession({ location }: { location: { href: string } }): void {
  if (sessionStore.get().claims !== null) return
  storeInitialPath(location.href)
  throw redirect({ to: '/login', replace: true })
}

/** Sends administrators to the document that their client has to confirm, which returns to the path (R022). */
function requireConfirmations({ location }: { location: { href: string } }): void {
  const path = acceptPath(sessionStore.get())
  if (path === null) return
  storeInitialPath(location.href)
  throw redirect({ to: path, replace: true })
}

/** Shown for unknown paths: inside the shell with a session, else as a page of its own. */
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
