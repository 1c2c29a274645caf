import { campaignState } from '@emma/contract/campaign-states.ts'
import { type SplitResult, variantLetter } from '@emma/contract/split.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import type { Db } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql } from 'kysely'
import type { Actor } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'

export interface SplitDecision {
  /** Null: the rest gets nothing, or (reason `ask`) waits on. */
  winner: number | null
  result: SplitResult
}

/**
 * Writes down how an A/B test was decided, in the caller's transaction, which holds the campaign's row. The engine then
 * sends the rest, or cancels it (1-expand/release-rest.ts).
 */
export async function recordDecision(
  tx: Db,
  actor: Actor,
  {
    clientId,
    campaignId,
    name,
    valid,
  }: { clientId: number; campaignId: number; name: string; valid: number },
  { winner, result }: SplitDecision,
): Promise<void> {
  const isDecided = result.reason !== 'ask'
  await sql`
    update campaign
    set split_winner = ${winner}, split_result = ${JSON.stringify(result)}::jsonb,
      split_decided_at = case when ${isDecided} then now() end, updated_at = now(), revision = revision + 1
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(tx)
  const letter = winner === null ? null : variantLetter(winner)
  await logChange(tx, actor, {
    clientId,
    object: 'campaign',
    id: campaignId,
    action: 'update',
    changes: { split_winner: [null, letter], split_result: [null, result] },
  })
  await publish(tx, {
    client_id: clientId,
    type: 'CAMPAIGN_STATUS',
    data: { campagne_id: campaignId, name, valid },
  })
  if (result.reason === 'person' || !isDecided) return
  const code =
    letter === null ? 'split_nobody' : result.reason === 'significant' ? 'split_won' : 'split_chosen'
  await addNotification(tx, {
    clientId,
    permission: 'EmmaCampaign:get',
    kind: letter === null ? 'warning' : 'success',
    code,
    details: { name, variant: letter ?? '' },
    text:
      letter === null
        ? `The A/B test of the campaign “${name}” has no winner; nobody else gets it.`
        : `The rest of the campaign “${name}” gets variant ${letter}.`,
    path: `/campaigns/reports/${campaignId}`,
  })
}

/** States in which a user may choose the winner. */
export const decidableStates: readonly number[] = [
  campaignState.running,
  campaignState.paused,
  campaignState.held,
]
