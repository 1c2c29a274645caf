import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { membersTable } from '../datasources/datasource.ts'
import type { Person } from './erase-traces.ts'

/**
 * Finds the current and former members with an address in a client's datasources, including deleted ones. Reads ledger
 * and log completely.
 */
export async function findPerson(tx: Db, clientId: number, address: string): Promise<Person> {
  await sql`set local statement_timeout = '15min'`.execute(tx)
  const tables = await tx
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', clientId)
    .execute()
  const ids = tables.map(table => table.member_table_id)
  const { rows } = await sql<{ member_id: number }>`
    select member_id from delivery
    where client_id = ${clientId} and member_id > 0 and lower(email) = ${address}
    union
    select member_id from event
    where client_id = ${clientId} and member_id > 0 and lower(email) = ${address}`.execute(tx)
  const memberIds = new Set(rows.map(row => row.member_id))
  const memberTableIds: number[] = []
  for (const id of ids) {
    const members = await sql<{ member_id: number; is_same: boolean }>`
      select member_id, lower(email) = ${address} as is_same from ${membersTable(id)}
      where client_id = ${clientId}
        and (lower(email) = ${address} or member_id = any(${[...memberIds]}::bigint[]))`.execute(tx)
    if (members.rows.some(member => member.is_same)) memberTableIds.push(id)
    // A member with another address now belongs to somebody else: only data with this address is erased.
    for (const { member_id, is_same } of members.rows)
      if (is_same) memberIds.add(member_id)
      else memberIds.delete(member_id)
  }
  return { clientId, address, memberIds: [...memberIds], memberTableIds }
}

/** Deletes the person's members from the datasources. */
export async function removeMembers(tx: Db, { clientId, address, memberTableIds }: Person): Promise<void> {
  for (const id of memberTableIds)
    await sql`
      delete from ${membersTable(id)} where client_id = ${clientId} and lower(email) = ${address}`.execute(tx)
}
