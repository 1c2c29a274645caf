import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Split, SplitResult } from '@emma/contract/split.ts'
import type { Counted } from '@emma/contract/statistics/compare-rates.ts'
import { chooseWinner } from '@emma/contract/statistics/choose-winner.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { type RawBuilder, sql } from 'kysely'
import { systemActor } from '../../resource/actor.ts'
import { countDecisive } from './count-variants.ts'
import { recordDecision } from './record-decision.ts'

interface Key {
  clientId: number
  campaignId: number
}

/** A campaign whose rest waits for the winner. */
interface Waiting extends Key {
  name: string
  valid: number
  split: Split
  isSampled: boolean
  /** To be decided now. */
  isDue: boolean
}

/**
 * Moves the A/B tests of running campaigns on: notes when all mails of the sample have been tried once, and decides
 * those whose waiting time is over. Several engines may call it at the same time.
 */
export async function decideSplits(db: Db): Promise<void> {
  for (const waiting of await findWaiting(db, sql``)) {
    if (waiting.isSampled && !waiting.isDue) continue
    // Counting takes seconds with millions of recipients: nobody waits for a lock meanwhile.
    const figures = waiting.isDue ? await countDecisive(db, waiting, waiting.split) : null
    await transaction(db, tx => moveOn(tx, waiting, figures))
  }
}

async function moveOn(tx: Db, key: Key, figures: Counted[] | null): Promise<void> {
  const own = sql`and client_id = ${key.clientId} and campagne_id = ${key.campaignId}`
  // Another engine decides it, or a user does something.
  const [waiting] = await findWaiting(tx, sql`${own} for update skip locked`)
  if (!waiting) return
  if (!waiting.isSampled) return noteSampled(tx, waiting)
  if (waiting.isDue && figures) return decide(tx, waiting, figures)
}

async function findWaiting(db: Db, more: RawBuilder<unknown>): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select client_id as "clientId", campagne_id as "campaignId", name, valid, split,
      split_sampled_at is not null as "isSampled",
      split ->> 'winner_by' <> 'person' and coalesce(
        split_sampled_at + make_interval(mins => (split ->> 'wait_minutes')::int) <= now(), false) as "isDue"
    from campaign
    where split_waits and split_decided_at is null and split_result is null and valid = ${campaignState.running}
      and deleted_at is null ${more}`.execute(db)
  return rows
}

/** Rows that wait for the winner are due after this; all others of a campaign are its sample, seeds and proofs. */
const OF_SAMPLE = sql<boolean>`d.due_at < now() + interval '100 years'`

async function noteSampled(tx: Db, waiting: Waiting): Promise<void> {
  const { clientId, campaignId, name, valid, split } = waiting
  const { rows } = await sql`
    update campaign c set split_sampled_at = now()
    where c.client_id = ${clientId} and c.campagne_id = ${campaignId}
      and (
        select 1 from delivery d
        where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state in ('pending', 'deferred')
          and ${OF_SAMPLE} and d.attempts = 0
        limit 1) is null
      and (
        select 1 from delivery d
        where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state = 'claimed' and d.attempts <= 1
        limit 1) is null
    returning 1`.execute(tx)
  if (rows.length === 0) return
  await publish(tx, {
    client_id: clientId,
    type: 'CAMPAIGN_STATUS',
    data: { campagne_id: campaignId, name, valid },
  })
  if (split.winner_by === 'person') await askUsers(tx, waiting)
}

async function decide(tx: Db, waiting: Waiting, figures: Counted[]): Promise<void> {
  const { clientId, split } = waiting
  const { reason, winner } = chooseWinner(figures, split)
  const result: SplitResult = {
    reason,
    winner_by: split.winner_by,
    level: split.level,
    figures,
    user_id: null,
  }
  await recordDecision(tx, systemActor(clientId), waiting, { winner, result })
  if (reason === 'ask') await askUsers(tx, waiting)
}

async function askUsers(tx: Db, { clientId, campaignId, name }: Waiting): Promise<void> {
  await addNotification(tx, {
    clientId,
    permission: 'EmmaCampaign:patch',
    kind: 'info',
    code: 'split_waits',
    details: { name },
    text: `The A/B test of the campaign “${name}” waits for you to choose the winner.`,
    path: `/campaigns/reports/${campaignId}`,
  })
}
