import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import { deleteChanges } from '../../platform/delete-changes.ts'

/** A person to erase: the current and former members of a client with one address. */
export interface Person {
  clientId: number
  /** Lower case. */
  address: string
  memberIds: number[]
  /** Datasources with a member of that address. */
  memberTableIds: number[]
}

/**
 * Anonymises events and ledger rows of members, and deletes their entries in the audit log. Unsent emails are
 * cancelled.
 */
export async function forgetMembers(tx: Db, { clientId, memberIds }: Person): Promise<void> {
  const isTheirs = sql`client_id = ${clientId} and member_id = any(${memberIds}::bigint[])`
  await forgetRows(tx, clientId, isTheirs)
  await sql`delete from member_pending_state where ${isTheirs}`.execute(tx)
  await sql`delete from member_hours where ${isTheirs}`.execute(tx)
  // Submissions are counted, so they stay without the person.
  await sql`
    update webform_submission set changes = null, page_url = null, ip = null, user_agent = null
    where ${isTheirs}`.execute(tx)
  await sql`delete from upload_change where ${isTheirs}`.execute(tx)
  await forgetRequests(tx, isTheirs)
  await forgetChanges(tx, clientId, sql`object_id = any(${memberIds}::bigint[])`)
}

/** Removes the address from all other data of a client. Hashed suppression lists stay. */
export async function forgetAddress(tx: Db, { clientId, address }: Person): Promise<void> {
  const ofClient = sql`client_id = ${clientId}`
  const isAddress = (column: string) => sql`${ofClient} and lower(${sql.ref(column)}) = ${address}`
  const holds = (column: string) =>
    sql`${ofClient} and ${sql.ref(column)}::text ilike ${likePattern(address)}`
  // Key of the reply rules' counters (delivery's reply-rules.ts).
  const countedFor = `address ${clientId}/${address}`
  await forgetRows(tx, clientId, sql`${isAddress('email')} and member_id > 0`)
  await forgetRequests(tx, isAddress('email'))
  await forgetChanges(tx, clientId, holds('changes'))
  const statements = [
    sql`delete from bounced_address where ${isAddress('address')}`,
    sql`
      delete from transactional_attachment as a using (
        select client_id, mail_id from transactional_mail
        where attachments > 0 and (${isAddress('email')} or ${holds('data')})
      ) as theirs
      where a.client_id = theirs.client_id and a.mail_id = theirs.mail_id`,
    // Emails are counted, so they stay without the person. Other people's emails may name the address in their data.
    sql`
      update transactional_mail set data = null, name = null, subject = null, reply_to = null, member_id = null, attachments = 0,
        email = case when ${isAddress('email')} then ${ERASED_ADDRESS} else email end,
        cancelled_at = case when campagne_id is null then coalesce(cancelled_at, now()) else cancelled_at end
      where ${isAddress('email')} or ${holds('data')}`,
    sql`delete from contact_frequency where ${isAddress('address')}`,
    sql`delete from contact_pause where ${isAddress('address')}`,
    sql`delete from contact_language where ${isAddress('address')}`,
    sql`delete from member_pending_state where ${isAddress('address')}`,
    sql`
      update scd_action set email = null, reply = '',
        object = case when object = ${countedFor} then 'erased ' || id else object end
      where ${isAddress('email')}`,
    sql`delete from scd_window where object = ${countedFor}`,
    sql`delete from notification where ${holds('text')} or ${holds('details')}`,
    sql`
      update data_upload set sample = coalesce((
        select jsonb_agg(line order by n) from jsonb_array_elements(sample) with ordinality as row (line, n)
        where line::text not ilike ${likePattern(address)}), '[]')
      where ${holds('sample')}`,
    sql`
      update webhook_attempt as a set answer = null
      from webhook_message as m
      where a.client_id = m.client_id and a.message_id = m.message_id and m.client_id = ${clientId}
        and m.events::text ilike ${likePattern(address)}`,
    sql`
      update webhook_message set events = (
        select jsonb_agg(case when lower(e #>> '{data,email}') = ${address}
          then jsonb_set(e, '{data}', (e -> 'data') - '{email,reason}'::text[]) else e end order by n)
        from jsonb_array_elements(events) with ordinality as each (e, n))
      where ${holds('events')}`,
    sql`delete from test_mail where ${isAddress('email')}`,
    sql`
      update test_campaign set emails = array(
          select email from unnest(emails) as email where lower(email) <> ${address}),
        results = coalesce((
          select jsonb_agg(r order by n) from jsonb_array_elements(results) with ordinality as each (r, n)
          where r::text not ilike ${likePattern(address)}), '[]')
      where ${holds('emails')}`,
    sql`delete from internal_blacklist_exclude where ${isAddress('value')}`,
    sql`delete from internal_blacklist_removal where row ->> 'value' = ${address}`,
    // An address suppressed for the installation stays suppressed, by its hash.
    sql`
      update internal_blacklist_entry as i
      set value = encode(sha256(convert_to(value, 'UTF8')), 'hex'), match = 'sha256'
      where match = 'email' and value = ${address}
        and not exists (
          select from internal_blacklist_entry as h
          where h.value = encode(sha256(convert_to(i.value, 'UTF8')), 'hex'))`,
    sql`
      with gone as (
        delete from blacklist_entry as e using blacklist as b
        where e.client_id = ${clientId} and e.value = ${address} and b.client_id = e.client_id
          and b.blacklist_id = e.blacklist_id and b.match = 'email'
        returning e.blacklist_id
      )
      update blacklist as b set count = b.count - 1, updated_at = now()
      from gone where b.client_id = ${clientId} and b.blacklist_id = gone.blacklist_id`,
  ]
  for (const statement of statements) await statement.execute(tx)
}

/** Confirmation requests are counted, so they stay without the person; process mails not sent yet are dropped. */
async function forgetRequests(tx: Db, chosen: RawBuilder<unknown>): Promise<void> {
  await sql`delete from process_mail where ${chosen} and campagne_id is null`.execute(tx)
  await sql`update process_mail set email = null where ${chosen} and email is not null`.execute(tx)
  await sql`
    update doi_request
    set email = ${ERASED_ADDRESS}, page_url = null, requested_ip = null, requested_agent = null, confirmed_ip = null,
      confirmed_agent = null, closed_at = coalesce(closed_at, now())
    where ${chosen}`.execute(tx)
}

async function forgetChanges(tx: Db, clientId: number, chosen: RawBuilder<unknown>): Promise<void> {
  await deleteChanges(
    tx,
    sql`client_id = ${clientId} and object = 'member' and action <> 'erase' and ${chosen}`,
  )
}

async function forgetRows(tx: Db, clientId: number, chosen: RawBuilder<unknown>): Promise<void> {
  await sql`
    update event set email = null, ip = null, user_agent = null, reply = null, details = null
    where ${chosen}`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    with erased as (
      update delivery set email = ${ERASED_ADDRESS}, reply = null,
        state = case when state in ('pending', 'deferred') then 'cancelled' else state end
      where ${chosen}
      returning campagne_id, state
    )
    select distinct campagne_id as id from erased where state = 'cancelled'`.execute(tx)
  // Paused campaigns are only counted on request.
  await sql`
    update campaign set progress_open = true
    where client_id = ${clientId} and expanded_at is not null and valid = ${campaignState.paused}
      and campagne_id = any(${rows.map(row => row.id)}::bigint[])`.execute(tx)
}
