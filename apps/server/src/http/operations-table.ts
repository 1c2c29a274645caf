import { resources } from '@emma/contract/resource-list.ts'
import * as audience from '@emma/core/audience/operations.ts'
import { guardUploads } from '@emma/core/audience/uploads/upload-rights.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { cappingOperations } from '@emma/core/campaigns/capping-operations.ts'
import { messageOperations } from '@emma/core/content/message-operations.ts'
import { placeholderOperations } from '@emma/core/content/placeholder-operations.ts'
import { dashboardOperations } from '@emma/core/dashboard/dashboard-operations.ts'
import { domainOperations } from '@emma/core/deliverability/domain-operations.ts'
import {
  guardAllotments,
  guardRelays,
  loginRelay,
  mailclassRelay,
} from '@emma/core/deliverability/guard-mailclass.ts'
import { mailclassOperations } from '@emma/core/deliverability/mailclass-operations.ts'
import { providerOperations } from '@emma/core/deliverability/provider-operations.ts'
import { scdRuleOperations } from '@emma/core/deliverability/scd-rule-operations.ts'
import {
  espLoginOperations,
  espReplacerOperations,
  espSenderOperations,
} from '@emma/core/esps/esp-operations.ts'
import { motdOperations } from '@emma/core/guidance/motd-operations.ts'
import { tourOperations } from '@emma/core/guidance/tour-operations.ts'
import { clientOperations } from '@emma/core/platform/client-operations.ts'
import { roleOperations } from '@emma/core/platform/role-operations.ts'
import { reportingGroupOperations } from '@emma/core/reports/reporting-group-operations.ts'
import type { Operations } from '@emma/core/resource/operations.ts'
import { guardMemberEvents } from '@emma/core/webhooks/guard-member-events.ts'
import { webhookOperations } from '@emma/core/webhooks/webhook-operations.ts'
import type { Http } from './http.ts'
import { mailHostsOf } from './mail-hosts.ts'
import { judgeWebhookUrl } from '../jobs/webhook-address.ts'
import { noticedUserOperations } from '../mail/address-notice.ts'
import { judgeRelay } from '../network/relays.ts'
import { relayRules } from '../outgoing.ts'
import { uploadFolder } from '../upload-folder.ts'
import type { OperationsTable } from './mount-resource.ts'

/** What answers each resource of the contract, by its name. */
export function operationsTable(http: Pick<Http, 'config' | 'db' | 'logger'>): OperationsTable {
  const { config } = http
  const secretKey = config.deriveKey('secrets at rest')
  const judge = (host: string, port: number) => judgeRelay(host, port, relayRules(config))
  const operations: Record<string, Operations> = {
    campaign: campaignOperations,
    capping: cappingOperations,
    client: clientOperations,
    dashboard: dashboardOperations,
    dataupload: guardUploads(audience.datauploadOperations(uploadFolder(config))),
    domain: domainOperations(secretKey, mailHostsOf(config)),
    esp_login: guardRelays(
      espLoginOperations(secretKey, url => judgeWebhookUrl(url, { allowLoopback: config.webhookLoopback })),
      loginRelay,
      judge,
    ),
    esp_replacer: espReplacerOperations,
    esp_sendfromid: espSenderOperations,
    guided_tour: tourOperations,
    mailclass: guardAllotments(guardRelays(mailclassOperations(secretKey), mailclassRelay, judge)),
    blacklist: audience.blacklistOperations,
    list: audience.listOperations,
    testaddress: audience.testaddressOperations,
    testgroup: audience.testgroupOperations,
    membertable: audience.membertableOperations,
    message: messageOperations(config.trackingUrl),
    motd: motdOperations,
    placeholder: placeholderOperations,
    provider: providerOperations,
    reportinggroup: reportingGroupOperations,
    role: roleOperations,
    scd_rule: scdRuleOperations,
    user: noticedUserOperations(http),
    webhook: guardMemberEvents(
      webhookOperations(secretKey, url => judgeWebhookUrl(url, { allowLoopback: config.webhookLoopback })),
    ),
  }
  return new Map(
    resources.flatMap(resource => {
      const own = operations[resource.name]
      return own ? [[resource.name, { resource, operations: own }] as const] : []
    }),
  )
}
