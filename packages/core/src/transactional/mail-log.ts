import type {
  AcceptedMail,
  listTransactionalMails,
  LoggedMail,
  MailCall,
} from '@emma/contract/actions/transactional.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { isClicked, isOpened } from '../reports/counted.ts'
import type { Actor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Page } from '../resource/operations.ts'

/** A transactional email's key. */
export interface TransactionalKey {
  clientId: number
  id: number
}

/** One email of a transactional email. */
export interface MailKey extends TransactionalKey {
  mailId: number
}

/** State of an email (m) with its ledger row (d), for the log. */
const state = sql<LoggedMail['state']>`
  case
    when m.cancelled_at is not null then 'cancelled'
    when m.campagne_id is not null then case d.state when 'claimed' then 'pending' else d.state::text end
    when m.fault is not null then 'waiting'
    when m.due_at > now() + interval '5 seconds' then 'scheduled'
    else 'pending'
  end`

const ledger = sql`
  left join delivery as d on d.client_id = m.client_id and d.campagne_id = m.campagne_id and d.member_id = m.mail_id`

function lastEvent(type: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select min(e.ts) from event e
    where e.client_id = m.client_id and e.campagne_id = m.campagne_id and e.member_id = m.mail_id and ${type})`
}

const logged = sql`
  m.mail_id as message_id, m.email, m.name, ${state} as state, d.skip_reason::text as skip_reason, m.fault, d.reply,
  m.created_at, m.via_smtp, m.due_at, d.recorded_at, ${lastEvent(isOpened('e'))} as opened_at,
  ${lastEvent(isClicked('e'))} as clicked_at, ${lastEvent(sql`e.type = 'bounce'`)} as bounced_at`

/** Emails of a transactional email, newest first. */
export async function listMails(
  db: Db,
  { clientId, id }: TransactionalKey,
  { limit, offset, search, state: wanted }: z.output<typeof listTransactionalMails.query>,
): Promise<Page<LoggedMail>> {
  const chosen = sql`
    m.client_id = ${clientId} and m.transactional_id = ${id}
    ${search ? sql`and lower(m.email) like lower(${likePattern(search)})` : sql``}
    ${wanted ? sql`and ${state} = ${wanted}` : sql``}`
  const [page, counted] = await Promise.all([
    sql<LoggedMail>`
      select ${logged} from transactional_mail as m ${ledger}
      where ${chosen} order by m.mail_id desc limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from transactional_mail as m ${wanted ? ledger : sql``} where ${chosen}`.execute(
      db,
    ),
  ])
  return { data: page.rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

/** An email as the log shows it, with what it is rendered from. */
export interface FoundMail {
  logged: LoggedMail
  campaignId: number | null
  data: MailCall['data'] | null
  memberId: number | null
  lang: string | null
  subject: string | null
  attachments: { filename: string; content_type: string; content_id: string | null; size: number }[]
  /** Its data has its own content. */
  isFree: boolean
}

/** Throws `not_found`. */
export async function findMail(db: Db, { clientId, id, mailId }: MailKey): Promise<FoundMail> {
  const { rows } = await sql<
    LoggedMail &
      Omit<FoundMail, 'logged' | 'campaignId' | 'memberId'> & {
        campagne_id: number | null
        member: number | null
      }
  >`
    select ${logged}, m.campagne_id, m.is_free as "isFree", m.data, m.member_id as member, m.lang, m.subject, (
      select coalesce(jsonb_agg(jsonb_build_object('filename', a.filename, 'content_type', a.content_type,
        'content_id', a.content_id, 'size', length(a.content)) order by a.place), '[]')
      from transactional_attachment as a where a.client_id = m.client_id and a.mail_id = m.mail_id) as attachments
    from transactional_mail as m ${ledger}
    where m.client_id = ${clientId} and m.transactional_id = ${id} and m.mail_id = ${mailId}`.execute(db)
  const [row] = rows
  if (!row) throw new EmmaError('not_found')
  const {
    campagne_id: campaignId,
    data,
    member: memberId,
    lang,
    subject,
    attachments,
    isFree,
    ...found
  } = row
  return { logged: found, campaignId, data, memberId, lang, subject, attachments, isFree }
}

/**
 * Cancels an email that no engine has claimed.
 * @throws EmmaError `not_found`, `wrong_state`
 */
export function cancelMail(db: Db, actor: Actor, { clientId, id, mailId }: MailKey): Promise<void> {
  return transaction(db, async tx => {
    const own = sql`client_id = ${clientId} and mail_id = ${mailId} and transactional_id = ${id}`
    const { rows } = await sql<{ campaignId: number | null; isCancelled: boolean }>`
      select campagne_id as "campaignId", cancelled_at is not null as "isCancelled"
      from transactional_mail where ${own} for update`.execute(tx)
    const [mail] = rows
    if (!mail) throw new EmmaError('not_found')
    if (mail.isCancelled) return
    if (mail.campaignId !== null) {
      const { numAffectedRows } = await sql`
        update delivery set state = 'cancelled'
        where client_id = ${clientId} and campagne_id = ${mail.campaignId} and member_id = ${mailId}
          and state in ('pending', 'deferred')`.execute(tx)
      if (Number(numAffectedRows ?? 0) === 0)
        throw new EmmaError('wrong_state', fault('refusal.mail_handed_over'))
    }
    await sql`update transactional_mail set cancelled_at = now() where ${own}`.execute(tx)
    await logMailAction(tx, actor, { clientId, id, mailId }, 'cancelMail')
  })
}

/**
 * Queues a copy of an email with the data that is stored, whatever bounced before.
 * @throws EmmaError `not_found`, `wrong_state` once the data is deleted
 */
export function resendMail(db: Db, actor: Actor, key: MailKey): Promise<AcceptedMail> {
  const { clientId, id, mailId } = key
  return transaction(db, async tx => {
    const { logged: found, data } = await findMail(tx, key)
    if (data === null) throw new EmmaError('wrong_state', fault('refusal.mail_data_gone'))
    const { rows } = await sql<{ id: number }>`
      insert into transactional_mail (client_id, transactional_id, email, name, member_id, lang, subject, reply_to,
        data, attachments, via_smtp, is_free, is_retry)
      select client_id, transactional_id, email, name, member_id, lang, subject, reply_to, data, attachments,
        via_smtp, is_free, true
      from transactional_mail
      where client_id = ${clientId} and transactional_id = ${id} and mail_id = ${mailId}
      returning mail_id as id`.execute(tx)
    const copy = rows[0]?.id ?? 0
    await sql`
      insert into transactional_attachment (client_id, mail_id, place, filename, content_type, content_id, content)
      select client_id, ${copy}::bigint, place, filename, content_type, content_id, content from transactional_attachment
      where client_id = ${clientId} and mail_id = ${mailId}`.execute(tx)
    // Tried on purpose: later emails are sent again, unless it bounces once more.
    await sql`
      delete from bounced_address where client_id = ${clientId} and address = lower(${found.email})`.execute(
      tx,
    )
    await logMailAction(tx, actor, key, 'resendMail')
    return { message_id: copy, is_repeated: false }
  })
}

function logMailAction(
  tx: Db,
  actor: Actor,
  { clientId, id, mailId }: MailKey,
  action: string,
): Promise<void> {
  const changes: Record<string, [unknown, unknown]> = { message_id: [null, mailId] }
  return logChange(tx, actor, { clientId, object: transactionalcampaign.name, id, action, changes })
}

/** Deletes data and attachments of emails after the retention period of their transactional email, a batch at a time. */
export async function forgetMailData(db: Db): Promise<void> {
  for (let round = 0; round < MOST_BATCHES; round++) {
    const { numAffectedRows } = await sql`
      with old as (
        select m.client_id, m.mail_id
        from transactional as t
        join transactional_mail as m on m.client_id = t.client_id and m.transactional_id = t.id
        where m.data is not null and greatest(m.due_at, m.created_at) < now() - make_interval(days => t.keep_days)
        limit ${BATCH}
      ), files as (
        delete from transactional_attachment as a using old
        where a.client_id = old.client_id and a.mail_id = old.mail_id
      )
      update transactional_mail as m set data = null, name = null, subject = null, reply_to = null, attachments = 0
      from old
      where m.client_id = old.client_id and m.mail_id = old.mail_id`.execute(db)
    if (Number(numAffectedRows ?? 0) < BATCH) return
  }
}

const BATCH = 5_000
const MOST_BATCHES = 200
