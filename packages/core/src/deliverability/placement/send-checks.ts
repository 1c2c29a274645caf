import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** A placement check that is sent by this machine. */
export interface ClaimedCheck {
  clientId: number
  ipciId: number
  token: string
  campaignId: number | null
  messageId: number
  domainId: number
  mailclassId: number
  mailboxes: { loginId: number; email: string }[]
}

/**
 * Takes the next check to send, for one machine; null without any. Its mails count as sent from now on: a machine that
 * ends before all servers replied sends none twice. The check of a campaign waits until the campaign's content is
 * fixed.
 */
export async function claimCheck(db: Db): Promise<ClaimedCheck | null> {
  const { rows } = await sql<ClaimedCheck>`
    with next as (
      select i.client_id, i.ipci_id from ipci as i
      where i.valid = ${campaignState.scheduled} and i.deleted_at is null and not exists (
        select 1 from campaign as c
        where c.client_id = i.client_id and c.campagne_id = i.campagne_id and c.valid = ${campaignState.preparing})
      order by i.ipci_id limit 1 for update skip locked
    ), claimed as (
      update ipci as i set valid = ${campaignState.running}, sent_at = now()
      from next where i.client_id = next.client_id and i.ipci_id = next.ipci_id
      returning i.*
    ), mails as (
      update ipci_result as r set sent_at = now()
      from claimed as c where r.client_id = c.client_id and r.ipci_id = c.ipci_id
      returning r.client_id, r.login_id, r.email
    )
    select c.client_id as "clientId", c.ipci_id as "ipciId", c.token, c.campagne_id as "campaignId",
      c.message_id as "messageId", c.domain_id as "domainId", c.mailclass_id as "mailclassId",
      (select jsonb_agg(jsonb_build_object('loginId', m.login_id, 'email', m.email)) from mails as m
      where m.client_id = c.client_id) as mailboxes
    from claimed as c`.execute(db)
  return rows[0] ?? null
}

/** Seconds between attempts to a server that defers a mail, and minutes after which there are no further ones. */
const RETRY_SECONDS = 60
const RETRY_MINUTES = 15

/** Takes the deferred mails of one check to try them again, for one machine; null without any. */
export async function claimRetry(db: Db): Promise<ClaimedCheck | null> {
  const { rows } = await sql<ClaimedCheck>`
    with next as (
      select r.client_id, r.ipci_id, i.token, i.campagne_id, i.message_id, i.domain_id, i.mailclass_id
      from ipci as i
      join ipci_result as r on r.client_id = i.client_id and r.ipci_id = i.ipci_id
      where i.valid = ${campaignState.running} and i.deleted_at is null and r.placement is null
        and i.sent_at > now() - make_interval(mins => ${RETRY_MINUTES})
        and r.outcome = 'deferred' and r.sent_at < now() - make_interval(secs => ${RETRY_SECONDS})
      order by r.sent_at limit 1
    ), mails as (
      update ipci_result as r set outcome = null, sent_at = now()
      from next as n
      where r.client_id = n.client_id and r.ipci_id = n.ipci_id and r.placement is null and r.outcome = 'deferred'
        and r.sent_at < now() - make_interval(secs => ${RETRY_SECONDS})
      returning r.client_id, r.login_id, r.email
    )
    select n.client_id as "clientId", n.ipci_id as "ipciId", n.token, n.campagne_id as "campaignId",
      n.message_id as "messageId", n.domain_id as "domainId", n.mailclass_id as "mailclassId",
      jsonb_agg(jsonb_build_object('loginId', m.login_id, 'email', m.email)) as mailboxes
    from next as n join mails as m on m.client_id = n.client_id
    group by 1, 2, 3, 4, 5, 6, 7`.execute(db)
  return rows[0] ?? null
}

/** Stores what the receiving server said. A refused mail is missing at once; the mailboxes of all others are searched. */
export async function recordHandOver(
  db: Db,
  { clientId, ipciId }: ClaimedCheck,
  { loginId, outcome, reply }: { loginId: number; outcome: string; reply: string },
): Promise<void> {
  const isLost = outcome === 'rejected' || outcome === 'held'
  await sql`
    with result as (
      update ipci_result
      set outcome = ${outcome}, reply = ${reply.slice(0, 1000)},
        placement = coalesce(placement, case when ${isLost}::boolean then 'missing' end)
      where client_id = ${clientId} and ipci_id = ${ipciId} and login_id = ${loginId}
    )
    update imap_login set next_poll = now() where client_id = ${clientId} and login_id = ${loginId}`.execute(
    db,
  )
}

/** Ends a check of which nothing could be sent. If only a further attempt failed, its mails are missing. */
export async function failCheck(db: Db, check: ClaimedCheck, fault: Fault): Promise<void> {
  const { clientId, ipciId, mailboxes } = check
  const { numAffectedRows = 0n } = await sql`
    update ipci as i
    set valid = ${campaignState.failed}, finished_at = now(), error = ${JSON.stringify(fault)}::jsonb
    where i.client_id = ${clientId} and i.ipci_id = ${ipciId} and not exists (
      select 1 from ipci_result as r
      where r.client_id = i.client_id and r.ipci_id = i.ipci_id and r.outcome is not null)`.execute(db)
  if (numAffectedRows > 0n) return
  for (const { loginId } of mailboxes)
    await recordHandOver(db, check, { loginId, outcome: 'held', reply: fault.message })
}
