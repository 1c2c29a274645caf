import type { Entity, Permission } from '@emma/contract/permissions.ts'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, createElement } from 'react'
import { frameRoute, requireSession, rootRoute } from './root-route.tsx'
import { fetchFeatureTexts } from './i18n.ts'
import { OfflineScreen } from './offline-screen.tsx'
import { ScreenGate } from './screen-gate.tsx'

/** What a route says about its screen. */
export interface ScreenOptions {
  /** Translation key of the screen's name: window title, navigation, command palette. */
  title: string
  /** The rights the route needs, all of them (R145). None: open to any session. */
  permissions?: readonly Permission[]
  /** The entity it shows: without its get right the screen is not offered in menus (T2). */
  entity?: Entity
  /** Only superadmins (T2). */
  superadmin?: boolean
  /** The lazy module whose default export is the screen. Without one the screen says that it is not built yet. */
  load?: () => Promise<{ default: () => ReactNode }>
}

/** What the frame reads off a matched route. */
export type ScreenInfo = Omit<ScreenOptions, 'load'>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: ScreenInfo
  }
}

const notBuilt = () => import('./not-built-screen.tsx')

/** A route inside the main shell. `path` writes parameters as `$id`. */
export function screen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({ getParentRoute: () => frameRoute, path, ...routeParts(withData(options)) })
}

/** A route outside the main shell: login, shared views. */
export function outsideScreen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({ getParentRoute: () => rootRoute, path, ...routeParts(withData(options)) })
}

/** A route for people who are not logged in: it gets by without data and the features' texts, and is the lighter for it. */
export function publicScreen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({ getParentRoute: () => rootRoute, path, ...routeParts(options) })
}

/** A route outside the main shell that needs a session all the same: papers to confirm. */
export function outsideSessionScreen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: requireSession,
    ...routeParts(withData(options)),
  })
}

/** What screens with data need besides their own code: the features' texts, the answers of the server. */
function withData({ load = notBuilt, ...options }: ScreenOptions): ScreenOptions {
  return {
    ...options,
    load: async () => {
      const [module, { QueryProvider }] = await Promise.all([
        load(),
        import('./query-provider.tsx'),
        fetchFeatureTexts(),
      ])
      return { default: () => createElement(QueryProvider, null, createElement(module.default)) }
    },
  }
}

function routeParts({ load = notBuilt, ...info }: ScreenOptions) {
  const Screen = lazyRouteComponent(() => load().catch(offlineScreen))
  const Gated = () => createElement(ScreenGate, { info, screen: createElement(Screen) })
  return {
    staticData: { screen: info },
    // The router fetches the screen's code while the screen before it still shows.
    component: Object.assign(Gated, { preload: Screen.preload }),
  }
}

/** Without a connection a screen's code cannot come; a new version of the console, too, has its code elsewhere. */
function offlineScreen(error: unknown): { default: () => ReactNode } {
  if (navigator.onLine) throw error
  return { default: OfflineScreen }
}
