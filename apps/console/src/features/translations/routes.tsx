import { screen } from '../../shell/layout/screen.tsx'

export const translationRoutes = [
  screen('/system/translations', {
    title: 'screens.translations',
    superadmin: true,
    load: () => import('./translation-screen.tsx'),
  }),
] as const
