import type { ScdActionRow } from '@emma/contract/actions/scd-rules.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { transition } from '../campaigns/transition.ts'
import type { Actor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'

/** Actions of the reply rules, newest first; of one rule, or of all. */
export async function listScdActions(
  db: Db,
  { limit, offset, rule_id }: { limit: number; offset: number; rule_id?: number | undefined },
): Promise<{ data: ScdActionRow[]; included: never[]; total: number }> {
  const where = sql`a.acted_at is not null ${rule_id === undefined ? sql`` : sql`and a.rule_id = ${rule_id}`}`
  const { rows } = await sql<ScdActionRow>`
    select a.id, a.rule_id, r.name as rule, a.action, a.client_id, cl.name as client, a.campagne_id,
      c.name as campaign, m.name as mailclass, p.name as provider, a.send_ip, a.email, a.reply, a.hits, a.acted_at,
      a.until, a.undone_at
    from scd_action a
    join scd_rule r on r.id = a.rule_id
    join client cl on cl.client_id = a.client_id
    left join campaign c on c.client_id = a.client_id and c.campagne_id = a.campagne_id
    left join mailclass m on m.client_id = a.client_id and m.mailclass_id = a.mailclass_id
    left join provider p on p.provider_id = a.provider_id
    where ${where}
    order by a.acted_at desc, a.id desc
    limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from scd_action a where ${where}`.execute(db)
  return { data: rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

/**
 * Undoes an action of a reply rule. Back-offs and quarantines end at once, a paused campaign resumes, a suppressed
 * address is removed from the suppression list.
 *
 * @returns false when it was undone before
 * @throws EmmaError `not_found`
 */
export function undoScdAction(db: Db, actor: Actor, id: number): Promise<boolean> {
  return transaction(db, async tx => {
    const { rows } = await sql<Undone>`
      select rule_id, action, client_id, campagne_id, email, undone_at is not null as is_undone from scd_action
      where id = ${id} and acted_at is not null for update`.execute(tx)
    const [found] = rows
    if (!found) throw new EmmaError('not_found')
    if (found.is_undone) return false
    await sql`update scd_action set undone_at = now(), undone_by = ${actor.userId} where id = ${id}`.execute(
      tx,
    )
    if (found.action === 'pause_campaign' && found.campagne_id !== null)
      await transition(
        tx,
        { clientId: found.client_id, campaignId: found.campagne_id },
        { from: [campaignState.paused], to: campaignState.running, by: { actor, action: 'start' } },
      )
    if (found.action === 'blacklist') await release(tx, found)
    await logChange(tx, actor, {
      clientId: found.client_id,
      object: 'scd_rule',
      id: found.rule_id,
      action: 'undo',
      changes: { [found.action]: [id, null] },
    })
    return true
  })
}

interface Undone {
  rule_id: number
  action: string
  client_id: number
  campagne_id: number | null
  email: string | null
  is_undone: boolean
}

async function release(tx: Db, { client_id, email, rule_id }: Undone): Promise<void> {
  await sql`
    with gone as (
      delete from blacklist_entry
      where client_id = ${client_id} and value = ${email?.toLowerCase() ?? null} and source = ${`scd-rule ${rule_id}`}
      returning blacklist_id
    )
    update blacklist b set count = b.count - 1, updated_at = now()
    from gone where b.client_id = ${client_id} and b.blacklist_id = gone.blacklist_id`.execute(tx)
}
