import { outsideScreen, screen } from '../../shell/layout/screen.tsx'

export const reportRoutes = [
  screen('/campaigns/reports', {
    title: 'screens.reports',
    permissions: ['EmmaReport:get'],
    load: () => import('./report-list.tsx'),
  }),
  screen('/campaigns/reports/$id', { title: 'screens.report', load: () => import('./report-view.tsx') }),
  screen('/campaigns/reports/compare/$id', {
    title: 'screens.report_comparison',
    load: () => import('./compare/compare-reports.tsx'),
  }),
  screen('/campaigns/reports/subreports/$id', {
    title: 'screens.subreports',
    permissions: ['EmmaList:get', 'EmmaReport:get', 'EmmaSubreportCampaign:get'],
  }),
  screen('/downloads', { title: 'screens.downloads' }),
  screen('/system/downloadtemplates', { title: 'screens.download_templates', superadmin: true }),
  screen('/system/downloadtemplates/edit/$id', { title: 'screens.download_template', superadmin: true }),
  screen('/system/sqltemplates', { title: 'screens.sql_templates', superadmin: true }),
  screen('/system/sqltemplates/edit/$id', { title: 'screens.sql_template', superadmin: true }),
] as const

/** Shared views: require a session or the secret of the link. */
export const sharedReportRoutes = [
  outsideScreen('/mtastats/$id', {
    title: 'screens.mta_stats',
    load: () => import('./mta-stats/mta-stats.tsx'),
  }),
  outsideScreen('/compare-reports/$id', {
    title: 'screens.report_comparison',
    load: () => import('./sales/shared-comparison.tsx'),
  }),
  outsideScreen('/salesview/$id', { title: 'screens.report', load: () => import('./sales/sales-view.tsx') }),
  outsideScreen('/salesview/subreports/$id', { title: 'screens.subreports' }),
] as const
