import { type Db, transaction } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'
import { withLockTimeout } from './lock-members.ts'
import { addressHash } from '../blacklists/opt-out.ts'
import { isSubscribed } from './is-subscribed.ts'

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/** Identifies one email of a campaign, from a link, a return path or a sending service's reference. */
export interface SentEmail {
  clientId: number
  campaignId: number
  memberTableId: number
  memberId: number
}

/** Recipient of an email, with the current data of the datasource. */
export interface EmailRecipient {
  table: Table
  /** Null for a datasource that the email was not sent from. */
  campaignId: number | null
  memberId: number
  email: string
  isSubscribed: boolean
  /** `deleted`: only the ledger has the address. `locked`: an import has locked the whole datasource. */
  state: 'member' | 'deleted' | 'locked'
}

/**
 * Finds the recipient of an email: the member; if it was deleted, the member who has the ledger's address now; else the
 * address itself, so that links, replies and reports of old emails still work.
 *
 * @returns null when the ledger does not have the email, or the person was erased
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

/**
 * Members with the address in all datasources of the client, ordered by the datasource's name. Skips datasources that
 * are locked as a whole.
 */
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

/** Null when the datasource is locked as a whole, by its first import. */
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
