import { screen } from '../../shell/screen.tsx'

export const contentRoutes = [
  screen('/templates/archive', {
    title: 'screens.templates',
    entity: 'EmmaMessage',
    load: () => import('./template-list.tsx'),
  }),
  screen('/templates/catalog', { title: 'screens.catalog', permissions: ['BeePluginCatalog:get'] }),
  screen('/templates/edit/$id', {
    title: 'screens.template',
    entity: 'EmmaMessage',
    load: () => import('./template-edit.tsx'),
  }),
  screen('/templates/file-manager', { title: 'screens.files', entity: 'CloudStorage' }),
  screen('/templates/placeholders', {
    title: 'screens.placeholders',
    entity: 'EmmaPlaceholder',
    load: () => import('./placeholder-list.tsx'),
  }),
  screen('/templates/placeholders/edit/$id', {
    title: 'screens.placeholder',
    entity: 'EmmaPlaceholder',
    load: () => import('./placeholder-edit.tsx'),
  }),
] as const
