import type { RecordOf } from '@emma/client/emma-client.ts'
import type { blacklist, blacklistKinds } from '@emma/contract/resources/blacklist.ts'

export type Blacklist = RecordOf<typeof blacklist>
export type BlacklistKind = (typeof blacklistKinds)[number]

/** Addresses and texts of both kinds: for single campaigns, and for all of the client's. */
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
