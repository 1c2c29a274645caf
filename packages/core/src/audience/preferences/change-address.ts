import { type Db, transaction } from '@emma/db/connection.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { queueProcessMail } from '../../content/queue-process-mail.ts'
import { systemActor } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'
import { keepOptOuts, restoreOptOuts } from '../blacklists/opt-out.ts'
import { membersTable } from '../datasources/datasource.ts'
import { markChanged } from '../datasources/datasource-stats.ts'
import { type EmailRecipient, findByAddress } from '../members/email-recipient.ts'
import { lockMembers } from '../members/lock-members.ts'
import { logMemberEvent } from '../members/member-event.ts'

/**
 * Gives a person another address in all datasources of the client, with its history and its choices of the preference
 * page. Bounces of the old address end, opt-outs stored for the new one apply. The old address gets a notice, if the
 * client has a text for it.
 *
 * @returns false without a change if one of the datasources has the new address already
 * @throws EmmaError `conflict` while an import has locked a member
 */
export async function changeAddress(
  db: Db,
  person: EmailRecipient,
  email: string,
  { lang, cause }: { lang: ProcessMailContent['lang']; cause: string },
): Promise<boolean> {
  if (addressKey(person.email) === addressKey(email)) return true
  return transaction(db, async tx => {
    const memberships = await findByAddress(tx, person)
    for (const membership of memberships) if (await isTaken(tx, membership, email)) return false
    for (const membership of memberships) await moveMember(tx, membership, email)
    await moveChoices(tx, person, email)
    const { table, memberId } = person
    const process = 'profile' as const
    await queueProcessMail(tx, { table, memberId, process, lang, cause: `${cause} old`, email: person.email })
    return true
  })
}

async function isTaken(tx: Db, { table }: EmailRecipient, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${membersTable(table.member_table_id)}
    where client_id = ${table.client_id} and lower(email) = ${addressKey(email)}`.execute(tx)
  return rows.length > 0
}

async function moveMember(tx: Db, member: EmailRecipient, email: string): Promise<void> {
  const { table, memberId } = member
  const locked = await lockMembers(tx, table, [memberId])
  if (!locked.has(memberId)) throw new EmmaError('conflict', fault('refusal.subscriber_busy'))
  await keepOptOuts(table, sql`m.member_id = ${memberId}`).execute(tx)
  await sql`
    update ${membersTable(table.member_table_id)}
    set email = ${email}, hardbounced_at = null, softbounce_count = 0, updated_at = now(), revision = revision + 1
    where client_id = ${table.client_id} and member_id = ${memberId}`.execute(tx)
  await restoreOptOuts(table, sql`select ${email}::text as email`).execute(tx)
  await logMemberEvent(tx, table, memberId, { type: 'edit', source: 'preferences', fields: ['email'] })
  await logChange(tx, systemActor(table.client_id), {
    clientId: table.client_id,
    object: 'member',
    id: memberId,
    action: 'update',
    changes: { email: [member.email, email] },
  })
  await markChanged(tx, table)
}

/** Choices that the new address has made itself stay. */
async function moveChoices(tx: Db, { table, email: before }: EmailRecipient, email: string): Promise<void> {
  for (const name of ['contact_frequency', 'contact_pause', 'contact_language']) {
    const choices = sql.id(name)
    const ofOld = sql`client_id = ${table.client_id} and address = ${addressKey(before)}`
    await sql`
      update ${choices} set address = ${addressKey(email)}
      where ${ofOld} and not exists (
        select from ${choices} as other
        where other.client_id = ${table.client_id} and other.address = ${addressKey(email)})`.execute(tx)
    await sql`delete from ${choices} where ${ofOld}`.execute(tx)
  }
}
