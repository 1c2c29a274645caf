import * as approval from '@emma/contract/actions/approval.ts'
import { approve, requestApproval, revokeApproval } from '@emma/core/campaigns/approval/decide-approval.ts'
import { readApproval } from '@emma/core/campaigns/approval/read-approval.ts'
import type { ApprovalSubject } from '@emma/core/campaigns/approval/read-sent.ts'
import { scopeOf } from '@emma/core/resource/actor.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Mounts the approval of campaigns and recurring campaigns by a second person. */
export function mountApprovalActions(http: Http): void {
  mountAction(http, approval.readCampaignApproval, ({ db, actor, params }) =>
    readApproval(db, actor, scopeOf(actor, params.client_id), campaignOf(params)),
  )
  mountAction(http, approval.requestCampaignApproval, ({ db, actor, params, body }) =>
    requestApproval(db, actor, scopeOf(actor, params.client_id), campaignOf(params), body?.note || null),
  )
  mountAction(http, approval.approveCampaign, ({ db, actor, params, body }) =>
    approve(db, actor, scopeOf(actor, params.client_id), campaignOf(params), {
      hash: body.hash,
      note: body.note || null,
    }),
  )
  mountAction(http, approval.revokeCampaignApproval, ({ db, actor, params, body }) =>
    revokeApproval(db, actor, scopeOf(actor, params.client_id), campaignOf(params), body?.note || null),
  )

  mountAction(http, approval.readRecurringApproval, ({ db, actor, params }) =>
    readApproval(db, actor, scopeOf(actor, params.client_id), recurringOf(params)),
  )
  mountAction(http, approval.requestRecurringApproval, ({ db, actor, params, body }) =>
    requestApproval(db, actor, scopeOf(actor, params.client_id), recurringOf(params), body?.note || null),
  )
  mountAction(http, approval.approveRecurring, ({ db, actor, params, body }) =>
    approve(db, actor, scopeOf(actor, params.client_id), recurringOf(params), {
      hash: body.hash,
      note: body.note || null,
    }),
  )
  mountAction(http, approval.revokeRecurringApproval, ({ db, actor, params, body }) =>
    revokeApproval(db, actor, scopeOf(actor, params.client_id), recurringOf(params), body?.note || null),
  )
}

function campaignOf(params: { client_id: number; campaign_id: number }): ApprovalSubject {
  return { clientId: params.client_id, subject: 'campaign', id: params.campaign_id }
}

function recurringOf(params: { client_id: number; recurring_id: number }): ApprovalSubject {
  return { clientId: params.client_id, subject: 'recurring', id: params.recurring_id }
}
