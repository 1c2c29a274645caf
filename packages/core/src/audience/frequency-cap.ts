import { campaignType } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { pausedAddresses } from './contact-pause.ts'
import { membersTable } from './datasources/datasource.ts'
import { mayHaveArrived, willBeSent } from '../reports/counted.ts'
import { fault } from '@emma/contract/faults.ts'

/** The audience and campaign that a frequency cap is evaluated for. */
export interface CapQuestion {
  clientId: number
  memberTableId: number
  cappingId: number | null
  /** The campaign itself, whose own mails do not count. Null when it is not saved yet. */
  campaignId: number | null
  /** Its template, whose category a cap by category compares. */
  messageId: number | null
}

/** Campaign types that count; transactional mail and tests are exempt. */
const COUNTED = [campaignType.regular, campaignType.recurring, campaignType.esp]

/**
 * SELECTs of `address` (lower case) that have reached a limit: the campaign's frequency cap, or the contact frequency
 * chosen on the preference page, or have paused campaigns there. Accepted mails in the sliding window count, and those still to be sent by campaigns.
 *
 * @throws EmmaError `not_found` when the campaign's cap does not exist (any more)
 */
export async function cappedAddresses(db: Db, question: CapQuestion): Promise<RawBuilder<unknown>[]> {
  const chosen = await overContactFrequency(db, question)
  return [...(await overCap(db, question)), ...chosen, pausedAddresses(question.clientId)]
}

/** Whether a ledger row (d) of a campaign (c) counts. `since`: start of the window. */
function counts({ campaignId }: CapQuestion, since: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`c.ctype = any(${COUNTED}::int[]) and c.campagne_id is distinct from ${campaignId}::bigint
    and (${mayHaveArrived('d')} and d.recorded_at >= ${since} or ${willBeSent('d', 'c')})`
}

async function overCap(db: Db, question: CapQuestion): Promise<RawBuilder<unknown>[]> {
  const { clientId, memberTableId, cappingId, messageId } = question
  if (cappingId === null) return []
  const capping = await db
    .selectFrom('capping')
    .select(['max_mails', 'period_hours', 'scope'])
    .where('client_id', '=', clientId)
    .where('capping_id', '=', cappingId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!capping) throw new EmmaError('not_found', fault('refusal.no_capping'))
  const since = sql`now() - make_interval(hours => ${capping.period_hours}::int)`
  const category = (id: RawBuilder<unknown>) =>
    sql`(select category from message where client_id = ${clientId}::bigint and message_id = ${id})`
  const inScope = {
    client: sql`true`,
    member_table: sql`c.member_table_id = ${memberTableId}::bigint`,
    category_value: sql`${category(sql.ref('c.message_id'))} is not distinct from ${category(sql`${messageId}::bigint`)}`,
  }
  const scope = Object.entries(inScope).find(([name]) => name === capping.scope)?.[1] ?? sql`true`
  // Skips campaigns that ended before the window.
  return [
    sql`
      select lower(d.email) as address
      from campaign as c join delivery as d on d.client_id = c.client_id and d.campagne_id = c.campagne_id
      where c.client_id = ${clientId}::bigint and c.expanded_at is not null
        and coalesce(c.finished_at, now()) >= ${since} and ${scope} and ${counts(question, since)}
      group by 1 having count(*) >= ${capping.max_mails}::bigint`,
  ]
}

/** Few people choose a lower frequency, so each is looked up in the datasources that have the address. */
async function overContactFrequency(db: Db, question: CapQuestion): Promise<RawBuilder<unknown>[]> {
  const { clientId } = question
  const { rows } = await sql`select from contact_frequency where client_id = ${clientId} limit 1`.execute(db)
  if (rows.length === 0) return []
  const tables = await db
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .execute()
  if (tables.length === 0) return []
  const members = tables.map(
    ({ member_table_id: id }) => sql`
      select member_id from ${membersTable(id)} where client_id = ${clientId}::bigint and lower(email) = f.address`,
  )
  return [
    sql`
      select f.address from contact_frequency as f
      where f.client_id = ${clientId}::bigint and exists (
        select from (${sql.join(members, sql` union all `)}) as m
        join delivery as d on d.client_id = ${clientId}::bigint and d.member_id = m.member_id
        join campaign as c on c.client_id = d.client_id and c.campagne_id = d.campagne_id
        where ${counts(question, sql`now() - make_interval(hours => f.period_hours)`)})`,
  ]
}
