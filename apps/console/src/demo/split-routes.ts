import { chooseWinner } from '@emma/contract/actions/campaigns.ts'
import { splitReport } from '@emma/contract/actions/reports.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { hasRest } from '@emma/contract/split.ts'
import { chooseWinner as winnerOf } from '@emma/contract/statistics/choose-winner.ts'
import { compareVariants } from '@emma/contract/statistics/compare-variants.ts'
import { sampleRatioP } from '@emma/contract/statistics/sample-ratio.ts'
import { advanceCampaigns, inTurn, keepCampaign } from './advance-campaigns.ts'
import { type DemoRoute, type DemoState, onAction } from './demo-call.ts'
import type { DemoCampaign, DemoTemplate } from './demo-records.ts'
import { decisiveFigures, splitParts } from './split-parts.ts'

const { running, paused, held } = campaignState

/** Report of an A/B test, and the choice of its winner. */
export const splitRoutes: readonly DemoRoute[] = [
  ...onAction(splitReport, async ({ params }, state) => {
    await advanceCampaigns(state)
    const { campaign, split } = await findTest(params.campaign_id, state)
    const parts = splitParts(campaign)
    const figures = decisiveFigures(parts, split.winner_by)
    const { split_result: result, split_sampled_at: sampledAt } = campaign
    return {
      variants: await variantsOf(campaign, state),
      parts,
      compared: compareVariants(figures, split.level),
      standing: figures.length > 1 ? winnerOf(figures, split) : null,
      ratio_p: sampleRatioP(parts.flatMap(({ part, delivered }) => (part === 'variant' ? [delivered] : []))),
      split,
      waits: waitsForWinner(campaign),
      winner: campaign.split_winner,
      result,
      sampled_at: sampledAt,
      decided_at: campaign.split_decided_at,
      decided_by: result?.reason === 'person' ? nameOf(state) : null,
      decides_at:
        sampledAt === null || split.winner_by === 'person' || result !== null
          ? null
          : new Date(Date.parse(sampledAt) + split.wait_minutes * 60_000).toISOString(),
    }
  }),
  ...onAction(chooseWinner, ({ params, body: { variant: winner } }, state) =>
    inTurn(async () => {
      const { campaign, split } = await findTest(params.campaign_id, state)
      if (!waitsForWinner(campaign)) throw new EmmaError('wrong_state', fault('refusal.no_winner_awaited'))
      if (winner !== null && winner > split.variants.length)
        throw invalid([fieldError('variant', 'field.not_there')])
      const figures = decisiveFigures(splitParts(campaign), split.winner_by)
      const { winner_by, level } = split
      return keepCampaign(
        {
          ...campaign,
          split_winner: winner,
          split_decided_at: state.now().toISOString(),
          split_result: { reason: 'person', winner_by, level, figures, user_id: state.person.id },
          revision: campaign.revision + 1,
        },
        state,
      )
    }),
  ),
]

/** What each variant is sent with, the campaign itself first. */
export async function variantsOf(
  { split, message_id, subject, fromadr, fromname, reply_to }: DemoCampaign,
  { tables }: DemoState,
) {
  const own = { message_id, subject, fromadr, fromname, reply_to }
  const templates = await tables<DemoTemplate>('template').all()
  return [{}, ...(split?.variants ?? [])].map(variant => {
    const set = Object.entries(variant).filter(([name, value]) => name in own && value !== null)
    const sent: typeof own = { ...own, ...Object.fromEntries(set) }
    const template = templates.find(({ message_id: id }) => id === sent.message_id)
    return { ...sent, template: template?.name ?? null }
  })
}

async function findTest(id: number, { tables }: DemoState) {
  const campaign = await tables<DemoCampaign>('campaign').get(id)
  if (!campaign?.split) throw new EmmaError('not_found')
  return { campaign, split: campaign.split }
}

function waitsForWinner({ split, valid, split_decided_at: decidedAt }: DemoCampaign): boolean {
  const isDecidable = [running, paused, held].some(state => state === valid)
  return split !== null && hasRest(split) && isDecidable && decidedAt === null
}

function nameOf({ person }: DemoState): string {
  return `${person.firstname} ${person.lastname}`.trim()
}
