import { createHash } from 'node:crypto'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { sql as raw } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { type Datasource, membersTable } from './datasource.ts'
import { refreshSmallStats } from './datasource-stats.ts'
import { lockMember } from './write-member.ts'

/**
 * Forgets a person (GDPR, article 17): the member goes, address, IP, agent and replies leave the log and the ledger,
 * and what was changed of the member leaves the audit log, while the figures stay, and the address's SHA-256 goes onto a blacklist of the client so that no later import
 * brings it back. Mails not sent yet are cancelled.
 *
 * @throws EmmaError `not_found`
 */
export async function eraseMember(
  sql: Sql,
  actor: Actor,
  source: Datasource,
  memberId: number,
): Promise<void> {
  await transaction(sql, async tx => {
    const member = await lockMember(tx, source, memberId, null)
    const { client_id } = source
    await raw`delete from ${membersTable(source.member_table_id)}
      where client_id = ${client_id} and member_id = ${memberId}`.execute(tx)
    await raw`update event set email = null, ip = null, user_agent = null, reply = null, details = null
      where client_id = ${client_id} and member_id = ${memberId}`.execute(tx)
    await raw`update delivery set email = ${ERASED_ADDRESS}, reply = null,
        state = case when state in ('pending', 'deferred') then 'cancelled' else state end
      where client_id = ${client_id} and member_id = ${memberId}`.execute(tx)
    // A campaign that rests is not counted any more, unless it is told to be.
    await raw`update campaign set progress_open = true
      where client_id = ${client_id} and expanded_at is not null and valid = ${campaignState.paused}
        and campagne_id in (
          select campagne_id from delivery
          where client_id = ${client_id} and member_id = ${memberId} and state = 'cancelled')`.execute(tx)
    await keepHash(tx, actor, client_id, String(member.email))
    await raw`set local emma.retention = 'on'`.execute(tx)
    await raw`delete from change_log
      where client_id = ${client_id} and object = 'member' and object_id = ${memberId}`.execute(tx)
    await raw`set local emma.retention = 'off'`.execute(tx)
    await logChange(tx, actor, { clientId: client_id, object: 'member', id: memberId, action: 'erase' })
    await refreshSmallStats(tx, client_id, source.member_table_id)
  })
}

const ERASED = 'Erased people'

async function keepHash(tx: Sql, actor: Actor, clientId: number, email: string): Promise<void> {
  // Two erasures at once would make two lists.
  await raw`select from client where client_id = ${clientId} for update`.execute(tx)
  const known = await tx
    .selectFrom('blacklist')
    .select('blacklist_id')
    .where('client_id', '=', clientId)
    .where('kind', '=', 'client')
    .where('match', '=', 'sha256')
    .where('name', '=', ERASED)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const list =
    known ??
    (await tx
      .insertInto('blacklist')
      .values({ client_id: clientId, name: ERASED, kind: 'client', match: 'sha256' })
      .returning('blacklist_id')
      .executeTakeFirstOrThrow())
  const made = await tx
    .insertInto('blacklist_entry')
    .values({
      client_id: clientId,
      blacklist_id: list.blacklist_id,
      value: createHash('sha256').update(email.toLowerCase()).digest('hex'),
      reason: 'erased',
      source: 'erase',
      added_by: actor.userId,
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  await tx
    .updateTable('blacklist')
    .set(eb => ({ count: eb('count', '+', Number(made.numInsertedOrUpdatedRows ?? 0)) }))
    .where('client_id', '=', clientId)
    .where('blacklist_id', '=', list.blacklist_id)
    .execute()
}
