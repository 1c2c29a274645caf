import { screen } from '../../shell/layout/screen.tsx'

export const deliverabilityRoutes = [
  screen('/settings/alerts', {
    title: 'screens.alerts',
    entity: 'Alerts',
    load: () => import('./alerts/alert-list.tsx'),
  }),
  screen('/settings/alerts/edit/$id', {
    title: 'screens.alert',
    entity: 'Alerts',
    load: () => import('./alerts/alert-edit.tsx'),
  }),
  screen('/settings/domain-setup', { title: 'screens.domain_setups', entity: 'DomainSetupStatus' }),
  screen('/settings/domain-setup/add', {
    title: 'screens.domain_setup',
    permissions: ['DomainSetupStatus:post'],
  }),
  screen('/settings/domains', {
    title: 'screens.domains',
    entity: 'EmmaDomain',
    load: () => import('./domains/domain-list.tsx'),
  }),
  screen('/settings/domains/edit/$id', {
    title: 'screens.domain',
    entity: 'EmmaDomain',
    load: () => import('./domains/domain-edit.tsx'),
  }),
  screen('/settings/mailclasses', {
    title: 'screens.mailclasses',
    entity: 'EmmaMailclass',
    load: () => import('./mail-classes/mailclass-list.tsx'),
  }),
  screen('/settings/mailclasses/edit/$id', {
    title: 'screens.mailclass',
    entity: 'EmmaMailclass',
    load: () => import('./mail-classes/mailclass-edit.tsx'),
  }),
  screen('/settings/testmailboxes', {
    title: 'screens.test_mailboxes',
    entity: 'EmmaImapLogin',
    load: () => import('./test-mailboxes/mailbox-list.tsx'),
  }),
  screen('/settings/testmailboxes/edit/$id', {
    title: 'screens.test_mailbox',
    entity: 'EmmaImapLogin',
    load: () => import('./test-mailboxes/mailbox-edit.tsx'),
  }),
  screen('/system/apphosts', { title: 'screens.app_hosts', superadmin: true }),
  screen('/system/apphosts/edit/$id', { title: 'screens.app_host', superadmin: true }),
  screen('/system/clustermailclasses', { title: 'screens.cluster_mailclasses', superadmin: true }),
  screen('/system/clustermailclasses/edit/$id', { title: 'screens.cluster_mailclass', superadmin: true }),
  screen('/system/ipallocation', { title: 'screens.ip_allocations', superadmin: true }),
  screen('/system/ipallocation/edit/$id', { title: 'screens.ip_allocation', superadmin: true }),
  screen('/system/microsoft-snds', { title: 'screens.snds', superadmin: true }),
  screen('/system/providers', {
    title: 'screens.providers',
    superadmin: true,
    load: () => import('./providers/provider-list.tsx'),
  }),
  screen('/system/providers/edit/$id', {
    title: 'screens.provider',
    superadmin: true,
    load: () => import('./providers/provider-edit.tsx'),
  }),
  screen('/system/scd-rules', {
    title: 'screens.scd_rules',
    superadmin: true,
    load: () => import('./reply-rules/scd-rule-list.tsx'),
  }),
  screen('/system/scd-rules/edit/$id', {
    title: 'screens.scd_rule',
    superadmin: true,
    load: () => import('./reply-rules/scd-rule-edit.tsx'),
  }),
  screen('/system/testbed', {
    title: 'screens.testbed',
    superadmin: true,
    load: () => import('./testbed/testbed.tsx'),
  }),
  screen('/system/testbed/dataupload', { title: 'screens.testbed_upload', superadmin: true }),
] as const
