import { screen } from '../../shell/screen.tsx'

export const platformRoutes = [
  screen('/system/translations', { title: 'screens.translations', superadmin: true }),
] as const
