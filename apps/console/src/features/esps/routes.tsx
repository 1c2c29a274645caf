import { screen } from '../../shell/layout/screen.tsx'

export const espRoutes = [
  screen('/external-esps/replacers/$esp', {
    title: 'screens.esp_replacers',
    permissions: ['EmmaEspReplacer:get'],
    load: () => import('./replacers/replacer-list.tsx'),
  }),
  screen('/external-esps/replacers/$esp/edit/$id', {
    title: 'screens.esp_replacer',
    permissions: ['EmmaEspReplacer:get'],
    load: () => import('./replacers/replacer-edit.tsx'),
  }),
  screen('/external-esps/senders/$esp', {
    title: 'screens.esp_senders',
    permissions: ['EmmaEspSendfromid:get'],
    load: () => import('./senders/sender-list.tsx'),
  }),
  screen('/external-esps/senders/$esp/edit/$id', {
    title: 'screens.esp_sender',
    permissions: ['EmmaEspSendfromid:get'],
    load: () => import('./senders/sender-edit.tsx'),
  }),
  screen('/external-esps/settings/$esp', {
    title: 'screens.esp_settings',
    permissions: ['EmmaEspLogin:get', 'EmmaEspSendfromid:get'],
    load: () => import('./logins/login-list.tsx'),
  }),
  screen('/external-esps/settings/$esp/edit/$id', {
    title: 'screens.esp_login',
    permissions: ['EmmaEspLogin:get', 'EmmaEspSendfromid:get'],
    load: () => import('./logins/login-edit.tsx'),
  }),
] as const
