import type { RecordOf } from '@emma/client/emma-client.ts'
import type { blacklist, blacklistKinds } from '@emma/contract/resources/blacklist.ts'

export type Blacklist = RecordOf<typeof blacklist>
export type BlacklistKind = (typeof blacklistKinds)[number]

/** Paths and texts of both types: blacklists of single campaigns, and of the client. */
export const kinds = {
  campaign: {
    path: '/subscribers/blacklistscampaign',
    title: 'screens.blacklists',
    text: 'audience.blacklist.campaign_text',
  },
  client: {
    path: '/subscribers/blacklistsglobal',
    title: 'screens.client_blacklist',
    text: 'audience.blacklist.client_text',
  },
} as const
