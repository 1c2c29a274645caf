import type { Resource } from './define-resource.ts'
import { agb } from './resources/agb.ts'
import { alert } from './resources/alert.ts'
import { bav } from './resources/bav.ts'
import { beepluginRow } from './resources/beeplugin-row.ts'
import { blacklist } from './resources/blacklist.ts'
import { campaign } from './resources/campaign.ts'
import { campaignComment } from './resources/campaign-comment.ts'
import { campaignPreset } from './resources/campaign-preset.ts'
import { capping } from './resources/capping.ts'
import { category } from './resources/category.ts'
import { client } from './resources/client.ts'
import { dashboard } from './resources/dashboard.ts'
import { dataupload } from './resources/dataupload.ts'
import { domain } from './resources/domain.ts'
import { espLogin } from './resources/esp-login.ts'
import { espReplacer } from './resources/esp-replacer.ts'
import { espSendfromid } from './resources/esp-sendfromid.ts'
import { guidedTour } from './resources/guided-tour.ts'
import { imapLogin } from './resources/imap-login.ts'
import { imapSetting } from './resources/imap-setting.ts'
import { ipci } from './resources/ipci.ts'
import { list } from './resources/list.ts'
import { mailclass } from './resources/mailclass.ts'
import { membertable } from './resources/membertable.ts'
import { message } from './resources/message.ts'
import { motd } from './resources/motd.ts'
import { placeholder } from './resources/placeholder.ts'
import { pmt } from './resources/pmt.ts'
import { provider } from './resources/provider.ts'
import { recurring } from './resources/recurring.ts'
import { reportingGroup } from './resources/reporting-group.ts'
import { role } from './resources/role.ts'
import { scdRule } from './resources/scd-rule.ts'
import { testaddress } from './resources/testaddress.ts'
import { testgroup } from './resources/testgroup.ts'
import { transactionalcampaign } from './resources/transactionalcampaign.ts'
import { user } from './resources/user.ts'
import { webform } from './resources/webform.ts'
import { webhook } from './resources/webhook.ts'

/** All resources of the API. Each one in this list is mounted, documented and tested by the conformance suite. */
export const resources: readonly Resource[] = [
  agb,
  alert,
  bav,
  beepluginRow,
  blacklist,
  campaign,
  campaignComment,
  campaignPreset,
  capping,
  category,
  client,
  dashboard,
  dataupload,
  domain,
  espLogin,
  espReplacer,
  espSendfromid,
  guidedTour,
  imapLogin,
  imapSetting,
  ipci,
  list,
  mailclass,
  membertable,
  message,
  motd,
  placeholder,
  pmt,
  provider,
  recurring,
  reportingGroup,
  role,
  scdRule,
  testaddress,
  testgroup,
  transactionalcampaign,
  user,
  webform,
  webhook,
]
