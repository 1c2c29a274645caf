import { outsideScreen, publicScreen } from '../../shell/layout/screen.tsx'

/** Routes that need no session. */
export const publicRoutes = [
  publicScreen('/login', { title: 'screens.login', load: () => import('./login.tsx') }),
  outsideScreen('/password-reset', {
    title: 'screens.password_reset',
    load: () => import('./password-reset.tsx'),
  }),
] as const
