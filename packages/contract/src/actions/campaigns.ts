import { z } from 'zod'
import { reasonFields } from '../fault-fields.ts'
import { campaignActions } from '../campaign-states.ts'
import { defineAction } from '../define-action.ts'
import { instant, line, name, queryId, queryText } from '../fields.ts'
import { MOST_VARIANTS } from '../split.ts'

const pathId = z.coerce.number().int().positive()

const finding = z.object({ code: z.string(), field: z.string(), ...reasonFields })

/** Checks a campaign (errors block the start, warnings have to be confirmed) and counts its recipients. */
export const checkCampaign = defineAction({
  name: 'checkCampaign',
  slow: true,
  area: 'campaigns',
  paths: ['/emma/campaign/{id}/check'],
  permission: 'EmmaCampaign:get',
  response: z.object({ errors: z.array(finding), warnings: z.array(finding), recipients: z.int() }),
})

/** Most keys that `listSendOnceKeys` returns. */
export const MOST_SEND_ONCE_KEYS = 20

const sendOnceKeyUse = z.object({
  key: z.string(),
  /** Campaigns with the key, runs of recurring campaigns included; 0: only a recurring campaign that has not run. */
  campaigns: z.int(),
  /** When the newest of them started, or was created if it has not started. */
  last_used_at: instant,
})
export type SendOnceKeyUse = z.infer<typeof sendOnceKeyUse>

/** Send-once keys of a client's campaigns and recurring campaigns, the last used ones first. */
export const listSendOnceKeys = defineAction({
  name: 'listSendOnceKeys',
  area: 'campaigns',
  paths: ['/v2/emma/client/{client_id}/campaign:send-once-keys'],
  permission: 'EmmaCampaign:get',
  params: z.object({ client_id: queryId }),
  query: z.object({
    /** Part of the key, in upper or lower case. */
    search: queryText.optional(),
  }),
  response: z.object({ data: z.array(sendOnceKeyUse) }),
  evicts: ['recurring'],
})

/**
 * R196: start, pause, stop, copy, archive, unarchive, schedule, cancel. Returns the campaign (copy: the new one).
 * `startdate` null sends at once; omitted, the campaign's own time applies. A past time is rejected.
 */
export const moveCampaign = defineAction({
  name: 'moveCampaign',
  area: 'campaigns',
  method: 'POST',
  paths: ['/emma/campaign/{id}/{action}'],
  permission: 'EmmaCampaign:patch',
  params: z.object({ id: pathId, action: z.enum(campaignActions) }),
  body: z.object({ startdate: instant.nullish() }).nullish(),
  response: z.looseObject({ campagne_id: z.int(), valid: z.int() }),
  evicts: ['campaign', 'report'],
})

/** Resends mails whose delivery status is unknown, as they were in flight when an engine died. */
export const resolveUnknown = defineAction({
  name: 'resolveUnknown',
  area: 'campaigns',
  method: 'POST',
  paths: ['/emma/campaign/{id}/resend-unknown'],
  permission: 'EmmaCampaign:patch',
  response: z.object({ resent: z.int() }),
  evicts: ['campaign', 'report'],
})

/** Recipients of a campaign that get it again: who has not opened it, or not clicked, as counted when it is sent. */
export const resendTargets = ['not_opened', 'not_clicked'] as const
export type ResendTarget = (typeof resendTargets)[number]

/**
 * Creates a draft with the settings of a sent campaign for those of its recipients who have not reacted, and a segment
 * of them. Who does react before the draft is sent is left out.
 */
export const resendCampaign = defineAction({
  name: 'resendCampaign',
  area: 'campaigns',
  method: 'POST',
  paths: ['/emma/campaign/{id}/resend'],
  permission: 'EmmaCampaign:post',
  alsoNeeds: ['EmmaList:post', 'EmmaMember:get'],
  body: z.object({
    to: z.enum(resendTargets),
    /** Names of the campaign and the segment; default: that of the campaign with an addition. */
    name: name.optional(),
    /** Null: the same subject. */
    subject: line(255).trim().nullish(),
  }),
  response: z.looseObject({ campagne_id: z.int(), list_id: z.int().nullable() }),
  status: 201,
  evicts: ['campaign', 'list'],
})

/**
 * Chooses what the recipients get who wait for the winner of the A/B test; `variant` null: nothing. Refused when nobody
 * waits.
 */
export const chooseWinner = defineAction({
  name: 'chooseWinner',
  area: 'campaigns',
  method: 'POST',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/split-winner'],
  permission: 'EmmaCampaign:patch',
  body: z.object({
    variant: z
      .int()
      .min(0)
      .max(MOST_VARIANTS - 1)
      .nullable(),
  }),
  response: z.looseObject({ campagne_id: z.int(), split_winner: z.int().nullable() }),
  evicts: ['campaign', 'report'],
})

/** R173: audit log of the campaign, its message and its segment, newest first. */
export const campaignHistory = defineAction({
  name: 'campaignHistory',
  area: 'campaigns',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/c-m-u-history'],
  permission: 'EmmaCampaign:get',
  query: z.looseObject({}),
  response: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        ts: z.string(),
        user_id: z.int().nullable(),
        user: z.string(),
        object: z.string(),
        object_id: z.int().nullable(),
        action: z.string(),
        changes: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
})
