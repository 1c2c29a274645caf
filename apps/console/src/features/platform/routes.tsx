import { screen } from '../../shell/screen.tsx'

export const platformRoutes = [
  screen('/messages', { title: 'screens.messages', entity: 'Motd' }),
  screen('/messages/edit/$id', { title: 'screens.message', entity: 'Motd' }),
  screen('/help', { title: 'screens.help', permissions: ['Help:get'] }),
  screen('/help/$id', { title: 'screens.help_article', permissions: ['Help:get'] }),
  screen('/users', { title: 'screens.users', permissions: ['User:get'] }),
  screen('/users/edit/$id', { title: 'screens.user', entity: 'User' }),
  screen('/settings/clients', { title: 'screens.own_clients', entity: 'EmmaClient' }),
  screen('/system/clients', { title: 'screens.clients', superadmin: true }),
  screen('/system/clients/add', { title: 'screens.client_add', superadmin: true }),
  screen('/system/guided-tours', { title: 'screens.tours', superadmin: true }),
  screen('/system/guided-tours/edit/$id', { title: 'screens.tour', superadmin: true }),
  screen('/system/roles', { title: 'screens.roles', superadmin: true }),
  screen('/system/roles/edit/$id', { title: 'screens.role', superadmin: true }),
  screen('/system/translations', { title: 'screens.translations', superadmin: true }),
] as const
