import { type Db, transaction } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'
import { withLockTimeout } from './lock-members.ts'
import { addressHash } from '../blacklists/opt-out.ts'
import { isSubscribed } from './is-subscribed.ts'

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/** What a link, a return path or a service's reference says: one email of a campaign. */
export interface SentEmail {
  clientId: number
  campaignId: number
  memberTableId: number
  memberId: number
}

/** The person an email was for, as the datasource knows it now. */
export interface EmailRecipient {
  table: Table
  /** Null for a datasource that the email was not about. */
  campaignId: number | null
  memberId: number
  email: string
  isSubscribed: boolean
  /** `deleted`: the address is kept in the ledger alone. `locked`: an import holds the whole datasource just now. */
  state: 'member' | 'deleted' | 'locked'
}

/**
 * Finds the person an email was for: the member; where it was deleted, the member who has the address of the ledger now;
 * else the address itself, so that links, replies and reports of an old email still have an effect.
 *
 * @returns null when the ledger does not know the email, or the person was erased
 */
export async function findRecipient(db: Db, sent: SentEmail): Promise<EmailRecipient | null> {
  const { clientId, campaignId, memberTableId, memberId } = sent
  if (memberId <= 0) return null
  const table = { client_id: clientId, member_table_id: memberTableId }
  return transaction(db, async tx => {
    const byId = await findMembers(tx, table, sql`m.member_id = ${memberId}`)
    if (byId?.[0]) return { table, campaignId, state: 'member', ...byId[0] }
    const email = await ledgerAddress(tx, sent)
    if (email === null) return null
    const known = { table, campaignId, memberId, email }
    const byAddress = byId && (await findMembers(tx, table, sql`lower(m.email) = lower(${email})`))
    if (!byAddress) return { ...known, state: 'locked', isSubscribed: true }
    if (byAddress[0]) return { table, campaignId, state: 'member', ...byAddress[0] }
    return { ...known, state: 'deleted', isSubscribed: !(await isOptedOut(tx, table, email)) }
  })
}

/** The members with the address in the client's datasources that are not locked as a whole, by the datasource's name. */
export async function findByAddress(
  db: Db,
  { table, campaignId, email }: EmailRecipient,
): Promise<(EmailRecipient & { name: string })[]> {
  const tables = await db
    .selectFrom('member_table')
    .select(['client_id', 'member_table_id', 'name'])
    .where('client_id', '=', table.client_id)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  return transaction(db, async tx => {
    const recipients: (EmailRecipient & { name: string })[] = []
    for (const { name, ...other } of tables) {
      const members = await findMembers(tx, other, sql`lower(m.email) = lower(${email})`)
      const isOwn = other.member_table_id === table.member_table_id
      for (const member of members ?? [])
        recipients.push({
          name,
          table: other,
          campaignId: isOwn ? campaignId : null,
          state: 'member',
          ...member,
        })
    }
    return recipients
  })
}

type Member = Pick<EmailRecipient, 'memberId' | 'email' | 'isSubscribed'>

/** Null when the datasource is locked as a whole: an import fills it for the first time. */
async function findMembers(tx: Db, table: Table, chosen: ReturnType<typeof sql>): Promise<Member[] | null> {
  const found = await withLockTimeout(tx, () =>
    sql<Member>`
      select m.member_id as "memberId", m.email, ${isSubscribed(table)} as "isSubscribed"
      from ${membersTable(table.member_table_id)} as m
      where m.client_id = ${table.client_id} and ${chosen}`.execute(tx),
  )
  return found && found.rows
}

async function ledgerAddress(tx: Db, { clientId, campaignId, memberId }: SentEmail): Promise<string | null> {
  const row = await tx
    .selectFrom('delivery')
    .select('email')
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row && row.email !== ERASED_ADDRESS ? row.email : null
}

async function isOptedOut(tx: Db, table: Table, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from member_opt_out
    where client_id = ${table.client_id} and member_table_id = ${table.member_table_id}
      and address_hash = ${addressHash(sql`${email}::text`)} and unsubscribed_at is not null`.execute(tx)
  return rows.length > 0
}
