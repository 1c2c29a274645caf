import { screen } from '../../shell/layout/screen.tsx'
import { fetchAllTexts } from '../../texts/feature-texts.ts'

export const platformRoutes = [
  screen('/usersettings', {
    title: 'screens.own_settings',
    load: () => import('./account/own-settings.tsx'),
  }),
  screen('/users', {
    title: 'screens.users',
    permissions: ['User:get'],
    load: () => import('./users/user-list.tsx'),
  }),
  screen('/users/edit/$id', {
    title: 'screens.user',
    entity: 'User',
    load: () => import('./users/user-edit.tsx'),
  }),
  screen('/settings/clients', {
    title: 'screens.own_clients',
    entity: 'EmmaClient',
    load: () => import('./account/own-clients.tsx'),
  }),
  screen('/system/clients', {
    title: 'screens.clients',
    superadmin: true,
    load: () => import('./clients/client-list.tsx'),
  }),
  screen('/system/clients/add', {
    title: 'screens.client_add',
    superadmin: true,
    load: () => import('./clients/client-add.tsx'),
  }),
  screen('/system/roles', {
    title: 'screens.roles',
    superadmin: true,
    load: () => import('./roles/role-list.tsx'),
  }),
  screen('/system/roles/edit/$id', {
    title: 'screens.role',
    superadmin: true,
    load: () => import('./roles/role-edit.tsx'),
  }),
  screen('/system/permissions', {
    title: 'screens.permissions',
    superadmin: true,
    load: () => import('./roles/permission-list.tsx'),
  }),
  screen('/system/audit-log', {
    title: 'screens.audit_log',
    superadmin: true,
    load: loadAuditLog,
  }),
  screen('/system/installation', {
    title: 'screens.security',
    superadmin: true,
    load: () => import('./installation/installation.tsx'),
  }),
] as const

/** Loads the texts of all features, which contain the field labels of the logged records. */
async function loadAuditLog() {
  const [screenModule] = await Promise.all([import('./audit-log/audit-log.tsx'), fetchAllTexts()])
  return screenModule
}
