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
import { addressKey } from '@emma/mail/address.ts'

/**
 * Erases a person (GDPR, article 17): deletes the members with the address from all datasources of the client, removes
 * address, IP, user agent and replies from log and ledger, and clears the address everywhere else in the client's data
 * (erase-traces.ts); figures stay. The address's SHA-256 is added to a suppression list of the client, so that later
 * imports do not bring it back. Unsent emails are cancelled.
 *
 * Reads the client's ledger and log completely, as former members with the address are found nowhere else.
 *
 * @throws EmmaError `not_found`
 */
export async function eraseMember(db: Db, actor: Actor, source: Datasource, memberId: number): Promise<void> {
  const { client_id } = source
  const person = await transaction(db, async tx => {
    const { email } = await lockMember(tx, source, memberId, null)
    const address = addressKey(String(email))
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
  // Concurrent expansions and link requests may still have seen the member.
  await transaction(db, tx => forgetMembers(tx, person))
  for (const member_table_id of person.memberTableIds)
    await refreshSmallStats(db, { client_id, member_table_id })
}
