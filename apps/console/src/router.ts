import { createRouter } from '@tanstack/react-router'
import { publicRoutes } from './features/account/routes.tsx'
import { audienceRoutes } from './features/audience/routes.tsx'
import { billingRoutes, confirmationRoutes } from './features/billing/routes.tsx'
import { campaignRoutes, sharedCampaignRoutes } from './features/campaigns/routes.tsx'
import { contentRoutes } from './features/content/routes.tsx'
import { dashboardRoutes, sharedDashboardRoutes } from './features/dashboard/routes.tsx'
import { deliverabilityRoutes } from './features/deliverability/routes.tsx'
import { espRoutes } from './features/esps/routes.tsx'
import { guidanceRoutes } from './features/guidance/routes.tsx'
import { platformRoutes } from './features/platform/routes.tsx'
import { recurringRoutes } from './features/recurring/routes.tsx'
import { reportRoutes, sharedReportRoutes } from './features/reports/routes.tsx'
import { transactionalRoutes } from './features/transactional/routes.tsx'
import { translationRoutes } from './features/translations/routes.tsx'
import { webhookRoutes } from './features/webhooks/routes.tsx'
import { rememberSearches } from './shell/resource/last-search.ts'
import { frameRoute, homeRoute, rootRoute } from './shell/layout/root-route.tsx'
import { ofFeature } from './shell/layout/screen.tsx'

const framed = frameRoute.addChildren([
  homeRoute,
  ...ofFeature('audience', audienceRoutes),
  ...ofFeature('billing', billingRoutes),
  ...ofFeature('campaigns', campaignRoutes),
  ...ofFeature('content', contentRoutes),
  ...ofFeature('dashboard', dashboardRoutes),
  ...ofFeature('deliverability', deliverabilityRoutes),
  ...ofFeature('esps', espRoutes),
  ...ofFeature('guidance', guidanceRoutes),
  ...ofFeature('platform', platformRoutes),
  ...ofFeature('recurring', recurringRoutes),
  ...ofFeature('reports', reportRoutes),
  ...ofFeature('transactional', transactionalRoutes),
  ...ofFeature('translations', translationRoutes),
  ...ofFeature('webhooks', webhookRoutes),
])

const routeTree = rootRoute.addChildren([
  framed,
  ...publicRoutes,
  ...ofFeature('billing', confirmationRoutes),
  ...ofFeature('dashboard', sharedDashboardRoutes),
  ...ofFeature('campaigns', sharedCampaignRoutes),
  ...ofFeature('reports', sharedReportRoutes),
])

/** The routes of the console. Code of screens is loaded when they are first opened (R009). */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Errors reach the boundary around the whole console: the crash screen replaces the whole page (R011).
  disableGlobalCatchBoundary: true,
})

rememberSearches(router)

router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  // The first screen does not take the focus, so that Tab reaches the skip link first.
  if (!fromLocation || !pathChanged) return
  // Scrolls a new screen to its top (R009) and focuses its content if the focused link is gone.
  scrollTo(0, 0)
  if (document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
