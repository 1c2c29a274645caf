import type { readTransactionalReport as contract } from '@emma/contract/actions/transactional.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { bounceClass, isHard, isHuman, isMobile, isSent, isWaiting } from '../reports/counted.ts'

type Row = Answer<typeof contract>['data'][number]

/** Days that are reported without a start date. */
const DAYS = 30

/**
 * R235: figures of transactional emails by the day on which they were due, in the client's time zone, newest first. They
 * count as those of a campaign (reports/read-figures.ts); each email is a recipient.
 */
export async function readTransactionalReport(
  db: Db,
  clientId: number,
  { transactional_id: id, start_date, end_date }: z.output<typeof contract.query>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with client_zone as (select timezone from client where client_id = ${clientId}), period as (
      select timezone, wall_clock(now(), timezone)::date as today from client_zone
    ), mail as (
      select m.client_id, m.campagne_id, m.mail_id, m.cancelled_at, wall_clock(m.due_at, p.timezone)::date as day
      from transactional_mail as m, period as p
      where m.client_id = ${clientId}
        and (${id ?? null}::bigint is null or m.transactional_id = ${id ?? null}::bigint)
        and m.due_at >= from_wall_clock(
          coalesce(${start_date ?? null}::date, p.today - ${DAYS - 1}::int)::timestamp, p.timezone)
        and m.due_at < from_wall_clock((coalesce(${end_date ?? null}::date, p.today) + 1)::timestamp, p.timezone)
    ), happened as (
      select e.campagne_id, e.member_id,
        count(*) filter (where e.type = 'open' and ${isHuman('e')}) as opens,
        bool_or(e.type = 'open' and not ${isHuman('e')}) as open_machine,
        bool_or(e.type = 'open' and ${isHuman('e')} and e.device = 'desktop') as open_desktop,
        bool_or(e.type = 'open' and ${isHuman('e')} and ${isMobile('e')}) as open_mobile,
        count(*) filter (where e.type = 'click' and ${isHuman('e')}) as clicks,
        bool_or(e.type = 'click' and not ${isHuman('e')}) as click_machine,
        bool_or(e.type = 'click' and ${isHuman('e')} and e.device = 'desktop') as click_desktop,
        bool_or(e.type = 'click' and ${isHuman('e')} and ${isMobile('e')}) as click_mobile,
        bool_or(e.type = 'bounce') as bounced, bool_or(e.type = 'bounce' and ${isHard('e')}) as hard,
        bool_or(e.type = 'bounce' and ${bounceClass('e')} <> 'other') as is_named,
        bool_or(e.type = 'unsubscribe') as unsubscribed, bool_or(e.type = 'complaint') as complained
      from event as e
      where e.client_id = ${clientId} and e.campagne_id in (select distinct campagne_id from mail)
      group by 1, 2
    )
    select to_char(mail.day, 'YYYY-MM-DD') as date, count(*) as nb_recipients,
      ${amount('nb_preblock', sql`d.state = 'skipped'`)},
      ${amount('nb_pending', sql`${isWaiting('d')} or mail.campagne_id is null and mail.cancelled_at is null`)},
      ${amount('nb_unknown', sql`d.state = 'unknown'`)},
      ${amount('nb_cancelled', sql`d.state = 'cancelled' or mail.campagne_id is null and mail.cancelled_at is not null`)},
      ${amount('nb_send', isSent('d'))},
      ${amount('nb_delivered', sql`${isSent('d')} and h.bounced is not true`)},
      ${amount('nb_hardbounce', sql`h.hard`)},
      ${amount('nb_softbounce', sql`h.bounced and not h.hard and h.is_named`)},
      ${amount('nb_otherbounce', sql`h.bounced and not h.hard and not h.is_named`)},
      ${hits('open')}, ${hits('click')},
      ${amount('nb_unsubscribe', sql`h.unsubscribed`)}, ${amount('nb_complaint', sql`h.complained`)}
    from mail
    left join delivery as d on d.client_id = mail.client_id and d.campagne_id = mail.campagne_id
      and d.member_id = mail.mail_id
    left join happened as h on h.campagne_id = mail.campagne_id and h.member_id = mail.mail_id
    group by mail.day order by mail.day desc limit ${MOST_DAYS}`.execute(db)
  return rows
}

const MOST_DAYS = 1_000

function amount(name: string, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`count(*) filter (where ${which}) as ${sql.ref(name)}`
}

function hits(type: 'open' | 'click'): RawBuilder<unknown> {
  const of = (what: string) => sql.ref(`h.${type}_${what}`)
  const events = sql.ref(`h.${type}s`)
  return sql`
    ${amount(`nb_${type}`, sql`${events} > 0`)}, coalesce(sum(${events}), 0) as ${sql.ref(`nb_${type}_total`)},
    ${amount(`nb_${type}_machine`, sql`${of('machine')} and ${events} = 0`)},
    ${amount(`nb_${type}_desktop`, of('desktop'))}, ${amount(`nb_${type}_mobile`, of('mobile'))}`
}
