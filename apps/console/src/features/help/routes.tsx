import { screen } from '../../shell/layout/screen.tsx'
import { fillTopBarSlot } from '../../shell/layout/top-bar-slots.ts'

fillTopBarSlot('help', () => import('./help-button.tsx'))
fillTopBarSlot('whats_new', () => import('./news-button.tsx'))

export const helpRoutes = [
  screen('/help', {
    title: 'screens.help',
    permissions: ['Help:get'],
    load: () => import('./help-list.tsx'),
  }),
  screen('/help/$id', {
    title: 'screens.help_article',
    permissions: ['Help:get'],
    load: () => import('./help-article.tsx'),
  }),
  screen('/changelog', { title: 'screens.changelog', load: () => import('./changelog.tsx') }),
] as const
