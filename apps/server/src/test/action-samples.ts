import { viewTypes } from '@emma/contract/resources/dashboard.ts'

/**
 * Placeholder for the key of a client's record in a call: tests insert their own one, another client's, or an unknown
 * one.
 */
export class Key {
  readonly of: string
  constructor(of: string) {
    this.of = of
  }
}

/** A valid call, with keys of real records. */
export interface ActionSample {
  /** Path parameters whose names do not reveal their record type, and word parameters. */
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** The body is sent as multipart/form-data, with a file. */
  isForm?: true
  /** Caller on the own client; default: a user with all permissions there. */
  as?: 'superadmin' | 'account' | 'nobody'
  /** Records that the call consumes: created for each call. */
  fresh?: readonly string[]
  /** Expected status on own records if the test lacks what success needs; default: success. */
  status?: number
  /** Record types whose keys are not checked: a foreign key gets the same answer as an unknown one. */
  ignores?: readonly string[]
}

const key = (of: string) => new Key(of)

/** Password of the accounts that tests create. */
export const accountPassword = 'correct horse battery'

const none: ActionSample = {}
const ofCampaign = { params: { id: key('campaign') } }
const query = { combinator: 'and', rules: [{ field: 'email', operator: 'contains', value: '@' }] }
const openedOne = {
  combinator: 'and',
  rules: [
    {
      field: 'opened',
      operator: '=',
      match: { mode: 'atLeast', threshold: 1 },
      value: { combinator: 'and', rules: [{ field: 'campagne_id', operator: '=', value: key('campaign') }] },
    },
  ],
}
const audience = {
  list_id: key('list'),
  excludes: [key('other_list')],
  blacklist_ids: [key('blacklist')],
  capping_id: key('capping'),
  send_once_key: 'welcome-gift',
  message_id: key('message'),
}
const suppression = ['blacklist', 'capping', 'message']
const rules = { query, member_table_id: key('membertable') }
const document = { endpoint: 'sqltemplate' }
const language = { language: 'en' }
const texts = { ...language, namespace: 'translation' }
const account = { as: 'account' } as const
const wrongCode = { as: 'account', status: 422 } as const
const superadmin = { as: 'superadmin' } as const
const transactionalMail = { email: 'customer@example.test', data: { number: 'A-1' } }
const suppressed = { values: ['somebody@example.test'] }

/** One or more calls of every action, by name. */
export const actionSamples: Partial<Record<string, ActionSample | readonly ActionSample[]>> = {
  readBeefreeToken: { status: 409 },
  // Catalogue of designs
  listCatalogCategories: none,
  listCatalogCollections: none,
  listCatalogTemplates: [none, { query: { category: 'event', collection: 'warm', search: 'table' } }],
  readCatalogTemplate: { params: { slug: 'five-links' } },
  renderCatalogTemplate: { params: { slug: 'five-links' } },

  // Files
  listFiles: [none, { query: { search: 'file' } }, { query: { deleted: 'true' } }],
  describeFile: { body: { alt: 'A red boat' } },
  readHtmlBody: { body: { html: '<p>Hello</p>', client_id: key('client') } },
  editImage: { status: 404, body: { width: 20 } },
  restoreFile: { params: { id: key('deleted_file') }, fresh: ['deleted_file'] },
  fileUsage: none,

  // Accounts
  login: { as: 'nobody', body: { username: 'nobody', password: 'none' }, status: 401 },
  verifyToken: none,
  logout: account,
  viewAs: { ...superadmin, body: { role_id: key('role') } },
  requestReset: { as: 'nobody', body: { username: 'nobody' }, status: 202 },
  resetPassword: { as: 'nobody', body: { token: 'none', password: 'correct horse battery' }, status: 422 },
  listUserSettings: account,
  saveUserSettings: { ...account, body: { custom: { language: 'en' }, client_id: key('client') } },
  changePassword: { ...account, body: { old_password: accountPassword, password: 'battery horse' } },
  listSessions: [account, {}],
  endSession: [{ ...account, fresh: ['session'] }, { fresh: ['session'] }],
  endOtherSessions: [account, {}],
  saveProfile: {
    ...account,
    body: {
      firstname: 'Pat',
      lastname: 'Person',
      email: 'account@example.test',
      old_password: accountPassword,
    },
  },
  confirmOwnEmail: { ...wrongCode, body: { token: 'none' } },
  readProfile: account,
  listApiTokens: [account, {}],
  createApiToken: {
    ...account,
    body: { name: 'Reads', permissions: ['EmmaCampaign:get'], client_ids: [key('client')], days: 1 },
  },
  revokeApiToken: { fresh: ['api_token'] },
  readSecondFactor: account,
  beginSecondFactor: { ...account, body: { old_password: accountPassword } },
  confirmSecondFactor: { ...wrongCode, body: { code: '123456' } },
  removeSecondFactor: { ...wrongCode, body: { old_password: accountPassword, code: '123456' } },
  readSignIn: { as: 'nobody' },
  beginSignIn: { as: 'nobody', status: 401 },
  finishSignIn: { as: 'nobody', body: { answer: 'code=1&state=1' }, status: 401 },

  // Audience
  listMembers: none,
  findMember: none,
  createMember: { body: { email: 'new@example.test' } },
  patchMember: { body: { source: 'import' } },
  deleteMember: { fresh: ['member'] },
  eraseMember: { fresh: ['member'] },
  unsubscribeMember: { fresh: ['member'] },
  resubscribeMember: {
    fresh: ['unsubscribed_member'],
    params: { member_id: key('unsubscribed_member') },
    body: { reason: 'asked for it' },
  },
  confirmMember: none,
  memberActivity: none,
  checkAddress: { query: { email: 'somebody@example.test' } },
  countList: [
    { body: audience, ignores: suppression },
    { body: { ...rules, total_only: true } },
    { body: { ...rules, query: openedOne }, ignores: ['campaign'] },
  ],
  countCampaignList: [{ body: audience, ignores: suppression }, { body: rules }],
  countCampaignListNow: none,
  countListHours: { body: { list_id: key('list'), excludes: [key('list')] } },
  previewList: none,
  listBlacklistEntries: none,
  addBlacklistEntries: { body: { values: ['else@example.test'], reason: 'asked' } },
  removeBlacklistEntries: { query: { value: 'suppressed@example.test' } },
  createUpload: [
    { isForm: true, body: { member_table_id: key('membertable'), client_id: key('client') } },
    { isForm: true, body: { blacklist_id: key('blacklist'), client_id: key('client') } },
  ],
  previewUpload: { fresh: ['dataupload'], status: 422 },
  startUpload: { fresh: ['dataupload'], status: 422 },
  cancelUpload: { fresh: ['dataupload'] },
  countUploadUndo: { fresh: ['dataupload'], status: 409 },
  undoUpload: { fresh: ['dataupload'], status: 409 },
  uploadErrors: none,
  uploadQuota: { query: { client_id: key('client') } },
  listMultiBlacklists: none,
  createMultiBlacklist: {
    body: { ...suppressed, targets: [{ client_id: key('client'), blacklist_id: key('blacklist') }] },
  },
  removeMultiBlacklist: { params: { id: key('multi_blacklist') }, fresh: ['multi_blacklist'] },
  listInternalEntries: superadmin,
  addInternalEntries: { ...superadmin, body: suppressed },
  removeInternalEntry: { ...superadmin, query: { value: 'somebody@example.test' } },
  restoreInternalRemoval: { ...superadmin, body: { removal_id: 999_999 }, status: 404 },
  listInternalExcludes: superadmin,
  addInternalExcludes: { ...superadmin, body: { ...suppressed, client_id: key('client') } },
  removeInternalExclude: {
    ...superadmin,
    query: { value: 'somebody@example.test', client_id: key('client') },
  },

  // Campaigns, content and reports
  checkCampaign: none,
  // The client needs no approval.
  readCampaignApproval: none,
  requestCampaignApproval: { body: { note: 'Please look at the subject.' }, status: 409 },
  approveCampaign: { body: { hash: '0'.repeat(64) }, status: 409 },
  revokeCampaignApproval: { body: { note: 'Not yet' }, status: 409 },
  readRecurringApproval: none,
  requestRecurringApproval: { body: {}, status: 409 },
  approveRecurring: { body: { hash: '0'.repeat(64) }, status: 409 },
  revokeRecurringApproval: { body: {}, status: 409 },
  moveCampaign: [
    ...(['copy', 'archive', 'unarchive'] as const).map(action => ({ params: { action } })),
    { params: { action: 'start' }, status: 422 },
    { params: { action: 'schedule' }, body: { startdate: '2099-01-01T08:00:00Z' }, status: 422 },
    ...(['pause', 'stop', 'cancel'] as const).map(action => ({ params: { action }, status: 409 })),
  ],
  readCampaignQueue: none,
  resolveUnknown: none,
  // Nobody waits for it.
  chooseWinner: { body: { variant: 0 }, status: 409 },
  campaignHistory: none,
  listSendOnceKeys: [none, { query: { search: 'gift' } }],
  webformFigures: { query: { days: 7 } },
  webformConsents: { query: { limit: 5 } },
  doiReport: { query: { start_date: '2026-01-01', group: 'source' } },
  testProcessMail: {
    body: {
      process: 'unsub_done',
      lang: 'en',
      subject: 'Bye',
      body_long: '<p>{{ client.imprint }}</p>',
      body_text: null,
      emails: ['test@example.test'],
      domain_id: key('domain'),
    },
    // The domain is not verified any more; audit-coverage.it.test.ts sends one.
    status: 422,
  },
  shippedProcessMail: { query: { process: 'welcome', lang: 'de' } },
  renderProcessMail: {
    body: { process: 'welcome', lang: 'en', subject: 'Hi', body_long: '<p>Hi</p>', body_text: null },
  },
  render: { query: { member_table_id: key('membertable') }, body: { subject: 'Hello {{ member.email }}' } },
  listDeletedMessages: none,
  convertSections: {
    body: { body_mjml: '<mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section>' },
  },
  generateSubject: [
    { body: { message_id: key('message') } },
    { body: { html: '<h1>Coffee</h1>', tone: 'urgent' } },
  ],
  listSendVolume: [none, { query: { from: '2026-01', to: '2026-12' } }],
  downloadSendVolume: { query: { from: '2026-01' } },
  lastResults: { query: { message_ids: '1,2' } },
  listMessageVersions: [none, { query: { limit: '1', offset: '1' } }],
  readMessageVersion: none,
  nameMessageVersion: { body: { name: 'Approved' } },
  restoreMessageVersion: none,
  reportEditor: { body: { window_id: '0a8f6c1e-5a55-4c5f-9a44-0f4f2f1b7a11' } },
  trackMessage: none,
  untrackMessage: none,
  testFeed: { body: { feed_url: 'http://127.0.0.1/feed' }, status: 422 },
  testMessage: {
    body: {
      message_id: key('message'),
      campagne_id: key('campaign'),
      emails: ['me@example.test'],
      test_group_id: key('testgroup'),
      domain_id: key('domain'),
      member_id: 0,
    },
  },
  listReports: {
    query: {
      'client_id[]': key('client'),
      'list_id[]': key('list'),
      'message_id[]': key('message'),
      'domain_id[]': key('domain'),
      'member_table_id[]': key('membertable'),
      'campagne_id[]': key('campaign'),
    },
  },
  findReport: none,
  viewReport: none,
  clickReport: none,
  splitReport: none,
  learnedReport: none,
  mtaReport: none,
  preblockReport: none,
  listRecipients: none,
  downloadReport: none,

  // Dashboards
  viewDashboard: viewTypes.map(type => ({
    params: { type },
    query: {
      client_id: key('client'),
      member_table_id: key('membertable'),
      list_id: key('list'),
      campagne_id: key('campaign'),
      reportinggroup_id: key('reportinggroup'),
    },
  })),
  listShares: none,
  shareDashboard: { body: { days: 7 } },
  revokeShare: { fresh: ['share'] },
  viewSharedDashboard: { as: 'nobody', query: { secret: 'none' }, status: 404 },

  // Delivery figures and sales view
  readMtaStats: ofCampaign,
  viewMtaStats: { ...ofCampaign, as: 'nobody', query: { secret: 'none' }, status: 404 },
  listMtaShares: ofCampaign,
  shareMtaStats: { ...ofCampaign, body: { days: 7 } },
  revokeMtaShare: {
    params: { ...ofCampaign.params, share_id: key('mta_share') },
    fresh: ['mta_share'],
  },
  readSalesView: none,
  viewSalesReport: { ...ofCampaign, as: 'nobody', query: { secret: 'none' }, status: 404 },
  listReportShares: none,
  shareReport: { body: { days: 7 } },
  revokeReportShare: { params: { share_id: key('report_share') }, fresh: ['report_share'] },
  viewComparison: {
    params: { id: key('reportinggroup') },
    as: 'nobody',
    query: { secret: 'none' },
    status: 404,
  },
  listComparisonShares: none,
  shareComparison: { body: { days: 7 } },
  revokeComparisonShare: { params: { share_id: key('comparison_share') }, fresh: ['comparison_share'] },

  // Deliverability
  verifyDomain: none,
  readMailclassWarmup: none,
  readDomainWarmup: none,
  calculateVolume: [
    {
      body: {
        ...audience,
        mailclass_id: key('mailclass'),
        domain_id: key('domain'),
        startdate: '2090-01-01T08:00:00Z',
      },
      ignores: suppression,
    },
    { body: { volume: 100, mailclass_id: key('mailclass'), esp_id: key('esp_login') } },
    { body: { by_provider: [{ provider_id: 5, count: 10 }], esp_id: key('esp_login'), throttle: 1 } },
  ],
  listUsableMailclasses: { params: { type: 'bulk' } },
  listCampaignMailclasses: { params: { type: 'bulk' } },
  listMailboxes: superadmin,
  listTestbedMessages: superadmin,
  findTestbedMessage: { ...superadmin, params: { id: 1 }, status: 404 },
  listScdActions: { ...superadmin, query: { rule_id: key('scd_rule') } },
  undoScdAction: superadmin,
  testScdRules: { ...superadmin, body: { reply: '550 no such user' } },

  // Documents
  findDocuments: { params: document, body: { selector: {} } },
  createDocument: { ...superadmin, params: document, body: { name: 'Report' } },
  readDocument: { params: document },
  updateDocument: { ...superadmin, params: { ...document, document: 'a-new-one' }, body: { name: 'Report' } },
  writeDocuments: { ...superadmin, params: document, body: { docs: [{ name: 'Report' }] } },

  // Terms and data-processing agreements: those of the tests are drafts
  latestAgb: { status: 404 },
  latestBav: { status: 404 },
  downloadAgbPdf: { status: 404 },
  downloadBavPdf: { status: 404 },
  // No PDF.
  uploadAgbPdf: { ...superadmin, isForm: true, body: {}, status: 422 },
  uploadBavPdf: { ...superadmin, isForm: true, body: {}, status: 422 },
  removeAgbPdf: superadmin,
  removeBavPdf: superadmin,
  agbConfirmations: superadmin,
  bavConfirmations: superadmin,
  listAgbConfirms: none,
  listBavConfirms: none,
  confirmAgb: { body: { doc_id: key('agb'), name: 'Ann Lee', role: 'CEO' }, status: 404 },
  confirmBav: { body: { doc_id: key('bav'), name: 'Ann Lee', role: 'CEO' }, status: 404 },

  // Help, messages and tours
  readGuidance: none,
  listLoginMotds: { as: 'nobody' },
  dismissMotd: { ignores: ['motd'] },
  previewMotd: { body: { body: 'Hello' } },
  seeTour: { ignores: ['guided_tour'] },
  listHelp: { as: 'nobody' },
  findHelp: { as: 'nobody', params: { id: 1 } },
  readChangelog: none,
  seeChangelog: { body: { version: '0.0.0' }, status: 422 },
  translate: { query: { text: 'Speichern' } },

  // The sample's campaign was not sent.
  resendCampaign: { body: { to: 'not_opened' }, status: 409 },
  // Tests of campaigns: their addresses are not there
  listTestCampaigns: [none, { query: { campagne_id: key('campaign') }, ignores: ['campaign'] }],
  findTestCampaign: none,
  sendTestCampaign: {
    body: { client_id: key('client'), message_id: key('message'), emails: ['a@example.test'] },
    status: 422,
  },
  readTestHistory: none,
  viewTestHistory: { as: 'nobody', query: { secret: 'none' }, status: 404 },
  listTestShares: none,
  shareTestHistory: { body: { days: 7 } },
  revokeTestShare: { params: { share_id: key('test_share') }, fresh: ['test_share'] },

  // Test mailboxes and placement checks: the server of the sample is not there
  testImapLogin: {
    body: {
      setting_id: key('imap_setting'),
      login_id: key('imap_login'),
      username: 'seed',
      password: 'secret',
    },
  },
  listIpciResults: [
    none,
    { query: { ipci_id: key('ipci'), campagne_id: key('campaign') }, ignores: ['ipci', 'campaign'] },
  ],
  findIpciResult: { params: { id: key('ipci_result') } },
  ipciDashboardView: [none, { query: { from: '2026-01-01', to: '2026-01-31' } }],

  // Notifications and webhooks
  listNotifications: { query: { client_id: key('client') } },
  countNotifications: { query: { client_id: key('client') } },
  createNotification: { body: { text: 'Hello', user_id: key('user'), client_id: key('client') } },
  findNotification: none,
  readNotifications: {
    body: { ids: [key('notification')], client_id: key('client') },
    ignores: ['notification'],
  },
  removeNotification: { fresh: ['notification'] },
  clearNotifications: {
    fresh: ['notification'],
    body: { ids: [key('notification')], client_id: key('client') },
    ignores: ['notification'],
  },
  previewSchedule: {
    body: { schedule: { rrule: 'FREQ=DAILY', tz: 'Europe/Berlin', start: '2030-01-01', time: '09:00' } },
  },
  // Its template and segment pass no check.
  runRecurring: { status: 422 },
  listRecurringRuns: [none, { query: { state: 'failed' } }],
  readRecurringSplitReport: [none, { query: { start_date: '2026-01-01', end_date: '2026-01-31' } }],
  readRecurringReport: [
    none,
    { query: { recurring_id: key('recurring'), start_date: '2026-01-01', end_date: '2026-01-31' } },
  ],

  sendTransactional: { body: transactionalMail },
  sendTransactionalBatch: { body: { mails: [transactionalMail] } },
  renderTransactional: { body: transactionalMail },
  rotateTransactionalKey: none,
  listTransactionalMails: [none, { query: { search: 'customer', state: 'scheduled' } }],
  findTransactionalMail: none,
  cancelTransactionalMail: { fresh: ['transactional_mail'] },
  resendTransactionalMail: none,
  readSubmission: none,
  readTransactionalReport: [none, { query: { transactional_id: key('transactionalcampaign') } }],

  listAlertMessages: none,
  testAlert: none,
  listWebhookMessages: none,
  findWebhookMessage: none,
  replayWebhookMessage: none,
  replayWebhook: { body: { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', only_failed: false } },
  testWebhook: none,
  rotateWebhookSecret: none,

  // Platform
  listAuditLog: [
    { query: { client_id: key('client'), user_id: key('user') } },
    { query: { object: 'campaign', object_id: key('campaign') } },
    { query: { object: 'user', object_id: key('user') } },
  ],
  errorReporting: { as: 'nobody' },
  reportClientError: { as: 'nobody', body: { message: 'Broken', stack: 'at the start', path: '/' } },
  unstuckUser: none,
  listPermissions: none,
  inviteUser: { status: 409 },
  removeSecondFactorOf: none,
  readUserClient: none,
  addUserClient: none,
  removeUserClient: { fresh: ['user'] },
  readRolePermissions: none,
  saveRolePermissions: { ...superadmin, body: { permissions: ['EmmaCampaign:get'] } },
  readSystemSettings: superadmin,
  saveMailSettings: {
    ...superadmin,
    body: { is_enabled: false, from: null, host: null, port: 25, tls: 'none', username: null },
  },
  testMailSettings: { ...superadmin, status: 409 },
  saveSignInSettings: {
    ...superadmin,
    body: {
      is_enabled: false,
      name: 'Company',
      issuer: null,
      client_id: null,
      domains: [],
      role_id: key('role'),
      tenant_id: key('client'),
    },
  },
  saveAuditSettings: { ...superadmin, body: { audit_days: 0 } },
  saveSmsSettings: { ...superadmin, body: { is_enabled: false, url: null, sender: null } },
  saveWritingSettings: { ...superadmin, body: { is_enabled: false, url: null, model: null } },
  saveBeefreeSettings: { ...superadmin, body: { is_enabled: false, client_id: null } },
  saveBeefreeExport: { ...superadmin, body: {} },
  saveFeedbackLoops: { ...superadmin, body: { senders: [] } },
  saveRealDelivery: { ...superadmin, body: { real_delivery: false } },
  listTranslations: none,
  readTranslation: { as: 'nobody', params: language },
  changeTranslation: { ...superadmin, params: language, body: { optional: false } },
  replaceTranslation: { ...superadmin, params: language, body: { localisation: {} } },
  readTexts: { as: 'nobody', params: texts },
  addMissingTexts: { as: 'nobody', params: texts, body: { 'a.key': 'A text' } },
  listMissingTexts: superadmin,
  forgetMissingTexts: { ...superadmin, query: { key: 'a.key' } },
}
