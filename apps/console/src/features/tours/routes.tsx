import { screen } from '../../shell/layout/screen.tsx'

export const tourRoutes = [
  screen('/system/guided-tours', {
    title: 'screens.tours',
    superadmin: true,
    load: () => import('./tour-list.tsx'),
  }),
  screen('/system/guided-tours/edit/$id', {
    title: 'screens.tour',
    superadmin: true,
    load: () => import('./tour-edit.tsx'),
  }),
] as const
