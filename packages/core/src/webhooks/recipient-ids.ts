import { type RawBuilder, sql } from 'kysely'

/** Ids of transactional emails in ledger and event log begin here (0109-transactional.sql); below are members. */
const FIRST_MAIL_ID = 1_000_000_000_000

/** Arguments of `jsonb_build_object` that name the recipient: a member, or the email that a call has handed over. */
export function recipientIds(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`'member_id', case when ${id} > 0 and ${id} < ${FIRST_MAIL_ID} then ${id} end,
    'message_id', case when ${id} >= ${FIRST_MAIL_ID} then ${id} end`
}
