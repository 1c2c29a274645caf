import type { Action } from './define-action.ts'
import * as account from './actions/account.ts'
import * as alerts from './actions/alerts.ts'
import * as apiTokens from './actions/api-tokens.ts'
import * as audience from './actions/audience.ts'
import * as approval from './actions/approval.ts'
import * as auditLog from './actions/audit-log.ts'
import * as beefree from './actions/beefree.ts'
import * as catalog from './actions/catalog.ts'
import * as campaignQueue from './actions/campaign-queue.ts'
import * as campaigns from './actions/campaigns.ts'
import * as clientError from './actions/client-error.ts'
import * as content from './actions/content.ts'
import * as dashboard from './actions/dashboard.ts'
import * as deliverability from './actions/deliverability.ts'
import * as documents from './actions/documents.ts'
import * as files from './actions/files.ts'
import * as guidance from './actions/guidance.ts'
import * as htmlBody from './actions/html-body.ts'
import * as internalBlacklist from './actions/internal-blacklist.ts'
import * as legalDocuments from './actions/legal-documents.ts'
import * as messageEditors from './actions/message-editors.ts'
import * as messageVersions from './actions/message-versions.ts'
import * as mtaStats from './actions/mta-stats.ts'
import * as multiBlacklist from './actions/multi-blacklist.ts'
import * as notifications from './actions/notifications.ts'
import * as people from './actions/platform.ts'
import * as placement from './actions/placement.ts'
import * as processMails from './actions/process-mails.ts'
import * as recurring from './actions/recurring.ts'
import * as reports from './actions/reports.ts'
import * as salesView from './actions/sales-view.ts'
import * as secondFactor from './actions/second-factor.ts'
import * as sendVolume from './actions/send-volume.ts'
import * as signIn from './actions/sign-in.ts'
import * as systemSettings from './actions/system-settings.ts'
import * as testCampaigns from './actions/test-campaigns.ts'
import * as transactional from './actions/transactional.ts'
import * as translations from './actions/translations.ts'
import * as scdRules from './actions/scd-rules.ts'
import * as volume from './actions/volume.ts'
import * as addressCheck from './actions/address-check.ts'
import * as webForms from './actions/web-forms.ts'
import * as webhooks from './actions/webhooks.ts'

/**
 * All actions of the API, from all files of actions/. The OpenAPI document is generated from this list (http/openapi of
 * the server).
 */
export const actions: readonly Action[] = [
  account,
  alerts,
  apiTokens,
  approval,
  audience,
  auditLog,
  beefree,
  campaignQueue,
  campaigns,
  catalog,
  clientError,
  content,
  dashboard,
  deliverability,
  documents,
  files,
  guidance,
  htmlBody,
  internalBlacklist,
  legalDocuments,
  messageEditors,
  messageVersions,
  mtaStats,
  multiBlacklist,
  notifications,
  people,
  placement,
  processMails,
  recurring,
  reports,
  salesView,
  secondFactor,
  sendVolume,
  signIn,
  systemSettings,
  testCampaigns,
  transactional,
  translations,
  scdRules,
  addressCheck,
  volume,
  webForms,
  webhooks,
].flatMap(file => Object.values(file).filter(isAction))

/** Those files also export schemas and constants. */
function isAction(value: unknown): value is Action {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'paths' in value &&
    'permission' in value
  )
}
