/** Entities of the permissions (R143, R144 and the further names of domain.md 2G). */
export const entities = [
  'EmmaCampaign',
  'EmmaCategoryValue',
  'EmmaDomain',
  'EmmaMailclass',
  'EmmaList',
  'EmmaReport',
  'EmmaMember',
  'EmmaMemberTable',
  'EmmaMessage',
  'EmmaPlaceholder',
  'EmmaTransactional',
  'EmmaClient',
  'EmmaBlacklist',
  'EmmaMultiBlacklist',
  'EmmaSubreportCampaign',
  'EmmaTestCampaign',
  'EmmaTestAddress',
  'EmmaEspReplacer',
  'EmmaEspSendfromid',
  'EmmaEspLogin',
  'IPCI',
  'ReportingGroup',
  'TestGroup',
  'SendVolume',
  'Dashboard',
  'Help',
  'User',
  'DomainSetupStatus',
  'BeePluginCatalog',
  'DataUpload',
  'WebForms',
  'Alerts',
  'EmmaRecurring',
  'EmmaCategory',
  'EmmaCapping',
  'EmmaProvider',
  'EmmaPmt',
  'EmmaImapLogin',
  'EmmaImapSetting',
  'CampaignPreset',
  'TransactionalReport',
  'Motd',
  'Agb',
  'Bav',
  'AgbConfirm',
  'BavConfirm',
  'AppHost',
  'MtaIp',
  'MtaStats',
  'IpAddress',
  'IpAllocation',
  'MtaipToEmmaclient',
  'MicrosoftSnds',
  'ScdRule',
  'GreenarrowHealth',
  'Role',
  'Permission',
  'UserSettings',
  'Translation',
  'GuidedTour',
  'DownloadJob',
  'DownloadTemplate',
  'SqlTemplate',
  'ClusterMailclass',
  'BeePluginRow',
  'BeePluginAuth',
  'CloudStorage',
  'Notification',
  'Testbed',
  'VolumeCalculator',
  'Webhook',
  'HtmlBody',
  'Changelog',
  'AuditLog',
] as const

export type Entity = (typeof entities)[number]

export const methods = ['get', 'post', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]

/** `Entity:method`, for example `EmmaCampaign:get`. PUT requires the patch permission. */
export type Permission = `${Entity}:${Method}`

export const permissions: readonly Permission[] = entities.flatMap(entity =>
  methods.map((method): Permission => `${entity}:${method}`),
)

/** Permissions that an API token may have: all except managing accounts and roles. */
export const tokenPermissions: readonly Permission[] = permissions.filter(
  permission => !/^(User|Role|UserSettings):(post|patch|delete)$/.test(permission),
)

/** Stands for a permission in notifications to superadmins only; no role can have it. */
export const SUPERADMINS = 'superadmin'

const known = new Set<string>(permissions)

export function isPermission(text: string): text is Permission {
  return known.has(text)
}
