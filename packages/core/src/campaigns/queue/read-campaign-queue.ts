import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Actor, TenantScope } from '../../resource/actor.ts'
import { mayReadMembers } from '../../resource/member-rights.ts'
import { campaignOperations } from '../campaign-operations.ts'
import { countQueue } from './count-queue.ts'
import { readDeferrals } from './read-deferrals.ts'
import { readPoolState } from './read-pool-state.ts'
import { readQueueLimits } from './read-queue-limits.ts'
import { readRuleActions } from './read-rule-actions.ts'
import { campaignWaits, providerWaits, routeWaits, usedRoute, warmupOfRoute } from './wait-reasons.ts'

/**
 * Reads the emails of a campaign that wait, with the limits that hold them back at this moment, as the engine applies
 * them (deliverability/limits), its deferrals, and the actions of reply rules (R035).
 *
 * @throws EmmaError `not_found`
 */
export async function readCampaignQueue(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
): Promise<CampaignQueue> {
  const campaign = await campaignOperations.find(db, actor, scope, campaignId)
  const key = { clientId: campaign.client_id, campaignId }
  const withReplies = mayReadMembers(actor)
  const [queue, limits, deferrals, domains] = await Promise.all([
    countQueue(db, key),
    readQueueLimits(db, campaign),
    readDeferrals(db, key, withReplies),
    campaign.use_domain_pool ? readPoolState(db, key) : [],
  ])
  const state = { campaign, queue, limits }
  const used = usedRoute(limits)
  return {
    waits: campaignWaits(state),
    providers: queue.providers.map(provider => ({
      provider_id: provider.providerId,
      name: provider.name,
      waiting: provider.waiting,
      deferred: provider.deferred,
      sending: provider.sending,
      waits: providerWaits(state, provider),
    })),
    routes: limits.routes.map(route => ({
      mailclass_id: route.mailclass_id === 0 ? null : route.mailclass_id,
      esp_id: route.esp_id,
      name: route.esp_id === null ? route.name : limits.service,
      is_used: route === used,
      warmup: warmupOfRoute(limits, route),
      waits: routeWaits(state, route),
    })),
    domains,
    deferrals: deferrals.rows,
    has_more_deferrals: deferrals.hasMore,
    rule_actions: await readRuleActions(db, key, { routes: limits.routes, withReplies }),
  }
}
