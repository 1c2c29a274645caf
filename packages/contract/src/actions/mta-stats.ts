import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { linkDays, linkSecret, newShareLink, shareLinks } from '../share-links.ts'

const base = { area: 'reports', permission: 'MtaStats:get' } as const

const count = z.int()

/** Delivery of one campaign as it is now (R242): what waits, the last hour by minute, providers, reasons. */
const mtaStats = z.object({
  campagne_id: z.int(),
  name: z.string(),
  client: z.string(),
  valid: z.int(),
  /** End of the link's validity; null for users of the client. */
  expires_at: z.string().nullable(),
  /** Emails by state. `waiting`: not tried yet, `deferred`: to be tried again, `in_flight`: claimed by an engine. */
  queue: z.object({ waiting: count, deferred: count, in_flight: count, unknown: count }),
  accepted: count,
  rejected: count,
  /** Seconds from claim to reply. */
  avg_s: z.number().nullable(),
  /** The hour up to now, or up to the last reply; minutes without a reply are there with zeros. */
  minutes: z.array(z.object({ ts: z.string(), accepted: count, rejected: count, deferred: count })),
  providers: z.array(
    z.object({
      provider_id: z.int(),
      name: z.string(),
      waiting: count,
      deferred: count,
      accepted: count,
      rejected: count,
      avg_s: z.number().nullable(),
    }),
  ),
  /** Replies that deferred or rejected, the most frequent first; without their texts, which can name recipients. */
  reasons: z.array(
    z.object({
      smtp_code: z.int().nullable(),
      enhanced: z.string().nullable(),
      class: z.string().nullable(),
      hard: z.boolean(),
      count,
    }),
  ),
})
export type MtaStats = z.infer<typeof mtaStats>

export const readMtaStats = defineAction({
  ...base,
  name: 'readMtaStats',
  slow: true,
  paths: ['/mtastats/{id}'],
  response: mtaStats,
})

/** The same, for anybody with the secret of a link (R025, T29). */
export const viewMtaStats = defineAction({
  ...base,
  name: 'viewMtaStats',
  slow: true,
  paths: ['/mtastats/{id}/shared'],
  permission: 'public',
  perMinute: 60,
  query: linkSecret,
  response: mtaStats,
})

/** Links to the delivery figures of a campaign. */
export const listMtaShares = defineAction({
  ...base,
  name: 'listMtaShares',
  paths: ['/mtastats/{id}/share'],
  response: shareLinks,
})

export const shareMtaStats = defineAction({
  ...base,
  name: 'shareMtaStats',
  method: 'POST',
  paths: ['/mtastats/{id}/share'],
  permission: 'MtaStats:post',
  body: z.strictObject({ days: linkDays }),
  response: newShareLink,
  status: 201,
})

export const revokeMtaShare = defineAction({
  ...base,
  name: 'revokeMtaShare',
  method: 'DELETE',
  paths: ['/mtastats/{id}/share/{share_id}'],
  permission: 'MtaStats:post',
  response: shareLinks,
})
