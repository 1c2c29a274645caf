import type { ResendTarget } from '@emma/contract/actions/campaigns.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { listOperations } from '../audience/segments/list-operations.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { type Campaign, campaignOperations } from './campaign-operations.ts'
import { copyCampaign } from './move-campaign.ts'

interface Resend {
  to: ResendTarget
  name?: string | undefined
  subject?: string | null | undefined
}

/** Added to the campaign's name. */
const additions: Record<ResendTarget, string> = { not_opened: 'not opened', not_clicked: 'not clicked' }

/**
 * Creates a draft of a sent campaign for those of its recipients who have not opened it, or not clicked, and a segment
 * of them. It has no A/B test, whose variants were compared already, and no send-once key, which all of them have got.
 * @throws EmmaError `not_found`; `wrong_state` for a campaign that was not sent
 */
export function resendCampaign(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  { to, name, subject }: Resend,
): Promise<Campaign> {
  return transaction(db, async tx => {
    const campaign = await campaignOperations.find(tx, actor, scope, id)
    if (campaign.started_at === null || campaign.member_table_id === null)
      throw new EmmaError('wrong_state', fault('refusal.nothing_sent'))
    const named = name ?? `${campaign.name.slice(0, 230)} (${additions[to]})`
    const segment = await listOperations.create(tx, actor, campaign.client_id, {
      name: named,
      member_table_id: campaign.member_table_id,
      query: withoutReaction(id, to),
    })
    const copy = await copyCampaign(tx, actor, campaign)
    return campaignOperations.patch(
      tx,
      actor,
      scope,
      copy.campagne_id,
      {
        name: named,
        list_id: segment.list_id,
        split: null,
        send_once_key: null,
        ...(subject ? { subject } : {}),
      },
      { revision: null },
    )
  })
}

function withoutReaction(campaignId: number, to: ResendTarget): RuleGroup {
  const value: RuleGroup = {
    combinator: 'and',
    rules: [{ field: 'campagne_id', operator: '=', value: campaignId }],
  }
  return {
    combinator: 'and',
    rules: [
      { field: 'sent', operator: '=', match: { mode: 'some' }, value },
      { field: to === 'not_opened' ? 'opened' : 'clicked', operator: '=', match: { mode: 'none' }, value },
    ],
  }
}
