import { screen } from '../../shell/layout/screen.tsx'

export const contentRoutes = [
  screen('/templates/archive', {
    title: 'screens.templates',
    entity: 'EmmaMessage',
    load: () => import('./templates/template-list.tsx'),
  }),
  screen('/templates/catalog', {
    title: 'screens.catalog',
    permissions: ['BeePluginCatalog:get'],
    load: () => import('./catalog/catalog.tsx'),
  }),
  screen('/templates/edit/$id', {
    title: 'screens.template',
    entity: 'EmmaMessage',
    load: () => import('./templates/template-edit.tsx'),
  }),
  screen('/templates/file-manager', {
    title: 'screens.files',
    entity: 'CloudStorage',
    load: () => import('./files/file-manager.tsx'),
  }),
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
  screen('/settings/pmtemplates', {
    title: 'screens.process_mails',
    entity: 'EmmaPmt',
    load: () => import('./process-mails/process-mail-list.tsx'),
  }),
  screen('/settings/pmtemplates/edit/$id', {
    title: 'screens.process_mail',
    entity: 'EmmaPmt',
    load: () => import('./process-mails/process-mail-edit.tsx'),
  }),
] as const
