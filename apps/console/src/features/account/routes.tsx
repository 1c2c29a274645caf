import { outsideScreen, publicScreen, screen } from '../../shell/screen.tsx'

export const accountRoutes = [
  screen('/usersettings', { title: 'screens.own_settings', load: () => import('./own-settings.tsx') }),
] as const

/** Open to everybody. */
export const publicRoutes = [
  publicScreen('/login', { title: 'screens.login', load: () => import('./login.tsx') }),
  outsideScreen('/password-reset', {
    title: 'screens.password_reset',
    load: () => import('./password-reset.tsx'),
  }),
] as const
