import { type CampaignQueue, readCampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { undoScdAction } from '@emma/contract/actions/scd-rules.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type DemoRoute, type DemoState, type Fields, onAction } from './demo-call.ts'
import type { DemoCampaign } from './demo-records.ts'

/** The queue of a campaign, and the end of what holds it back. */
export const queueRoutes: readonly DemoRoute[] = [
  ...onAction(readCampaignQueue, async ({ params }, state) => {
    const campaign = await state.tables<DemoCampaign>('campaign').get(params.id)
    if (!campaign) throw new EmmaError('not_found')
    return (await state.tables<CampaignQueue>('campaign_queue').get(params.id)) ?? queueOf(campaign, state)
  }),
  ...onAction(undoScdAction, async ({ params: { id } }, { tables }) => {
    for (const { campagne_id: key } of await tables<DemoCampaign>('campaign').all()) {
      const queue = await tables<CampaignQueue>('campaign_queue').get(key)
      if (queue) await tables<CampaignQueue>('campaign_queue').put(key, withoutAction(queue, id))
    }
    return { undone: true }
  }),
]

/** All that is not sent yet waits for one provider. */
async function queueOf(campaign: DemoCampaign, { tables }: DemoState): Promise<CampaignQueue> {
  const { mailclass_id, estimated_volume, progress_cur, valid } = campaign
  const mailclass = await tables<Fields>('mailclass').get(mailclass_id ?? 0)
  const isOpen = [campaignState.running, campaignState.paused].some(state => state === valid)
  const waiting = isOpen ? estimated_volume - progress_cur : 0
  const provider = { provider_id: 0, name: 'other', waiting, deferred: 0, sending: 0, waits: [] }
  const route = { esp_id: null, is_used: true, warmup: null, waits: [] }
  return {
    waits: [],
    providers: waiting > 0 ? [provider] : [],
    routes: mailclass ? [{ ...route, mailclass_id, name: String(mailclass['name']) }] : [],
    domains: [],
    deferrals: [],
    has_more_deferrals: false,
    rule_actions: [],
  }
}

function withoutAction(queue: CampaignQueue, id: number): CampaignQueue {
  const end = <Part extends { waits: CampaignQueue['waits'] }>(part: Part): Part => ({
    ...part,
    waits: part.waits.filter(({ action_id }) => action_id !== id),
  })
  return {
    ...queue,
    providers: queue.providers.map(end),
    routes: queue.routes.map(end),
    rule_actions: queue.rule_actions.map(action =>
      action.id === id ? { ...action, is_active: false, undone_at: action.acted_at } : action,
    ),
  }
}
