import { createHash } from 'node:crypto'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { Actor } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'
import type { Datasource } from '../datasources/datasource.ts'
import { markChanged, refreshSmallStats } from '../datasources/datasource-stats.ts'
import { forgetAddress, forgetMembers } from './erase-traces.ts'
import { findPerson, removeMembers } from './erase-person.ts'
import { suppressForClient } from '../blacklists/suppress-for-client.ts'
import { lockMember } from './write-member.ts'

/**
 * Erases a person (GDPR, article 17): the members with the address in all datasources of the client go; address, IP,
 * agent and replies leave the log and the ledger, and whatever else of the client holds the address is emptied or removed
 * (erase-traces.ts), while the figures stay. The address's SHA-256 goes onto a blacklist of the client so that no later
 * import brings it back. Emails not sent yet are cancelled.
 *
 * Reads the client's ledger and log whole: earlier members with the address are found by nothing else.
 *
 * @throws EmmaError `not_found`
 */
export async function eraseMember(db: Db, actor: Actor, source: Datasource, memberId: number): Promise<void> {
  const { client_id } = source
  const person = await transaction(db, async tx => {
    const { email } = await lockMember(tx, source, memberId, null)
    const address = String(email).toLowerCase()
    const value = createHash('sha256').update(address).digest('hex')
    const entry = { clientId: client_id, value, reason: 'erased', source: 'erase' }
    const erased = await findPerson(tx, client_id, address)
    await removeMembers(tx, erased)
    await forgetMembers(tx, erased)
    await forgetAddress(tx, erased)
    await suppressForClient(tx, { name: 'Erased people', match: 'sha256' }, [entry], actor.userId)
    await logChange(tx, actor, { clientId: client_id, object: 'member', id: memberId, action: 'erase' })
    for (const member_table_id of erased.memberTableIds) await markChanged(tx, { client_id, member_table_id })
    return erased
  })
  // A campaign that was expanded, and a link that was followed meanwhile, saw the member still.
  await transaction(db, tx => forgetMembers(tx, person))
  for (const member_table_id of person.memberTableIds)
    await refreshSmallStats(db, { client_id, member_table_id })
}
