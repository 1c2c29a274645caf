import type { memberActivity as contract } from '@emma/contract/actions/audience.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Page } from '../../resource/operations.ts'
import type { Datasource } from '../datasources/datasource.ts'
import { findMember } from './list-members.ts'

type Activity = Answer<typeof contract>['data'][number]

/** What a confirmation request (r) asked, and who answered. */
const proof = sql`jsonb_strip_nulls(jsonb_build_object('doi_request_id', r.doi_request_id, 'purpose', r.purpose,
  'email', r.email, 'user_id', r.user_id, 'form_id', r.form_id, 'page', r.page_url, 'consent', r.consent_text,
  'consent_version', r.consent_version, 'user_agent', r.requested_agent, 'expires_at', r.expires_at,
  'confirmed_agent', r.confirmed_agent))`

/** Beginning of the type of a request's entries. */
const kind = sql`case r.purpose when 'subscription' then 'doi' else r.purpose end`

/**
 * Activity of one member, newest first: subscription, mails of the ledger (sent, skipped with reason, failed; with the
 * transactional emails to the address),
 * events, and requests with their proof: double opt-in, and those of the preference page. Each row has `ts`, `type`, the
 * campaign with its name and the fields of the type; a click has the URL that its link had when it was sent.
 *
 * @throws EmmaError `not_found`
 */
export async function memberActivity(
  db: Db,
  source: Datasource,
  memberId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<Activity>> {
  const { email } = await findMember(db, source, memberId)
  const ids = [memberId, ...(await mailsTo(db, source.client_id, String(email)))]
  const merged = sql`
    select e.ts, e.type::text as type, e.campagne_id, e.link_index, e.device, e.agent_client, e.verdict::text as verdict,
      e.verdict_reason, host(e.ip) as ip, e.smtp_code, e.enhanced, e.reply, e.class, e.hard, e.source, null::text as skip_reason, e.details
    from event as e
    where e.client_id = ${source.client_id} and e.member_id = any(${ids}::bigint[])
    union all
    select coalesce(d.recorded_at, d.claimed_at, d.due_at), d.state::text, d.campagne_id, null, null, null, null,
      null, null, d.smtp_code, d.enhanced, d.reply, d.class, d.hard, null, d.skip_reason::text, null
    from delivery as d
    where d.client_id = ${source.client_id} and d.member_id = any(${ids}::bigint[])
    union all
    select r.requested_at, ${kind} || '_request', null, null, null, null, null, null, host(r.requested_ip), null, null, null, null, null,
      r.source, null, ${proof}
    from doi_request as r
    where r.client_id = ${source.client_id} and r.member_id = ${memberId}
    union all
    select r.confirmed_at, ${kind} || '_confirmed', null, null, null, null, null, null, host(r.confirmed_ip), null, null, null, null, null,
      r.source, null, ${proof}
    from doi_request as r
    where r.client_id = ${source.client_id} and r.member_id = ${memberId} and r.confirmed_at is not null`
  const rows = await sql<Activity>`
    select a.*, c.name as campaign_name,
      case
        when a.link_index is null then null
        when c.snapshot is null then (select l.url from message_link as l
          where l.client_id = c.client_id and l.message_id = c.message_id and l.link_index = a.link_index)
        else (select link ->> 'url' from jsonb_array_elements(c.snapshot -> 'links') as link
          where (link ->> 'index')::int = a.link_index limit 1)
      end as url
    from (select * from (${merged}) as every order by ts desc limit ${limit} offset ${offset}) as a
    left join campaign as c on c.client_id = ${source.client_id} and c.campagne_id = a.campagne_id
    order by a.ts desc`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from (${merged}) as every`.execute(db)
  return { data: rows.rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

/** Transactional emails that the activity covers at most, the newest. */
const MOST_MAILS = 1_000

/** Ids of the transactional emails to an address: they are recipients of their own in ledger and event log. */
async function mailsTo(db: Db, clientId: number, email: string): Promise<number[]> {
  const { rows } = await sql<{ mail_id: number }>`
    select mail_id from transactional_mail
    where client_id = ${clientId} and lower(email) = lower(${email})
    order by mail_id desc limit ${MOST_MAILS}`.execute(db)
  return rows.map(row => row.mail_id)
}
