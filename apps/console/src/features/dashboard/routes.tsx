import { screen } from '../../shell/screen.tsx'

export const dashboardRoutes = [
  screen('/dashboard', {
    title: 'screens.dashboard',
    permissions: ['Dashboard:get'],
    load: () => import('./dashboard.tsx'),
  }),
] as const
