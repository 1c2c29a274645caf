import { outsideScreen, screen } from '../../shell/layout/screen.tsx'

export const dashboardRoutes = [
  screen('/dashboard', {
    title: 'screens.dashboard',
    permissions: ['Dashboard:get'],
    load: () => import('./dashboard.tsx'),
  }),
  screen('/notifications', {
    title: 'screens.notifications',
    load: () => import('./notifications/notification-list.tsx'),
  }),
  screen('/campaigns/reportgroups', {
    title: 'screens.report_groups',
    permissions: ['EmmaReport:get', 'ReportingGroup:get'],
    load: () => import('./report-groups/report-groups.tsx'),
  }),
] as const

/** Dashboards opened by a share link. */
export const sharedDashboardRoutes = [
  outsideScreen('/dashboard/shared/$id', {
    title: 'screens.dashboard',
    load: () => import('./shared-dashboard.tsx'),
  }),
] as const
