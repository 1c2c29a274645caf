import { listMtaShares, type MtaStats, readMtaStats } from '@emma/contract/actions/mta-stats.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { advanceCampaigns } from './advance-campaigns.ts'
import { type DemoRoute, type DemoState, onAction } from './demo-call.ts'
import type { DemoCampaign, DemoReport } from './demo-records.ts'

/** Delivery figures of a campaign (R242), made of its report; its emails are accepted evenly within the hour. */
export const mtaStatsRoutes: readonly DemoRoute[] = [
  ...onAction(readMtaStats, ({ params }, state) => statsNow(params.id, state)),
  // Links are for people outside the demo: there are none, and none can be made.
  ...onAction(listMtaShares, async () => ({ data: [] })),
]

async function statsNow(id: number, state: DemoState): Promise<MtaStats> {
  await advanceCampaigns(state)
  const report = await state.tables<DemoReport>('report').get(id)
  const campaign = await state.tables<DemoCampaign>('campaign').get(id)
  const client = await state.tables<{ name: string }>('client').get(demoClientId)
  if (!report || !campaign) throw new EmmaError('not_found')
  const providers = report.providers.map(provider => ({
    provider_id: provider.provider_id,
    name: provider.name,
    waiting: 0,
    deferred: provider.deferred,
    accepted: provider.accepted,
    rejected: provider.hard + provider.soft,
    avg_s: provider.avg_s,
  }))
  const sum = (name: 'accepted' | 'rejected' | 'deferred') =>
    providers.reduce((total, provider) => total + provider[name], 0)
  const end = Date.parse(campaign.finished_at ?? state.now().toISOString())
  return {
    campagne_id: id,
    name: campaign.name,
    client: client?.name ?? '',
    valid: campaign.valid,
    expires_at: null,
    queue: {
      waiting: report.nb_pending,
      deferred: sum('deferred'),
      in_flight: 0,
      unknown: report.nb_unknown,
    },
    accepted: sum('accepted'),
    rejected: sum('rejected'),
    avg_s: providers[0]?.avg_s ?? null,
    minutes: Array.from({ length: 60 }, (_, index) => ({
      ts: new Date(end - (59 - index) * 60_000).toISOString(),
      accepted: Math.round(sum('accepted') / 60),
      rejected: Math.round(sum('rejected') / 60),
      deferred: Math.round(sum('deferred') / 60),
    })),
    providers,
    reasons: report.bounces.map(({ class: name, hard, people }) => ({
      smtp_code: hard ? 550 : 452,
      enhanced: null,
      class: name,
      hard,
      count: people,
    })),
  }
}
