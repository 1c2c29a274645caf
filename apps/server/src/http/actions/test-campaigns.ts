import { testMessage } from '@emma/contract/actions/content.ts'
import * as contract from '@emma/contract/actions/test-campaigns.ts'
import { markTested } from '@emma/core/campaigns/mark-tested.ts'
import {
  findTest,
  findTestedCampaign,
  listTests,
  openHistory,
  readHistory,
  testLinks,
} from '@emma/core/campaigns/test-history.ts'
import { compileMessage } from '@emma/core/content/compile-message.ts'
import { findStoredMessage } from '@emma/core/content/message-operations.ts'
import { accessibleClients, type Actor, ownClient, scopeOf } from '@emma/core/resource/actor.ts'
import { assertMayReadMembers } from '@emma/core/resource/member-rights.ts'
import type { z } from 'zod'
import { sendTestMessage } from '../../mail/send-test-message.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { keepPrivate, mountShares } from '../mount-shares.ts'
import { presentPage } from '../page.ts'

/** Mounts test sends of messages and their history. */
export function mountTestActions(http: Http): void {
  const compiler = { compile: http.previews.compile, trackingBase: http.config.trackingUrl }

  async function send(
    db: Http['db'],
    actor: Actor,
    clientId: number,
    body: z.output<typeof testMessage.body>,
  ) {
    if (body.member_id !== 0) assertMayReadMembers(actor)
    const message = await findStoredMessage(db, actor, scopeOf(actor, clientId), body.message_id)
    // Faults of the content are reported by field before anything is sent.
    await compileMessage(db, clientId, message, compiler)
    const test = await sendTestMessage(http, actor, clientId, body)
    const { message_id, campagne_id = null } = body
    if (campagne_id !== null && test.results.every(result => result.outcome === 'sent'))
      await markTested(db, clientId, { campaignId: campagne_id, messageId: message_id })
    return test
  }

  mountAction(http, testMessage, async ({ db, actor, params, body }) => {
    const { results } = await send(db, actor, params.client_id, body)
    return { results }
  })

  mountAction(http, contract.sendTestCampaign, ({ db, actor, body: { client_id, ...body } }) =>
    send(db, actor, ownClient(actor, client_id), body),
  )

  mountAction(http, contract.listTestCampaigns, async ({ db, actor, query }) => {
    const scope = query.client_id === undefined ? accessibleClients(actor) : scopeOf(actor, query.client_id)
    return presentPage(await listTests(db, scope, query), query.limit, query.skip)
  })

  mountAction(http, contract.findTestCampaign, ({ db, actor, params }) =>
    findTest(db, accessibleClients(actor), params.id),
  )

  mountAction(http, contract.readTestHistory, ({ db, actor, params: { client_id, campaign_id } }) => {
    scopeOf(actor, client_id)
    return readHistory(db, client_id, campaign_id)
  })

  mountAction(http, contract.viewTestHistory, ({ db, params, query, reply }) => {
    keepPrivate(reply)
    return openHistory(db, params.campaign_id, query.secret)
  })

  const { listTestShares: list, shareTestHistory: share, revokeTestShare: revoke } = contract
  mountShares(http, { list, share, revoke }, testLinks, keyOf)
}

/** Throws `not_found` for a campaign that is not there, or of another client. */
async function keyOf(
  db: Http['db'],
  actor: Actor,
  { client_id: clientId, campaign_id: id }: { client_id: number; campaign_id: number },
) {
  scopeOf(actor, clientId)
  await findTestedCampaign(db, clientId, id)
  return { clientId, id }
}
