import { screen } from '../../shell/screen.tsx'

export const espRoutes = [
  screen('/external-esps/replacers/$esp', {
    title: 'screens.esp_replacers',
    permissions: ['EmmaEspReplacer:get'],
  }),
  screen('/external-esps/replacers/$esp/edit/$id', {
    title: 'screens.esp_replacer',
    permissions: ['EmmaEspReplacer:get'],
  }),
  screen('/external-esps/senders/$esp', {
    title: 'screens.esp_senders',
    permissions: ['EmmaEspSendfromid:get'],
  }),
  screen('/external-esps/senders/$esp/edit/$id', {
    title: 'screens.esp_sender',
    permissions: ['EmmaEspSendfromid:get'],
  }),
  screen('/external-esps/settings/$esp', {
    title: 'screens.esp_settings',
    permissions: ['EmmaEspLogin:get', 'EmmaEspSendfromid:get'],
  }),
] as const
