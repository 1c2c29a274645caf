import type { Sql } from '@emma/db/connection.ts'
import type { MemberKey } from '@emma/delivery/6-react/set-subscription.ts'
import type { CampaignSnapshot } from '@emma/delivery/campaign-snapshot.ts'
import type { Token } from '@emma/mail/token.ts'
import { sql as raw } from 'kysely'
import type { Person } from './page.ts'
import { languageOf } from './send-page.ts'

/** Whom a mail was for: what the pages show, and the member to act on. */
export interface PersonOfMail extends Person {
  member: MemberKey
}

/** One datasource of the client the person is in. */
export interface Subscription {
  name: string
  isSubscribed: boolean
  member: MemberKey
}

/** Null when the campaign was to nobody's datasource, or the member is gone. */
export async function findPerson(
  sql: Sql,
  snapshot: CampaignSnapshot,
  token: Token,
  text: string,
): Promise<PersonOfMail | null> {
  const { clientId, campaignId, memberId } = token
  const { memberTableId } = snapshot
  if (memberTableId === null) return null
  const { rows } = await raw<{ email: string; isSubscribed: boolean }>`
    select email, dateunjoin is null as "isSubscribed" from ${members(memberTableId)}
    where client_id = ${clientId} and member_id = ${memberId}`.execute(sql)
  const [row] = rows
  if (!row) return null
  return {
    ...row,
    client: snapshot.client.name,
    language: languageOf(snapshot.message.language),
    path: `/u/${text}`,
    member: { clientId, memberTableId, memberId, campaignId },
  }
}

/** All datasources of the client in which the person's address is. */
export async function readSubscriptions(sql: Sql, { member, email }: PersonOfMail): Promise<Subscription[]> {
  const { clientId, campaignId } = member
  const tables = await sql
    .selectFrom('member_table')
    .select(['member_table_id', 'name'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  const found = await Promise.all(
    tables.map(async ({ member_table_id: memberTableId, name }) => {
      const { rows } = await raw<{ memberId: number; isSubscribed: boolean }>`
        select member_id as "memberId", dateunjoin is null as "isSubscribed" from ${members(memberTableId)}
        where client_id = ${clientId} and lower(email) = lower(${email})`.execute(sql)
      return rows.map(({ memberId, isSubscribed }) => ({
        name,
        isSubscribed,
        member: { clientId, memberTableId, memberId, campaignId },
      }))
    }),
  )
  return found.flat()
}

function members(memberTableId: number) {
  return raw.id('members', `t${memberTableId}`)
}
