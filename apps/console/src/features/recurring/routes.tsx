import { screen } from '../../shell/layout/screen.tsx'

export const recurringRoutes = [
  screen('/recurring/archive', {
    title: 'screens.recurring',
    entity: 'EmmaRecurring',
    load: () => import('./recurring-list.tsx'),
  }),
  screen('/recurring/edit/$id', {
    title: 'screens.recurring_campaign',
    entity: 'EmmaRecurring',
    load: () => import('./recurring-edit.tsx'),
  }),
  screen('/recurring/reports', {
    title: 'screens.recurring_reports',
    entity: 'EmmaRecurring',
    load: () => import('./recurring-reports.tsx'),
  }),
  screen('/recurring/reports/$id', {
    title: 'screens.recurring_report',
    entity: 'EmmaRecurring',
    load: () => import('./recurring-report.tsx'),
  }),
] as const
