import { screen } from '../../shell/layout/screen.tsx'

export const messageRoutes = [
  screen('/messages', { title: 'screens.messages', entity: 'Motd', load: () => import('./motd-list.tsx') }),
  screen('/messages/edit/$id', {
    title: 'screens.message',
    entity: 'Motd',
    load: () => import('./motd-edit.tsx'),
  }),
] as const
