import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { Actor, TenantScope } from '../../resource/actor.ts'
import { type Campaign, campaignOperations } from '../campaign-operations.ts'
import { lockCampaign } from '../lock-campaign.ts'
import { countDecisive } from './count-variants.ts'
import { decidableStates, recordDecision } from './record-decision.ts'

/**
 * A user chooses what the rest of an A/B test gets, at any time before it is decided. The figures of this moment are
 * stored with it.
 * @param winner index of the variant; null: nobody else gets the campaign
 * @throws EmmaError `wrong_state` if nobody waits for a winner, `invalid` if there is no such variant
 */
export async function chooseByUser(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
  winner: number | null,
): Promise<Campaign> {
  const { client_id: clientId, split } = await campaignOperations.find(db, actor, scope, campaignId)
  if (!split) throw new EmmaError('wrong_state', fault('refusal.no_winner_awaited'))
  if (winner !== null && winner > split.variants.length)
    throw invalid([fieldError('variant', 'field.not_there')])
  const key = { clientId, campaignId }
  // Counting takes seconds with millions of recipients: nobody waits for a lock meanwhile.
  const figures = await countDecisive(db, key, split)
  return transaction(db, async tx => {
    const { waitsForWinner } = await lockCampaign(tx, scope, campaignId)
    const { name, valid } = await campaignOperations.find(tx, actor, scope, campaignId)
    if (!waitsForWinner || !decidableStates.includes(valid))
      throw new EmmaError('wrong_state', fault('refusal.no_winner_awaited'))
    const { winner_by, level } = split
    const result = { reason: 'person', winner_by, level, figures, user_id: actor.userId } as const
    await recordDecision(tx, actor, { ...key, name, valid }, { winner, result })
    return campaignOperations.find(tx, actor, scope, campaignId)
  })
}
