import { screen } from '../../shell/layout/screen.tsx'
import { fillTopBarSlot } from '../../shell/layout/top-bar-slots.ts'

fillTopBarSlot('help', () => import('./help/help-button.tsx'))
fillTopBarSlot('whats_new', () => import('./help/news-button.tsx'))

export const guidanceRoutes = [
  screen('/help', {
    title: 'screens.help',
    permissions: ['Help:get'],
    load: () => import('./help/help-list.tsx'),
  }),
  screen('/help/$id', {
    title: 'screens.help_article',
    permissions: ['Help:get'],
    load: () => import('./help/help-article.tsx'),
  }),
  screen('/changelog', { title: 'screens.changelog', load: () => import('./help/changelog.tsx') }),
  screen('/messages', {
    title: 'screens.messages',
    entity: 'Motd',
    load: () => import('./motd/motd-list.tsx'),
  }),
  screen('/messages/edit/$id', {
    title: 'screens.message',
    entity: 'Motd',
    load: () => import('./motd/motd-edit.tsx'),
  }),
  screen('/system/guided-tours', {
    title: 'screens.tours',
    superadmin: true,
    load: () => import('./tours/tour-list.tsx'),
  }),
  screen('/system/guided-tours/edit/$id', {
    title: 'screens.tour',
    superadmin: true,
    load: () => import('./tours/tour-edit.tsx'),
  }),
] as const
