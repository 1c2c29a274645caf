import { screen } from '../../shell/layout/screen.tsx'

export const recurringRoutes = [
  screen('/recurring/archive', { title: 'screens.recurring', entity: 'EmmaRecurring' }),
  screen('/recurring/edit/$id', { title: 'screens.recurring_campaign', entity: 'EmmaRecurring' }),
  screen('/recurring/reports', { title: 'screens.recurring_reports', entity: 'EmmaRecurring' }),
  screen('/recurring/reports/$id', { title: 'screens.recurring_report', entity: 'EmmaRecurring' }),
] as const
