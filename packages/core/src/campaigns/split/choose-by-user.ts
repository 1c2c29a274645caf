import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { segmentMemory } from '../../audience/segments/segment-members.ts'
import type { Actor, TenantScope } from '../../resource/actor.ts'
import { type Campaign, campaignOperations } from '../campaign-operations.ts'
import { lockCampaign } from '../lock-campaign.ts'
import { countVariants, decisiveFigures } from './count-variants.ts'
import { decidableStates, recordDecision } from './record-decision.ts'

/**
 * A user chooses what the rest of an A/B test gets, at any time before it is decided. The figures of this moment are
 * stored with it.
 * @param winner index of the variant; null: nobody else gets the campaign
 * @throws EmmaError `wrong_state` if nobody waits for a winner, `invalid` if there is no such variant
 */
export function chooseByUser(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
  winner: number | null,
): Promise<Campaign> {
  return transaction(db, async tx => {
    const { waitsForWinner } = await lockCampaign(tx, scope, campaignId)
    const campaign = await campaignOperations.find(tx, actor, scope, campaignId)
    const { client_id: clientId, name, valid, split } = campaign
    if (!waitsForWinner || !split || !decidableStates.includes(valid))
      throw new EmmaError('wrong_state', fault('refusal.no_winner_awaited'))
    if (winner !== null && winner > split.variants.length)
      throw invalid([fieldError('variant', 'field.not_there')])
    const key = { clientId, campaignId }
    await segmentMemory.execute(tx)
    const figures = decisiveFigures(await countVariants(tx, key, split.goal_list_id), split)
    await recordDecision(
      tx,
      actor,
      { ...key, name, valid },
      {
        winner,
        result: {
          reason: 'person',
          winner_by: split.winner_by,
          level: split.level,
          figures,
          user_id: actor.userId,
        },
      },
    )
    return campaignOperations.find(tx, actor, scope, campaignId)
  })
}
