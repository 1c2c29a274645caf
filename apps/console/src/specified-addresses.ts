/** An address of the console as the specification lists it (R022–R134), with example keys. */
export interface SpecifiedAddress {
  requirement: number
  access: Access
  path: string
  permissions: readonly string[]
}

/**
 * public: no session needed. session: outside the shell, with a session. shared: outside the shell, with a share secret
 * or a session. rights: inside the shell, with the listed permissions. superadmin: inside the shell, superadmins only
 * (T2).
 */
type Access = 'public' | 'session' | 'shared' | 'rights' | 'superadmin'

/** In the order of the requirements, without gaps, starting at R022. */
const table: readonly (readonly [Access, path: string, ...permissions: string[]])[] = [
  ['session', '/accept-agb', '/accept-bav'],
  ['session', '/accept-bav'],
  ['public', '/login'],
  [
    'shared',
    '/mtastats/1',
    '/compare-reports/1',
    '/salesview/1',
    '/salesview/subreports/1',
    '/testhistory/1',
  ],
  ['shared', '/compare-reports/1'],
  ['shared', '/salesview/1'],
  ['shared', '/salesview/subreports/1'],
  ['shared', '/testhistory/1'],
  ['rights', '/campaigns/archive', 'EmmaCampaign:get'],
  ['rights', '/campaigns/calendar', 'EmmaCampaign:get'],
  ['rights', '/campaigns/categories', 'EmmaCategoryValue:get'],
  ['rights', '/campaigns/categories/edit/1', 'EmmaCategoryValue:get'],
  ['rights', '/campaigns/edit/1', 'EmmaCampaign:get', 'EmmaDomain:get', 'EmmaMailclass:get', 'EmmaList:get'],
  ['rights', '/campaigns/monitoring/1', 'EmmaCampaign:get', 'IPCI:get'],
  ['rights', '/campaigns/reports', 'EmmaReport:get'],
  ['rights', '/campaigns/reports/1'],
  ['rights', '/campaigns/reportgroups', 'EmmaReport:get', 'ReportingGroup:get'],
  ['rights', '/campaigns/reports/compare/1'],
  [
    'rights',
    '/campaigns/reports/subreports/1',
    'EmmaList:get',
    'EmmaReport:get',
    'EmmaSubreportCampaign:get',
  ],
  ['rights', '/campaigns/start/1', 'EmmaCampaign:patch'],
  [
    'rights',
    '/campaigns/test/1',
    'EmmaCampaign:get',
    'EmmaTestCampaign:get',
    'EmmaTestAddress:get',
    'TestGroup:get',
  ],
  ['rights', '/billing/agb'],
  ['rights', '/billing/bav'],
  ['rights', '/billing/sendvolume', 'SendVolume:get'],
  ['rights', '/dashboard', 'Dashboard:get'],
  ['rights', '/downloads'],
  ['rights', '/messages'],
  ['rights', '/messages/edit/1'],
  ['rights', '/help', 'Help:get'],
  ['rights', '/help/1', 'Help:get'],
  ['rights', '/users', 'User:get'],
  ['rights', '/users/edit/1'],
  ['rights', '/usersettings'],
  ['rights', '/external-esps/replacers/smtp', 'EmmaEspReplacer:get'],
  ['rights', '/external-esps/replacers/smtp/edit/1', 'EmmaEspReplacer:get'],
  ['rights', '/external-esps/senders/smtp', 'EmmaEspSendfromid:get'],
  ['rights', '/external-esps/senders/smtp/edit/1', 'EmmaEspSendfromid:get'],
  ['rights', '/external-esps/settings/smtp', 'EmmaEspLogin:get', 'EmmaEspSendfromid:get'],
  ['rights', '/recurring/archive'],
  ['rights', '/recurring/edit/1'],
  ['rights', '/recurring/reports'],
  ['rights', '/recurring/reports/1'],
  ['rights', '/settings/alerts'],
  ['rights', '/settings/alerts/edit/1'],
  ['rights', '/settings/clients'],
  ['rights', '/settings/datasources'],
  ['rights', '/settings/datasources/edit/1'],
  ['rights', '/settings/domain-setup'],
  ['rights', '/settings/domain-setup/add', 'DomainSetupStatus:post'],
  ['rights', '/settings/domains'],
  ['rights', '/settings/domains/edit/1'],
  ['rights', '/settings/mailclasses'],
  ['rights', '/settings/mailclasses/edit/1'],
  ['rights', '/settings/pmtemplates'],
  ['rights', '/settings/pmtemplates/edit/1'],
  ['rights', '/settings/testmailboxes'],
  ['rights', '/settings/testmailboxes/edit/1'],
  ['rights', '/subscribers/archive'],
  ['rights', '/subscribers/edit/1'],
  ['rights', '/subscribers/activity/1'],
  ['rights', '/subscribers/segments'],
  ['rights', '/subscribers/segments/edit/1'],
  ['rights', '/subscribers/segments/preview/1'],
  ['rights', '/subscribers/testsubscribers'],
  ['rights', '/subscribers/testsubscribers/edit/1'],
  ['rights', '/subscribers/web-forms'],
  ['rights', '/subscribers/web-forms/edit/1'],
  ['rights', '/subscribers/dataupload'],
  ['rights', '/subscribers/dataupload/edit/1'],
  ['rights', '/subscribers/blacklistscampaign'],
  ['rights', '/subscribers/blacklistscampaign/imports'],
  ['rights', '/subscribers/blacklistsglobal'],
  ['rights', '/subscribers/blacklistsglobal/add'],
  ['rights', '/subscribers/blacklistsglobal/imports'],
  ['rights', '/subscribers/blacklistsimport'],
  ['rights', '/subscribers/blacklistsimportglobal'],
  ['superadmin', '/system/agbs'],
  ['superadmin', '/system/agbs/edit/1'],
  ['superadmin', '/system/apphosts'],
  ['superadmin', '/system/apphosts/edit/1'],
  ['superadmin', '/system/bavs'],
  ['superadmin', '/system/bavs/edit/1'],
  ['superadmin', '/system/blacklistsinternal'],
  ['superadmin', '/system/blacklistsinternal/add'],
  ['superadmin', '/system/blacklistsinternal/excludes'],
  ['superadmin', '/system/clients'],
  ['superadmin', '/system/clients/add'],
  ['superadmin', '/system/clustermailclasses'],
  ['superadmin', '/system/clustermailclasses/edit/1'],
  ['superadmin', '/system/downloadtemplates'],
  ['superadmin', '/system/downloadtemplates/edit/1'],
  ['superadmin', '/system/guided-tours'],
  ['superadmin', '/system/guided-tours/edit/1'],
  ['superadmin', '/system/ipallocation'],
  ['superadmin', '/system/ipallocation/edit/1'],
  ['superadmin', '/system/microsoft-snds'],
  ['superadmin', '/system/scd-rules'],
  ['superadmin', '/system/scd-rules/edit/1'],
  ['superadmin', '/system/roles'],
  ['superadmin', '/system/roles/edit/1'],
  ['superadmin', '/system/sqltemplates'],
  ['superadmin', '/system/sqltemplates/edit/1'],
  ['superadmin', '/system/testbed'],
  ['superadmin', '/system/testbed/dataupload'],
  ['superadmin', '/system/translations'],
  ['rights', '/templates/archive'],
  ['rights', '/templates/catalog', 'BeePluginCatalog:get'],
  ['rights', '/templates/edit/1'],
  ['rights', '/templates/file-manager'],
  ['rights', '/templates/placeholders'],
  ['rights', '/templates/placeholders/edit/1'],
  ['rights', '/transactionals/archive', 'EmmaTransactional:get'],
  ['rights', '/transactionals/edit/1', 'EmmaTransactional:get'],
]

export const specifiedAddresses: readonly SpecifiedAddress[] = table.map(
  ([access, path, ...permissions], index) => ({ requirement: 22 + index, access, path, permissions }),
)

export const addresses = specifiedAddresses
  .filter(({ access }) => access === 'rights')
  .map(({ path, permissions }) => [path, ...permissions] as const)

export const systemAddresses = pathsFor('superadmin')
export const confirmations = pathsFor('session')
export const sharedAddresses = pathsFor('shared')

function pathsFor(wanted: Access): string[] {
  return specifiedAddresses.filter(({ access }) => access === wanted).map(({ path }) => path)
}
