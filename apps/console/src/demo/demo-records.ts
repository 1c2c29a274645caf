import type { MonthVolume } from '@emma/contract/actions/send-volume.ts'
import type { multiBlacklist } from '@emma/contract/actions/multi-blacklist.ts'
import type { report } from '@emma/contract/actions/reports.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { agb } from '@emma/contract/resources/agb.ts'
import type { alert } from '@emma/contract/resources/alert.ts'
import type { blacklist, blacklistEntry } from '@emma/contract/resources/blacklist.ts'
import type { campaign } from '@emma/contract/resources/campaign.ts'
import type { campaignPreset } from '@emma/contract/resources/campaign-preset.ts'
import type { capping } from '@emma/contract/resources/capping.ts'
import type { category } from '@emma/contract/resources/category.ts'
import type { client } from '@emma/contract/resources/client.ts'
import type { dashboard } from '@emma/contract/resources/dashboard.ts'
import type { domain } from '@emma/contract/resources/domain.ts'
import type { list } from '@emma/contract/resources/list.ts'
import type { imapLogin } from '@emma/contract/resources/imap-login.ts'
import type { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import type { mailclass } from '@emma/contract/resources/mailclass.ts'
import type { member } from '@emma/contract/resources/member.ts'
import type { membertable } from '@emma/contract/resources/membertable.ts'
import type { message } from '@emma/contract/resources/message.ts'
import type { motd } from '@emma/contract/resources/motd.ts'
import type { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { pmt } from '@emma/contract/resources/pmt.ts'
import type { webform } from '@emma/contract/resources/webform.ts'
import type { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import type { role } from '@emma/contract/resources/role.ts'
import type { testaddress } from '@emma/contract/resources/testaddress.ts'
import type { testgroup } from '@emma/contract/resources/testgroup.ts'
import type { recurring } from '@emma/contract/resources/recurring.ts'
import type { LoggedMail, MailCall } from '@emma/contract/actions/transactional.ts'
import type { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import type { user } from '@emma/contract/resources/user.ts'
import type { z } from 'zod'

/** Records of the demo as stored in the browser (R308): those of the API with the additional fields of D2 §3. */
export type DemoClient = Row<typeof client>
export type DemoDomain = Row<typeof domain>
export type DemoMailclass = Row<typeof mailclass>
export type DemoImapSetting = Row<typeof imapSetting>
export type DemoAlert = Row<typeof alert>
export type DemoImapLogin = Row<typeof imapLogin>
export type DemoSegment = Row<typeof list>
export type DemoDatasource = Omit<Row<typeof membertable>, 'removed_columns'>
export type DemoTestSubscriber = Row<typeof testaddress>
export type DemoTestGroup = Row<typeof testgroup>
export type DemoPreset = Row<typeof campaignPreset>
export type DemoCapping = Row<typeof capping>
export type DemoRecurring = Row<typeof recurring>
export type DemoTransactional = Row<typeof transactionalcampaign>
export type DemoTransactionalMail = LoggedMail & { transactional_id: number; data: MailCall['data'] }
export type DemoCategory = Row<typeof category>
export type DemoRole = Row<typeof role>
export type DemoPlaceholder = Row<typeof placeholder>
export type DemoPmt = Row<typeof pmt>
export type DemoWebform = Row<typeof webform>
export type DemoReportingGroup = Row<typeof reportingGroup>
export type DemoDashboard = Row<typeof dashboard>
export type DemoMotd = Row<typeof motd>
export type DemoLegalDocument = Row<typeof agb>
export type DemoReport = z.infer<typeof report>
export type DemoTemplate = Row<typeof message> & { user: { id: number; firstname: string; lastname: string } }
export type DemoBlacklist = Row<typeof blacklist> & { entries: z.infer<typeof blacklistEntry>[] }
export type DemoMultiBlacklist = z.infer<typeof multiBlacklist> & { values: string[] }
export type DemoUser = Omit<Row<typeof user>, 'password'> & { settings: DemoSettings[] }
export type DemoSettings = { client_id: number; custom: Record<string, unknown> }

export type DemoCampaign = Row<typeof campaign> & {
  domain: DemoDomain | null
  list: DemoSegment | null
  mailclass: DemoMailclass | null
  message: DemoTemplate | null
}

/** Open and click rates are percentages (R312); the other columns are those of the datasource. */
export type DemoSubscriber = Row<typeof member> & {
  firstname: string
  lastname: string
  city: string
  birthday: string
  points: number
  open_rate: number
  click_rate: number
}

/** Figures of transactional messages on one day. */
export type DemoTransactionalReport = { date: string } & Pick<
  DemoReport,
  | 'nb_send'
  | 'nb_delivered'
  | 'nb_open'
  | 'nb_click'
  | 'nb_hardbounce'
  | 'nb_softbounce'
  | 'nb_otherbounce'
  | 'nb_unsubscribe'
  | 'nb_complaint'
  | 'nb_preblock'
>

/** Figures of double opt-in on one day: requests, confirmations and imports. */
export type DemoDoiReport = {
  date: string
  entries: number
  imports: number
  requested: number
  sent: number
  confirmed: number
  expired: number
  rate: number
}

/** Sent messages of one month, by type. */
export type DemoSendVolume = MonthVolume
