import { agb } from '@emma/contract/resources/agb.ts'
import { alert } from '@emma/contract/resources/alert.ts'
import { bav } from '@emma/contract/resources/bav.ts'
import { beepluginRow } from '@emma/contract/resources/beeplugin-row.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { campaignComment } from '@emma/contract/resources/campaign-comment.ts'
import { campaignPreset } from '@emma/contract/resources/campaign-preset.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { category } from '@emma/contract/resources/category.ts'
import { client } from '@emma/contract/resources/client.ts'
import { dashboard } from '@emma/contract/resources/dashboard.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { espLogin } from '@emma/contract/resources/esp-login.ts'
import { espReplacer } from '@emma/contract/resources/esp-replacer.ts'
import { espSendfromid } from '@emma/contract/resources/esp-sendfromid.ts'
import { guidedTour } from '@emma/contract/resources/guided-tour.ts'
import { imapLogin } from '@emma/contract/resources/imap-login.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { ipci } from '@emma/contract/resources/ipci.ts'
import { list } from '@emma/contract/resources/list.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { message } from '@emma/contract/resources/message.ts'
import { motd } from '@emma/contract/resources/motd.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { provider } from '@emma/contract/resources/provider.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { role } from '@emma/contract/resources/role.ts'
import { scdRule } from '@emma/contract/resources/scd-rule.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { user } from '@emma/contract/resources/user.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { webhook } from '@emma/contract/resources/webhook.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import * as audience from '@emma/core/audience/operations.ts'
import { webformOperations } from '@emma/core/audience/web-forms/webform-operations.ts'
import { guardUploads } from '@emma/core/audience/uploads/upload-rights.ts'
import { legalDocumentOperations } from '@emma/core/billing/legal-document-operations.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { commentOperations } from '@emma/core/campaigns/comment-operations.ts'
import { withPictures } from '@emma/core/campaigns/campaign-pictures.ts'
import { cappingOperations } from '@emma/core/campaigns/capping-operations.ts'
import { categoryOperations } from '@emma/core/campaigns/category-operations.ts'
import { presetOperations } from '@emma/core/campaigns/preset-operations.ts'
import { beepluginRowOperations } from '@emma/core/content/beeplugin-row-operations.ts'
import { messageOperations } from '@emma/core/content/message-operations.ts'
import { placeholderOperations } from '@emma/core/content/placeholder-operations.ts'
import { pmtOperations } from '@emma/core/content/pmt-operations.ts'
import { dashboardOperations } from '@emma/core/dashboard/dashboard-operations.ts'
import { alertOperations } from '@emma/core/deliverability/alerts/alert-operations.ts'
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
import { imapLoginOperations } from '@emma/core/deliverability/placement/imap-login-operations.ts'
import {
  IMAP_PORTS,
  imapSettingOperations,
  settingServer,
} from '@emma/core/deliverability/placement/imap-setting-operations.ts'
import { ipciOperations } from '@emma/core/deliverability/placement/ipci-operations.ts'
import { clientOperations } from '@emma/core/platform/client-operations.ts'
import { roleOperations } from '@emma/core/platform/role-operations.ts'
import { reportingGroupOperations } from '@emma/core/reports/reporting-group-operations.ts'
import type { Operations } from '@emma/core/resource/operations.ts'
import { recurringOperations } from '@emma/core/recurring/recurring-operations.ts'
import { transactionalOperations } from '@emma/core/transactional/transactional-operations.ts'
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

/** Operations of each resource of the contract, by name. */
export function operationsTable(http: Pick<Http, 'config' | 'db' | 'logger' | 'previews'>): OperationsTable {
  const { config } = http
  const secretKey = config.deriveKey('secrets at rest')
  const judge = (host: string, port: number) => judgeRelay(host, port, relayRules(config))
  const judgeUrl = (url: string) => judgeWebhookUrl(url, { allowLoopback: config.webhookLoopback })
  const compiler = { compile: http.previews.compile, trackingBase: config.trackingUrl }
  const entries = [
    answer(agb, legalDocumentOperations('agb')),
    answer(alert, alertOperations),
    answer(bav, legalDocumentOperations('bav')),
    answer(beepluginRow, beepluginRowOperations),
    answer(campaign, withPictures(campaignOperations, config.trackingUrl)),
    answer(campaignComment, commentOperations),
    answer(campaignPreset, presetOperations),
    answer(capping, cappingOperations),
    answer(category, categoryOperations),
    answer(client, clientOperations),
    answer(dashboard, dashboardOperations),
    answer(dataupload, guardUploads(audience.datauploadOperations(uploadFolder(config)))),
    answer(domain, domainOperations(secretKey, mailHostsOf(config))),
    answer(espLogin, guardRelays(espLoginOperations(secretKey, judgeUrl), loginRelay, judge)),
    answer(espReplacer, espReplacerOperations),
    answer(espSendfromid, espSenderOperations),
    answer(guidedTour, tourOperations),
    answer(imapLogin, imapLoginOperations(secretKey)),
    answer(
      imapSetting,
      guardRelays(imapSettingOperations(secretKey, judgeUrl), settingServer, (host, port) =>
        judgeRelay(host, port, { ...relayRules(config), ports: IMAP_PORTS }),
      ),
    ),
    answer(ipci, ipciOperations),
    answer(mailclass, guardAllotments(guardRelays(mailclassOperations(secretKey), mailclassRelay, judge))),
    answer(blacklist, audience.blacklistOperations),
    answer(list, audience.listOperations),
    answer(testaddress, audience.testaddressOperations),
    answer(testgroup, audience.testgroupOperations),
    answer(membertable, audience.membertableOperations),
    answer(message, messageOperations(compiler)),
    answer(motd, motdOperations),
    answer(placeholder, placeholderOperations(secretKey)),
    answer(pmt, pmtOperations(compiler)),
    answer(provider, providerOperations),
    answer(reportingGroup, reportingGroupOperations),
    answer(role, roleOperations),
    answer(scdRule, scdRuleOperations),
    answer(recurring, recurringOperations),
    answer(transactionalcampaign, transactionalOperations),
    answer(user, noticedUserOperations(http)),
    answer(webform, webformOperations(config.trackingUrl)),
    answer(webhook, guardMemberEvents(webhookOperations(secretKey, judgeUrl))),
  ]
  return new Map(entries.map(entry => [entry.resource.name, entry]))
}

/** A resource and its operations. */
function answer<R extends Resource>(resource: R, operations: Operations<R>): Entry {
  return { resource, operations }
}

type Entry = { resource: Resource; operations: Operations }
