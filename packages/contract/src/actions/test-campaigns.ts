import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, queryId } from '../fields.ts'
import { linkDays, linkSecret, newShareLink, shareLinks } from '../share-links.ts'
import { testMessage, testResult } from './content.ts'
import { ipciResult } from './placement.ts'

const base = { area: 'campaigns' } as const

/** A recipient of a test, with the first open and click of a person, and of a program. They count nowhere else. */
const testRecipient = testResult.extend({
  /** False: sent without open pixel and tracked links. */
  is_tracked: z.boolean(),
  opened_at: instant.nullable(),
  clicked_at: instant.nullable(),
  machine_opened_at: instant.nullable(),
  machine_clicked_at: instant.nullable(),
})
export type TestRecipient = z.infer<typeof testRecipient>

/** A test of a campaign or a template that was sent (R197). */
const testCampaign = z.object({
  id,
  client_id: id,
  campagne_id: id.nullable(),
  message_id: id.nullable(),
  subject_prefix: z.string(),
  emails: z.array(z.string()),
  results: z.array(testRecipient),
  sent_at: instant,
  created_by: id.nullable(),
})
export type TestCampaign = z.infer<typeof testCampaign>

/** Tests that were sent, newest first. */
export const listTestCampaigns = defineAction({
  ...base,
  name: 'listTestCampaigns',
  paths: ['/emma/testcampaign/'],
  permission: 'EmmaTestCampaign:get',
  query: z.object({
    client_id: queryId.optional(),
    campagne_id: queryId.optional(),
    message_id: queryId.optional(),
    limit: z.coerce.number().int().min(0).max(1000).default(25),
    skip: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
  }),
  response: z.object({
    data: z.array(testCampaign),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

export const findTestCampaign = defineAction({
  ...base,
  name: 'findTestCampaign',
  paths: ['/emma/testcampaign/{id}'],
  permission: 'EmmaTestCampaign:get',
  response: testCampaign,
})

/** Sends a test, as testMessage does. */
export const sendTestCampaign = defineAction({
  ...base,
  name: 'sendTestCampaign',
  method: 'POST',
  paths: ['/emma/testcampaign/'],
  permission: 'EmmaTestCampaign:post',
  body: testMessage.body.extend({ client_id: id.nullish() }),
  response: testCampaign,
  status: 201,
  evicts: ['campaign'],
})

const history = z.object({
  campagne_id: id,
  name: z.string(),
  client: z.string(),
  /** End of the link's life; null for users of the client. */
  expires_at: instant.nullable(),
  /** The newest 200, newest first. */
  tests: z.array(testCampaign.omit({ created_by: true, client_id: true })),
  /** Newest check first, the newest 500. */
  placements: z.array(ipciResult.omit({ client_id: true, has_source: true })),
})

/** Tests and placement checks of a campaign (R029). */
export const readTestHistory = defineAction({
  ...base,
  name: 'readTestHistory',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/test-history'],
  permission: 'EmmaTestCampaign:get',
  response: history,
})

/** The same, for anybody with the secret of a link. */
export const viewTestHistory = defineAction({
  ...base,
  name: 'viewTestHistory',
  paths: ['/testhistory/{campaign_id}'],
  permission: 'public',
  perMinute: 60,
  query: linkSecret,
  response: history,
})

const ofCampaign = '/v2/emma/client/{client_id}/campaign/{campaign_id}/test-history/share'

/** Links to the test history of a campaign without login. Each secret is returned once, when the link is created. */
export const listTestShares = defineAction({
  ...base,
  name: 'listTestShares',
  paths: [ofCampaign],
  permission: 'EmmaTestCampaign:get',
  response: shareLinks,
})

export const shareTestHistory = defineAction({
  ...base,
  name: 'shareTestHistory',
  method: 'POST',
  paths: [ofCampaign],
  permission: 'EmmaTestCampaign:post',
  body: z.strictObject({ days: linkDays }),
  response: newShareLink,
  status: 201,
})

export const revokeTestShare = defineAction({
  ...base,
  name: 'revokeTestShare',
  method: 'DELETE',
  paths: [`${ofCampaign}/{share_id}`],
  permission: 'EmmaTestCampaign:post',
  response: shareLinks,
})
