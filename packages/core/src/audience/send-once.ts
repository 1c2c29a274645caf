import { type RawBuilder, sql } from 'kysely'
import { mayHaveArrived, willBeSent } from '../reports/counted.ts'

/** The campaign that a send-once key is evaluated for. */
export interface SendOnceQuestion {
  clientId: number
  memberTableId: number
  /** Members who got another campaign with this key are skipped; null: nobody. */
  sendOnceKey: string | null
  /** The campaign itself. Null when it is not saved yet. */
  campaignId: number | null
}

/**
 * SELECT of `member_id` of the datasource's members who have got, or are still to get, another campaign with the key;
 * null without a key. What was rejected, skipped or cancelled does not count. Read from the ledger, because a client's
 * expansions follow one another (1-expand/expand-campaign.ts): each sees all recipients of those before.
 */
export function gotSameKey(question: SendOnceQuestion): RawBuilder<unknown> | null {
  const { clientId, memberTableId, sendOnceKey, campaignId } = question
  if (sendOnceKey === null) return null
  return sql`
    select distinct d.member_id
    from campaign as c join delivery as d on d.client_id = c.client_id and d.campagne_id = c.campagne_id
    where c.client_id = ${clientId}::bigint and c.send_once_key = ${sendOnceKey}
      and c.member_table_id = ${memberTableId}::bigint and c.campagne_id is distinct from ${campaignId}::bigint
      and d.member_id > 0 and (${mayHaveArrived('d')} or ${willBeSent('d', 'c')})`
}
