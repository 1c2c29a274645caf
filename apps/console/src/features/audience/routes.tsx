import { screen } from '../../shell/layout/screen.tsx'

export const audienceRoutes = [
  screen('/subscribers/archive', {
    title: 'screens.subscribers',
    entity: 'EmmaMember',
    load: () => import('./members/member-list.tsx'),
  }),
  screen('/subscribers/edit/$id', {
    title: 'screens.subscriber',
    entity: 'EmmaMember',
    load: () => import('./members/member-edit.tsx'),
  }),
  screen('/subscribers/activity/$id', {
    title: 'screens.subscriber_activity',
    entity: 'EmmaMember',
    load: () => import('./members/member-activity.tsx'),
  }),
  screen('/subscribers/segments', {
    title: 'screens.segments',
    entity: 'EmmaList',
    load: () => import('./segments/segment-list.tsx'),
  }),
  screen('/subscribers/segments/edit/$id', {
    title: 'screens.segment',
    entity: 'EmmaList',
    load: () => import('./segments/segment-edit.tsx'),
  }),
  screen('/subscribers/segments/preview/$id', {
    title: 'screens.segment_preview',
    entity: 'EmmaList',
    load: () => import('./segments/segment-preview.tsx'),
  }),
  screen('/subscribers/testsubscribers', {
    title: 'screens.test_subscribers',
    entity: 'EmmaTestAddress',
    load: () => import('./test-subscribers/test-subscriber-list.tsx'),
  }),
  screen('/subscribers/testsubscribers/edit/$id', {
    title: 'screens.test_subscriber',
    entity: 'EmmaTestAddress',
    load: () => import('./test-subscribers/test-subscriber-edit.tsx'),
  }),
  screen('/subscribers/address-check', {
    title: 'screens.address_check',
    entity: 'EmmaMember',
    load: () => import('./address-check/address-check.tsx'),
  }),
  screen('/subscribers/web-forms', {
    title: 'screens.web_forms',
    entity: 'WebForms',
    load: () => import('./web-forms/web-form-list.tsx'),
  }),
  screen('/subscribers/web-forms/edit/$id', {
    title: 'screens.web_form',
    entity: 'WebForms',
    load: () => import('./web-forms/web-form-edit.tsx'),
  }),
  screen('/subscribers/doi-report', {
    title: 'screens.doi_report',
    entity: 'EmmaReport',
    load: () => import('./doi-report/doi-report.tsx'),
  }),
  screen('/subscribers/dataupload', {
    title: 'screens.uploads',
    entity: 'DataUpload',
    load: () => import('./uploads/upload-list.tsx'),
  }),
  screen('/subscribers/dataupload/edit/$id', {
    title: 'screens.upload',
    entity: 'DataUpload',
    load: () => import('./uploads/upload-edit.tsx'),
  }),
  screen('/subscribers/blacklistscampaign', {
    title: 'screens.blacklists',
    entity: 'EmmaBlacklist',
    load: () => import('./blacklists/blacklists-campaign.tsx'),
  }),
  screen('/subscribers/blacklistscampaign/imports', {
    title: 'screens.blacklist_imports',
    entity: 'EmmaBlacklist',
    load: () => import('./blacklists/blacklist-imports-campaign.tsx'),
  }),
  screen('/subscribers/blacklistsglobal', {
    title: 'screens.client_blacklist',
    entity: 'EmmaBlacklist',
    load: () => import('./blacklists/blacklists-global.tsx'),
  }),
  screen('/subscribers/blacklistsglobal/add', {
    title: 'screens.client_blacklist_add',
    entity: 'EmmaBlacklist',
    load: () => import('./blacklists/blacklist-add-global.tsx'),
  }),
  screen('/subscribers/blacklistsglobal/imports', {
    title: 'screens.client_blacklist_imports',
    entity: 'EmmaBlacklist',
    load: () => import('./blacklists/blacklist-imports-global.tsx'),
  }),
  screen('/subscribers/blacklistsmulti', {
    title: 'screens.multi_blacklists',
    entity: 'EmmaMultiBlacklist',
    load: () => import('./blacklists/multi-blacklists.tsx'),
  }),
  screen('/subscribers/blacklistsimport', {
    title: 'screens.blacklist_import',
    entity: 'EmmaBlacklist',
    load: () => import('./blacklists/blacklist-upload-campaign.tsx'),
  }),
  screen('/subscribers/blacklistsimportglobal', {
    title: 'screens.client_blacklist_import',
    entity: 'EmmaBlacklist',
    load: () => import('./blacklists/blacklist-upload-global.tsx'),
  }),
  screen('/settings/datasources', {
    title: 'screens.datasources',
    entity: 'EmmaMemberTable',
    load: () => import('./datasources/datasource-list.tsx'),
  }),
  screen('/settings/datasources/edit/$id', {
    title: 'screens.datasource',
    entity: 'EmmaMemberTable',
    load: () => import('./datasources/datasource-edit.tsx'),
  }),
  screen('/system/blacklistsinternal', {
    title: 'screens.internal_blacklist',
    superadmin: true,
    load: () => import('./blacklists/internal-list.tsx'),
  }),
  screen('/system/blacklistsinternal/add', {
    title: 'screens.internal_blacklist_add',
    superadmin: true,
    load: () => import('./blacklists/internal-add.tsx'),
  }),
  screen('/system/blacklistsinternal/excludes', {
    title: 'screens.internal_blacklist_excludes',
    superadmin: true,
    load: () => import('./blacklists/internal-excludes.tsx'),
  }),
] as const
