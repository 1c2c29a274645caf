import { screen } from '../../shell/screen.tsx'

export const contentRoutes = [
  screen('/templates/archive', { title: 'screens.templates', entity: 'EmmaMessage' }),
  screen('/templates/catalog', { title: 'screens.catalog', permissions: ['BeePluginCatalog:get'] }),
  screen('/templates/edit/$id', { title: 'screens.template', entity: 'EmmaMessage' }),
  screen('/templates/file-manager', { title: 'screens.files', entity: 'CloudStorage' }),
  screen('/templates/placeholders', { title: 'screens.placeholders', entity: 'EmmaPlaceholder' }),
  screen('/templates/placeholders/edit/$id', { title: 'screens.placeholder', entity: 'EmmaPlaceholder' }),
] as const
