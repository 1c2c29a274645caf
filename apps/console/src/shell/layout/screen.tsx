import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, createElement } from 'react'
import { fetchTexts } from '../../texts/feature-texts.ts'
import { frameRoute, requireSession, rootRoute } from './root-route.tsx'
import { OfflineScreen } from '../states/offline-screen.tsx'
import { ScreenGate } from '../session/screen-gate.tsx'
import type { ScreenInfo, ScreenOptions } from './screen-info.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: ScreenInfo
  }
}

const notBuilt = () => import('../states/not-built-screen.tsx')

/** A route inside the main shell. `path` writes parameters as `$id`. */
export function screen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({ getParentRoute: () => frameRoute, path, ...routeParts(options, loadWithData) })
}

/** A route outside the main shell: login, shared views. */
export function outsideScreen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({ getParentRoute: () => rootRoute, path, ...routeParts(options, loadWithData) })
}

/** A route for users without a session: loads neither the data layer nor the features' texts. */
export function publicScreen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({ getParentRoute: () => rootRoute, path, ...routeParts(options, load => load()) })
}

/** A route outside the main shell that requires a session: agreements to accept. */
export function outsideSessionScreen<const Path extends string>(path: Path, options: ScreenOptions) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: requireSession,
    ...routeParts(options, loadWithData),
  })
}

/** Sets the feature of routes, so that its texts are loaded with their screens. */
export function ofFeature<const Routes extends readonly AnyRoute[]>(feature: string, routes: Routes): Routes {
  for (const { options } of routes)
    if (options.staticData?.screen) options.staticData.screen.feature = feature
  return routes
}

type Load = NonNullable<ScreenOptions['load']>

/** Loads a screen together with its feature's texts and the query client. */
async function loadWithData(load: Load, { feature }: ScreenInfo): ReturnType<Load> {
  const [module, { QueryProvider }] = await Promise.all([
    load(),
    import('../resource/query-provider.tsx'),
    feature === undefined ? undefined : fetchTexts([feature]),
  ])
  return { default: () => createElement(QueryProvider, null, createElement(module.default)) }
}

function routeParts(
  { load: ownScreen, ...options }: ScreenOptions,
  loadAll: (load: Load, info: ScreenInfo) => ReturnType<Load>,
) {
  const load = ownScreen ?? notBuilt
  const info: ScreenInfo = { ...options, isBuilt: ownScreen !== undefined }
  const Screen = lazyRouteComponent(() => loadAll(load, info).catch(offlineScreen))
  const Gated = () => createElement(ScreenGate, { info, screen: createElement(Screen) })
  return {
    staticData: { screen: info },
    // Lets the router load the code of the screen while the previous one is still shown.
    component: Object.assign(Gated, { preload: Screen.preload }),
  }
}

/** Replaces a screen whose code cannot be loaded while the browser is offline. */
function offlineScreen(error: unknown): { default: () => ReactNode } {
  if (navigator.onLine) throw error
  return { default: OfflineScreen }
}
