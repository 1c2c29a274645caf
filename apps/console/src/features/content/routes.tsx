import { screen } from '../../shell/layout/screen.tsx'

export const contentRoutes = [
  screen('/templates/archive', {
    title: 'screens.templates',
    entity: 'EmmaMessage',
    load: () => import('./templates/template-list.tsx'),
  }),
  screen('/templates/catalog', { title: 'screens.catalog', permissions: ['BeePluginCatalog:get'] }),
  screen('/templates/edit/$id', {
    title: 'screens.template',
    entity: 'EmmaMessage',
    load: () => import('./templates/template-edit.tsx'),
  }),
  screen('/templates/file-manager', { title: 'screens.files', entity: 'CloudStorage' }),
  screen('/templates/placeholders', {
    title: 'screens.placeholders',
    entity: 'EmmaPlaceholder',
    load: () => import('./placeholders/placeholder-list.tsx'),
  }),
  screen('/templates/placeholders/edit/$id', {
    title: 'screens.placeholder',
    entity: 'EmmaPlaceholder',
    load: () => import('./placeholders/placeholder-edit.tsx'),
  }),
] as const
