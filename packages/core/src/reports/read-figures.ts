import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import {
  bounceClass,
  isHard,
  isHuman,
  isMobile,
  isOfMember,
  isOfRecipient,
  isSent,
  isWaiting,
} from './counted.ts'

/**
 * Figures of campaigns (spec D2 §3, domain.md 2F), counted from the ledger and the event log on each request.
 *
 * Members only: seeds and proof copies are not counted. nb_send: mails with a final reply of the receiving server
 * (accepted or rejected). nb_delivered: nb_send without bounced mails; a bounce of a mail whose reply was lost is not
 * subtracted. Opens and clicks count people once, by human events; nb_open_total counts events, nb_open_machine people
 * with machine opens only (Apple MPP, scanners, prefetch). Bounces count people once: hard if any was hard, soft if any
 * had a class, else other. Unsubscribes and complaints count recipients of the campaign. nb_unknown: in flight when an
 * engine died.
 */
export interface Figures {
  campagne_id: number
  nb_recipients: number
  nb_preblock: number
  nb_pending: number
  nb_unknown: number
  nb_cancelled: number
  nb_send: number
  nb_delivered: number
  nb_hardbounce: number
  nb_softbounce: number
  nb_otherbounce: number
  nb_open: number
  nb_open_total: number
  nb_open_machine: number
  nb_open_desktop: number
  nb_open_mobile: number
  nb_click: number
  nb_click_total: number
  nb_click_machine: number
  nb_click_desktop: number
  nb_click_mobile: number
  nb_unsubscribe: number
  nb_complaint: number
}

/** Figures of campaigns of one client, in the order of `ids`. */
export async function readFigures(db: Db, clientId: number, ids: readonly number[]): Promise<Figures[]> {
  if (ids.length === 0) return []
  const found = await sql<Figures>`
    select c.campagne_id,
      l.recipients as nb_recipients, l.skipped as nb_preblock, l.waiting as nb_pending, l.unknown as nb_unknown,
      l.cancelled as nb_cancelled, l.answered as nb_send,
      l.answered - b.answered as nb_delivered,
      b.hard as nb_hardbounce, b.soft as nb_softbounce, b.other as nb_otherbounce,
      o.people as nb_open, o.hits as nb_open_total, o.machines as nb_open_machine,
      o.desktop as nb_open_desktop, o.mobile as nb_open_mobile,
      k.people as nb_click, k.hits as nb_click_total, k.machines as nb_click_machine,
      k.desktop as nb_click_desktop, k.mobile as nb_click_mobile,
      u.people as nb_unsubscribe, a.people as nb_complaint
    from campaign c
    cross join lateral (
      select count(*) as recipients,
        count(*) filter (where state = 'skipped') as skipped,
        count(*) filter (where ${isWaiting('d')}) as waiting,
        count(*) filter (where state = 'unknown') as unknown,
        count(*) filter (where state = 'cancelled') as cancelled,
        count(*) filter (where ${isSent('d')}) as answered
      from delivery d where d.client_id = c.client_id and d.campagne_id = c.campagne_id and ${isOfMember('d')}
    ) l
    cross join lateral (
      select count(*) filter (where bounced.hard) as hard,
        count(*) filter (where not bounced.hard and is_named) as soft,
        count(*) filter (where not bounced.hard and not is_named) as other,
        count(*) filter (where ${isSent('d')}) as answered
      from (
        select member_id, bool_or(${isHard('e')}) as hard, bool_or(${bounceClass('e')} <> 'other') as is_named
        from event e where e.campagne_id = c.campagne_id and e.client_id = c.client_id and e.type = 'bounce'
          and ${isOfMember('e')}
        group by member_id
      ) bounced
      left join delivery d
        on d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.member_id = bounced.member_id
    ) b
    cross join lateral (${hits('open')}) o
    cross join lateral (${hits('click')}) k
    cross join lateral (${people('unsubscribe')}) u
    cross join lateral (${people('complaint')}) a
    where c.client_id = ${clientId} and c.campagne_id = any(${ids}::bigint[])
    order by array_position(${ids}::bigint[], c.campagne_id)`.execute(db)
  return found.rows
}

/** People by their human events; a device counts when any human event of a person came from it. */
function hits(type: 'open' | 'click') {
  return sql`
    select count(*) filter (where human > 0) as people, coalesce(sum(human), 0) as hits,
      count(*) filter (where human = 0) as machines,
      count(*) filter (where desktop) as desktop, count(*) filter (where mobile) as mobile
    from (
      select member_id,
        count(*) filter (where ${isHuman('e')}) as human,
        coalesce(bool_or(device = 'desktop') filter (where ${isHuman('e')}), false) as desktop,
        coalesce(bool_or(${isMobile('e')}) filter (where ${isHuman('e')}), false) as mobile
      from event e where e.campagne_id = c.campagne_id and e.client_id = c.client_id
        and e.type = ${sql.lit(type)} and ${isOfMember('e')}
      group by member_id
    ) per_member`
}

function people(type: 'unsubscribe' | 'complaint') {
  return sql`
    select count(distinct member_id) as people from event e
    where e.campagne_id = c.campagne_id and e.client_id = c.client_id and e.type = ${sql.lit(type)} and ${isOfMember('e')}
      and ${isOfRecipient('e')}`
}
