import { screen } from '../../shell/screen.tsx'
import { fetchAllTexts } from '../../texts/feature-texts.ts'

export const peopleRoutes = [
  screen('/usersettings', { title: 'screens.own_settings', load: () => import('./own-settings.tsx') }),
  screen('/users', {
    title: 'screens.users',
    permissions: ['User:get'],
    load: () => import('./user-list.tsx'),
  }),
  screen('/users/edit/$id', { title: 'screens.user', entity: 'User', load: () => import('./user-edit.tsx') }),
  screen('/settings/clients', {
    title: 'screens.own_clients',
    entity: 'EmmaClient',
    load: () => import('./own-clients.tsx'),
  }),
  screen('/system/clients', {
    title: 'screens.clients',
    superadmin: true,
    load: () => import('./client-list.tsx'),
  }),
  screen('/system/clients/add', {
    title: 'screens.client_add',
    superadmin: true,
    load: () => import('./client-add.tsx'),
  }),
  screen('/system/roles', {
    title: 'screens.roles',
    superadmin: true,
    load: () => import('./role-list.tsx'),
  }),
  screen('/system/roles/edit/$id', {
    title: 'screens.role',
    superadmin: true,
    load: () => import('./role-edit.tsx'),
  }),
  screen('/system/permissions', {
    title: 'screens.permissions',
    superadmin: true,
    load: () => import('./permission-list.tsx'),
  }),
  screen('/system/audit-log', {
    title: 'screens.audit_log',
    superadmin: true,
    load: loadAuditLog,
  }),
  screen('/system/installation', {
    title: 'screens.security',
    superadmin: true,
    load: () => import('./installation.tsx'),
  }),
] as const

/** It tells of the records of every area, whose fields have their names there. */
async function loadAuditLog() {
  const [screenModule] = await Promise.all([import('./audit-log.tsx'), fetchAllTexts()])
  return screenModule
}
