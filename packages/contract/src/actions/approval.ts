import { z } from 'zod'
import { approval, approvalHash } from '../approval.ts'
import { defineAction } from '../define-action.ts'
import { text } from '../fields.ts'

const note = text(1000).trim().nullish()
const noted = z.object({ note }).nullish()

/** `hash`: of what the user looked at; refused if it is not what would be sent now. */
const approved = z.object({ hash: approvalHash, note })

const ofCampaign = '/v2/emma/client/{client_id}/campaign/{campaign_id}/approval'
const ofRecurring = '/v2/emma/client/{client_id}/recurring/{recurring_id}/approval'

/** State of a campaign's approval by a second person (client field `campaign_approval`). */
export const readCampaignApproval = defineAction({
  name: 'readCampaignApproval',
  area: 'campaigns',
  paths: [ofCampaign],
  permission: 'EmmaCampaign:get',
  response: approval,
})

/** Asks for the approval of a campaign as it is now, and notifies those who may approve. */
export const requestCampaignApproval = defineAction({
  name: 'requestCampaignApproval',
  area: 'campaigns',
  method: 'POST',
  paths: [`${ofCampaign}/request`],
  permission: 'EmmaCampaign:patch',
  body: noted,
  response: approval,
})

/** Approves a campaign as it was requested; refused for the user who asked or who changed the campaign last. */
export const approveCampaign = defineAction({
  name: 'approveCampaign',
  area: 'campaigns',
  method: 'POST',
  paths: [`${ofCampaign}/approve`],
  permission: 'EmmaCampaign:patch',
  body: approved,
  response: approval,
})

/** Removes the approval of a campaign, or the request for it. */
export const revokeCampaignApproval = defineAction({
  name: 'revokeCampaignApproval',
  area: 'campaigns',
  method: 'POST',
  paths: [`${ofCampaign}/revoke`],
  permission: 'EmmaCampaign:patch',
  body: noted,
  response: approval,
})

/** The same for a recurring campaign, whose runs are sent as it was approved. */
export const readRecurringApproval = defineAction({
  name: 'readRecurringApproval',
  area: 'recurring',
  paths: [ofRecurring],
  permission: 'EmmaRecurring:get',
  response: approval,
})

export const requestRecurringApproval = defineAction({
  name: 'requestRecurringApproval',
  area: 'recurring',
  method: 'POST',
  paths: [`${ofRecurring}/request`],
  permission: 'EmmaRecurring:patch',
  body: noted,
  response: approval,
})

export const approveRecurring = defineAction({
  name: 'approveRecurring',
  area: 'recurring',
  method: 'POST',
  paths: [`${ofRecurring}/approve`],
  permission: 'EmmaCampaign:patch',
  alsoNeeds: ['EmmaRecurring:get'],
  body: approved,
  response: approval,
})

export const revokeRecurringApproval = defineAction({
  name: 'revokeRecurringApproval',
  area: 'recurring',
  method: 'POST',
  paths: [`${ofRecurring}/revoke`],
  permission: 'EmmaCampaign:patch',
  alsoNeeds: ['EmmaRecurring:get'],
  body: noted,
  response: approval,
})
