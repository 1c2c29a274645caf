import { screen } from '../../shell/layout/screen.tsx'

export const transactionalRoutes = [
  screen('/transactionals/archive', {
    title: 'screens.transactionals',
    permissions: ['EmmaTransactional:get'],
    load: () => import('./transactional-list.tsx'),
  }),
  screen('/transactionals/edit/$id', {
    title: 'screens.transactional',
    permissions: ['EmmaTransactional:get'],
    load: () => import('./transactional-edit.tsx'),
  }),
] as const
